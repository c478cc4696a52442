# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that two programs differ in digests of their package and in its signatures alone."""

import sys

before, after = (open(path, "rb").read() for path in sys.argv[1:3])
assert len(before) == len(after), (len(before), len(after))
begin = before.index(b"\x89HETPKG\n\x01\x00")
size = int.from_bytes(before[begin + 16:begin + 24], "little")
sections = int.from_bytes(before[begin + 24:begin + 28], "little")
table_end = begin + 160 + 64 * sections
changed = {at for at, (a, b) in enumerate(zip(before, after)) if a != b}
allowed = (set(range(begin + 96, begin + 160)) | set(range(table_end - 32, table_end)) |
           set(range(begin + size - 776, begin + size)))
assert changed and changed <= allowed, sorted(changed - allowed)[:10]
