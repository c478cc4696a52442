#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a host artifact says of a suspended block's state, and of flushing: state.py FILE."""

import re
import struct
import subprocess
import sys


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    file = sys.argv[1]
    address = int(re.search(r"^(\w+) \w het_kernel$", output("llvm-nm", "-D", file), re.M).group(1), 16)
    for segment in re.finditer(r"LOAD\s+(\w+) (\w+) \w+ (\w+)", output("llvm-readelf", "-lW", file)):
        offset, start, size = (int(number, 16) for number in segment.groups())
        if start <= address < start + size:
            with open(file, "rb") as data:
                data.seek(offset + address - start)
                header = struct.unpack("<4I7QI", data.read(76))  # HetHostKernel
    print(f"layout {header[8]:x} bytes {header[9]} frame {header[4]} {header[5]}")
    print(f"flushes {header[11]}")


main()
