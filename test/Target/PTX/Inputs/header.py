# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the headers of het-lower's artifacts for PTX say: header.py FILE."""

import pathlib
import struct
import sys

import ptxas

PARKABLE = 4


def main():
    data = pathlib.Path(sys.argv[1]).read_bytes()
    offset = 0
    while offset < len(data):
        fields = ptxas.HEADER.unpack_from(data, offset)
        _, _, _, name_bytes, _, flags, parameters, code_bytes, layout, thread, shared, _ = fields
        start = offset + ptxas.HEADER.size
        offsets = struct.unpack_from("<%dI" % parameters, data, start)
        name = data[start + 4 * parameters:][:name_bytes].decode()
        kind = "parkable" if flags & PARKABLE else "plain"
        print("%s: parameters %s, %s, layout %d, thread %d, shared %d"
              % (name, list(offsets), kind, layout, thread, shared))
        offset = start + 4 * parameters + name_bytes + code_bytes


main()
