# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a module with a segment of so many additions, and a function that is none."""

import sys

for name in ("kernel.segment.0", "helper"):
    print(f"define i32 @{name}(i32 %x) {{")
    value = "%x"
    for i in range(int(sys.argv[1])):
        print(f"  %v{i} = add i32 {value}, %x")
        value = f"%v{i}"
    print(f"  ret i32 {value}\n}}")
