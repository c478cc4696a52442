# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that tests whose times lit is told (TEST/.lit_test_times.txt) are there, each once.
Those of the conformance suite have a device behind their source's name."""

import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
names = [line.split(maxsplit=1)[1] for line in (folder / ".lit_test_times.txt").read_text().splitlines()]
faults = [f"{name}: told twice" for name in sorted(set(names)) if names.count(name) > 1]
for name in names:
    source = folder / name
    if not (source.parent if name.startswith("conformance/") else source).is_file():
        faults.append(f"{name}: there is no such test")
print("\n".join(faults) or f"times: {len(names)} tests, no faults")
sys.exit(1 if faults else 0)
