# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# rerun.py HETCC OPTION...: the lines of hetcc --dryrun are run by a shell. Each must show
# itself again, and all together must write what the options write.

import pathlib
import shlex
import subprocess
import sys


def lines(command):
    run = subprocess.run(command, shell=True, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{command}: {run.stderr}")
    shown = [line[3:].strip() for line in run.stderr.splitlines() if line.startswith("#$ ")]
    return [line for line in shown if not line.split("=")[0].isupper() and line[0] != "_"]


def written(command):
    """The files here that a command writes, and what is in them."""
    before = {path: path.stat().st_mtime_ns for path in pathlib.Path().iterdir()}
    run = subprocess.run(command, shell=True, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{command}: {run.stderr}")
    return {path: path.read_bytes() for path in pathlib.Path().iterdir()
            if path.is_file() and before.get(path) != path.stat().st_mtime_ns}


plain = shlex.join(sys.argv[1:])
shown = lines(plain + " --dryrun")
for line in shown:
    if line.startswith("hetcc "):
        again = lines(line + " --dryrun")
        if again != [line]:
            sys.exit(f"shown:       {line}\nshown again: {again}")
expected = written(plain)
found = {}
for line in shown:
    found.update(written(line))
if not expected or found != expected:
    sys.exit(f"{plain}: writes {sorted(expected)}, its lines write {sorted(found)}, or others")
