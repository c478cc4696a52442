# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Of a SPIR-V artifact (lib/Target/SPIRV/SPIRVArtifact.h) on the standard input: its
# module, or with `form` which form its kernel has taken.

import struct
import sys

data = sys.stdin.buffer.read()
flags = struct.unpack_from("<I", data, 24)[0]
if sys.argv[1:] == ["form"]:
    print({0: "native", 1: "segmented", 2: "flat", 6: "split"}[flags & 7])
else:
    sys.stdout.buffer.write(data[data.index(struct.pack("<I", 0x07230203)) :])
