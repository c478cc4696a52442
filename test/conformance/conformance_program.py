# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a program of the conformance suite, once for all tests that run it.

    conformance_program.py NAME -o OUTPUT [--root SUITE] [--folder FOLDER] [-- FLAG...]

NAME is a path in the suite without .cu: sync/grid_sync. OUTPUT becomes another name of the
program, which lies in FOLDER. It is built anew when its sources, the tools of the build or
CUDA's headers are newer.
"""

import argparse
import fcntl
import hashlib
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys

LIMIT = 300  # seconds for one compilation
HEAD_LINES = 20  # lines that say how to build and run stand this near to the beginning


def runCommand(command, environment, folder, seconds):
    """Runs a command in its own process group and ends all of it in time.
    Returns its exit code (None if it ran too long) and its output."""
    process = subprocess.Popen(
        command,
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return None, output.decode(errors="replace")


def newest(folder):
    return max((file.stat().st_mtime_ns for file in pathlib.Path(folder).rglob("*") if file.is_file()), default=0)


def age(source, suite, hetcc):
    """When the last of what goes into a program was changed."""
    prefix = pathlib.Path(hetcc).resolve().parents[1]
    parts = [*sourcesOf(source), hetcc, prefix / "lib" / "libhetrt.so", prefix / "lib" / "het" / "devicelib.bc"]
    times = [os.stat(part).st_mtime_ns for part in parts if os.path.exists(part)]
    headers = pathlib.Path(suite).parents[1] / "runtime" / "include"
    return max(*times, newest(pathlib.Path(suite) / "Inputs"), newest(headers))


def sourcesOf(source):
    """A program's files: itself, and those of a line `// ALSO:`, by their paths from its
    folder."""
    files = [str(source)]
    with open(source, encoding="utf-8") as file:
        for _, line in zip(range(HEAD_LINES), file):
            if line.startswith("// ALSO:"):
                files += [os.path.join(os.path.dirname(source), name) for name in line[len("// ALSO:") :].split()]
    return files


def build(source, suite, flags, folder, environment):
    """The path of the program, and what went wrong if something did."""
    command = ["hetcc", *flags, "-I", str(suite), *sourcesOf(source)]
    key = hashlib.sha256(shlex.join(command).encode()).hexdigest()[:12]
    name = os.path.splitext(os.path.relpath(source, suite))[0].replace(os.sep, "-")
    program = os.path.join(folder, f"{name}-{key}")
    os.makedirs(folder, exist_ok=True)
    hetcc = shutil.which("hetcc", path=environment["PATH"])
    if not hetcc:
        return program, "hetcc: found none in PATH"
    stamp = f"{hetcc} {age(source, suite, hetcc)}"
    with open(program + ".stamp", "a+", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if lock.read() == stamp and os.path.exists(program):
            return program, None
        lock.truncate(0)
        code, output = runCommand([*command, "-o", program], environment, folder, LIMIT)
        if code != 0:
            return program, shlex.join(command) + "\n" + output
        lock.write(stamp)
    return program, None


def main():
    suite = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("-o", required=True, dest="output")
    parser.add_argument("--folder", required=True)
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:end])
    source = suite / (options.name + ".cu")
    if not source.exists():
        sys.exit(f"error: found no {source}")
    program, problem = build(source, suite, words[end + 1 :], options.folder, dict(os.environ))
    if problem:
        sys.exit(problem)
    if os.path.lexists(options.output):
        os.remove(options.output)
    os.link(program, options.output)


if __name__ == "__main__":
    main()
