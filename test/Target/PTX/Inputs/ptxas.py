# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From sources to what ptxas says of their kernels, and their machine code. Shared by
assemble.py and the benchmarks registers.py, machine-code.py and function-code.py."""

import pathlib
import re
import struct
import subprocess
import tempfile

HEADER = struct.Struct("<QIIIIIIQQQII")  # lib/Target/PTX/PTXArtifact.h
# With about the oldest PTX that a driver for them may have (8.1: large parameters).
ARCHITECTURES = {"sm_75": "ptx81", "sm_80": "ptx81", "sm_90": "ptx81", "sm_100": "ptx86"}
USED = re.compile(r"Used (\d+) registers")
STORED = re.compile(r"(\d+) bytes spill stores")
LOADED = re.compile(r"(\d+) bytes spill loads")
ENTRY = re.compile(r"^\.text\.(\S+):")  # where a kernel begins in what disassemble() gives


class Failed(Exception):
    """A tool's refusal; the text says whose and of what."""


def run(command, what):
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        raise Failed("%s: %s" % (what, done.stderr.decode(errors="replace").strip()[-800:]))
    return done


def lower(file, arch):
    """(kernel, PTX) of each kernel in hetIR or a package."""
    command = ["het-lower", "--target=ptx", "--arch=%s;%s" % (arch, ARCHITECTURES[arch]), str(file)]
    data = run(command, "het-lower %s for %s" % (file, arch)).stdout
    offset, kernels = 0, []
    while offset < len(data):
        _, _, _, nameBytes, _, _, parameters, codeBytes, *_ = HEADER.unpack_from(data, offset)
        name = offset + HEADER.size + 4 * parameters
        code = name + nameBytes
        offset = code + codeBytes
        kernels.append((data[name:code].decode(), data[code:offset].rstrip(b"\0")))
    if not kernels:
        raise Failed("het-lower %s: it has no kernel" % file)
    return kernels


class Usage:
    """What a kernel takes of a multiprocessor, as ptxas -v prints it."""

    def __init__(self, said):
        self.registers = int(USED.search(said)[1])
        self.spills = max(int(STORED.search(said)[1]), int(LOADED.search(said)[1]))


def assemble(kernel, text, arch):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "kernel.ptx"
        source.write_bytes(text)
        done = run(["ptxas", "-v", "-arch=" + arch, str(source), "-o", str(source.with_suffix(".cubin"))],
                   "ptxas, kernel %s for %s" % (kernel, arch))
    return Usage(done.stderr.decode())


def disassemble(file):
    """The text of a cubin's machine code."""
    return run(["nvdisasm", "-c", str(file)], "nvdisasm %s" % file).stdout.decode()
