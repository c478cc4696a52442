# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# newer-version.py IN OUT: makes bytecode of hetIR 0.7 say that it is of 0.9. The
# version is a section (kind 7) of two bytes, each a number n written as 2n + 1.

import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
old, new = bytes([7, 5, 1, 15]), bytes([7, 5, 1, 19])
if data.count(old) != 1:
    sys.exit(f"found {data.count(old)} version sections of 0.7, expected 1")
with open(sys.argv[2], "wb") as file:
    file.write(data.replace(old, new))
