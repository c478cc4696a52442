# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks each script of a folder for its help, and gives it an option that it can not know:
options.py FOLDER. They run in a copy of the folder, where there is nothing to change."""

import pathlib
import subprocess
import sys


def run(script, option):
    return subprocess.run([script, option], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def faults(script):
    done = run(script, "--help")
    if done.returncode or len(done.stdout.split()) < 8:
        yield f"--help: exit status {done.returncode}, printed {done.stdout + done.stderr!r}"
    if "SPDX" in done.stdout or "set -eu" in done.stdout:
        yield f"--help prints the script itself: {done.stdout!r}"
    done = run(script, "--no-such-option")
    if done.returncode == 0 or "--no-such-option" not in done.stderr:
        yield f"--no-such-option: exit status {done.returncode}, expected an error that names it: {done.stderr!r}"


count, bad = 0, 0
for path in sorted(pathlib.Path(sys.argv[1]).resolve().iterdir()):
    if path.is_file():
        count += 1
        for fault in faults(path):
            bad += 1
            print(f"{path.name}: {fault}")
print(f"options: {count} scripts, {bad or 'no'} faults")
sys.exit(1 if bad else 0)
