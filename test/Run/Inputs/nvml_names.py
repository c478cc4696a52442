# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Opens NVML by NVIDIA's name and looks for each function that nvml.h declares.
import ctypes
import pathlib
import re
import sys

library = ctypes.CDLL(sys.argv[1])
missing = []
for part in (pathlib.Path(sys.argv[2]) / "__het").glob("nvml_*.h"):
    for name in re.findall(r"\b(nvml[A-Z]\w+)\(", part.read_text()):
        if not hasattr(library, name):
            missing.append(name)
print("functions without a definition:", " ".join(missing) or "none")
count = ctypes.c_uint()
assert library.nvmlInit() == 0 and library.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0
print("devices:", count.value)
