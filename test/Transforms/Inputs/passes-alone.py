# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# passes-alone.py HET-OPT FOLDER PASS...
#
# Runs each pass alone over each .mlir file below a folder, and says which ones crash.

import pathlib
import subprocess
import sys

tool, folder, passes = sys.argv[1], sys.argv[2], sys.argv[3:]
files = sorted(pathlib.Path(folder).rglob("*.mlir"))
crashes = 0
for file in files:
    for each in passes:
        command = [tool, str(file), "--split-input-file", each, "-o", "/dev/null"]
        run = subprocess.run(command, capture_output=True)
        if run.returncode not in (0, 1):
            crashes += 1
            print("%s %s: exit status %d" % (file, each, run.returncode))
print("no pass crashes" if files and not crashes else "%d crashes" % crashes)
