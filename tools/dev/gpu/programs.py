# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that were built elsewhere, a folder for each:

    NAME/command      one line, how it is run: ./program 100 data.txt
    NAME/program      built by hetcc, with a run path of ../../lib
    NAME/program.nvcc the same one built by nvcc, if there is one
    NAME/...          what it reads

Exit status 0 is success. Of the lines that both print, those with a time are compared.
"""

import math
import re
import shlex
import shutil
import statistics

import process

UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "seconds": 1}
NUMBER = r"([-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)"
BEHIND = re.compile(NUMBER + r"\s*[(\[]?\s*(ns|us|µs|ms|seconds|sec|s)\b")
BEFORE = re.compile(r"[(\[](ns|us|µs|ms|seconds|sec|s)[)\]]\D*" + NUMBER)


def pack(source, target, wanted):
    """Copies the folders; what the manifest says of them."""
    packed = []
    for folder in sorted(source.iterdir()):
        if not (folder / "command").is_file() or not wanted(folder.name):
            continue
        shutil.copytree(folder, target / folder.name)
        packed.append({"name": folder.name, "command": (folder / "command").read_text().strip()})
    if not packed:
        raise SystemExit(f"error: {source}: found no folder with a file 'command'")
    return packed


def rivalOf(command):
    """The command with nvcc's program, which may not be there."""
    words = shlex.split(command)
    return [words[0] + ".nvcc", *words[1:]]


def times(output):
    """(what, seconds) of each line that tells a time."""
    found = []
    for line in output.splitlines():
        if not re.search(r"time|kernel|elapsed|average|took", line, re.IGNORECASE):
            continue
        behind, before = BEHIND.search(line), BEFORE.search(line)
        if behind:
            value, unit = behind.group(1), behind.group(2)
        elif before:
            value, unit = before.group(2), before.group(1)
        else:
            continue
        found.append((re.sub(NUMBER, "#", line).strip()[:60], float(value) * UNITS[unit]))
    return found


def ratio(ours, theirs):
    """nvcc's time / ours, the geometric mean over the lines that all outputs have; None
    where there is nothing to compare."""
    tables = [times(output) for output in ours], [times(output) for output in theirs]
    count = min((len(table) for side in tables for table in side), default=0)
    ratios = []
    for line in range(count):
        own, other = (statistics.median(table[line][1] for table in side) for side in tables)
        if own > 0 and other > 0:
            ratios.append(other / own)
    return geometricMean(ratios) if ratios else None


def geometricMean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def runBoth(command, folder, environment, repeats, timeout):
    """Ours once to fill the cache, then both in turn. Status, and the ratio or None."""
    own, rival = shlex.split(command), rivalOf(command)
    first = process.execute(own, environment, folder, timeout)
    if first.code != 0:
        return ("timeout" if first.code is None else "fail"), None
    if not (folder / rival[0]).exists():
        return "pass", None
    outputs = [], []
    for _ in range(repeats):
        for command, kept in ((rival, outputs[1]), (own, outputs[0])):
            run = process.execute(command, environment, folder, timeout)
            if run.code != 0:
                return ("fail" if command is own else "pass"), None
            kept.append(run.output)
    return "pass", ratio(*outputs)
