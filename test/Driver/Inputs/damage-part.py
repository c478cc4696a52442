# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links an object whose device part is damaged, in many ways.

    damage-part.py OBJECT OTHER
"""

import subprocess
import sys

OBJECT, OTHER = sys.argv[1:]
PLACES = 24

with open(OBJECT, "rb") as file:
    whole = file.read()
start = whole.index(b"\x89HETPKG\n")
size = int.from_bytes(whole[start + 16 : start + 24], "little")
damaged = []
for i in range(PLACES):
    changed = bytearray(whole)
    changed[start + 8 + i * (size - 9) // PLACES] ^= 1 << i % 8
    damaged.append(bytes(changed))
damaged += [whole[: len(whole) * i // 8] for i in range(1, 8)]
for number, contents in enumerate(damaged):
    with open("damaged.o", "wb") as file:
        file.write(contents)
    run = subprocess.run(
        ["hetcc", "-dlink", "damaged.o", OTHER, "-o", "damaged.link.o"], capture_output=True, text=True, check=False
    )
    if run.returncode != 1 or "damaged.o" not in run.stderr:
        sys.exit(f"damage {number}: exit status {run.returncode}\n{run.stderr}")
print(f"{len(damaged)} damaged objects: all refused")
