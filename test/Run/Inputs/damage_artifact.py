# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes a byte of each artifact of a package: damage_artifact.py FILE."""

import json
import subprocess
import sys

path = sys.argv[1]
shown = subprocess.run(["hetpkg", "show", "--json", path], capture_output=True, check=True)
(package,) = json.loads(shown.stdout)["packages"]
with open(path, "r+b") as file:
    data = bytearray(file.read())
    for section in package["sections"]:
        if section["type"] == "artifact":
            data[section["offset"] + section["storedSize"] // 2] ^= 1
    file.seek(0)
    file.write(data)
