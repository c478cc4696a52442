# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a .hetckpt from docs/spec/hetckpt.md alone: hetckpt.py OUT [CHANGE=VALUE...].

The checkpoint has one package, a parked launch of 4 blocks of 8x2 threads with a
waiting one behind it, and two regions. Each change makes it another one.
"""

import hashlib
import struct
import sys

MASK = (1 << 64) - 1
P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def rotate(value, by):
    return (value << by | value >> (64 - by)) & MASK


def step(lane, word):
    return rotate((lane + word * P2) & MASK, 31) * P1 & MASK


def xxh64(data):
    """XXH64 with seed 0."""
    at = 0
    if len(data) >= 32:
        lanes = [(P1 + P2) & MASK, P2, 0, -P1 & MASK]
        while len(data) - at >= 32:
            words = struct.unpack_from("<4Q", data, at)
            lanes = [step(lane, word) for lane, word in zip(lanes, words)]
            at += 32
        total = sum(rotate(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            total = ((total ^ step(0, lane)) * P1 + P4) & MASK
    else:
        total = P5
    total = (total + len(data)) & MASK
    while len(data) - at >= 8:
        word = struct.unpack_from("<Q", data, at)[0]
        total = (rotate(total ^ step(0, word), 27) * P1 + P4) & MASK
        at += 8
    if len(data) - at >= 4:
        word = struct.unpack_from("<I", data, at)[0]
        total = (rotate(total ^ (word * P1 & MASK), 23) * P2 + P3) & MASK
        at += 4
    for byte in data[at:]:
        total = rotate(total ^ (byte * P5 & MASK), 11) * P1 & MASK
    total = (total ^ total >> 33) * P2 & MASK
    total = (total ^ total >> 29) * P3 & MASK
    return total ^ total >> 32


def blob(data):
    return struct.pack("<I", len(data)) + data


def listing(items):
    return struct.pack("<I", len(items)) + b"".join(items)


def up(size, to):
    return (size + to - 1) // to * to


class Launch:
    """8x2 threads, 12 bytes a thread, 20 bytes of static and 8 of dynamic shared."""

    def __init__(self, stream, kernel, statuses):
        self.stream, self.kernel, self.statuses = stream, kernel, list(statuses)
        self.arguments = bytearray(range(16))
        self.grid, self.layout = [4, 1, 1], 0x1234
        self.parts = up(32 * 12, 128), up(20, 128), up(8, 128)
        self.states = [bytearray(self.state(block)) for block in range(statuses.count(1))]

    def state(self, block):
        threads = struct.pack("<16I", *range(1, 17)) + bytes(4 * 16)
        threads += bytes([block + 1]) * (32 * 8)
        shared = b"s" * 20, b"d" * 8
        return b"".join(part.ljust(size, b"\0")
                        for part, size in zip((threads, *shared), self.parts))

    def record(self):
        runs = []
        for status in self.statuses:
            if runs and runs[-1][0] == status:
                runs[-1][1] += 1
            else:
                runs.append([status, 1])
        return (struct.pack("<II", self.stream, 0) + blob(self.kernel) +
                struct.pack("<6I", *self.grid, 8, 2, 1) + struct.pack("<II", 8, 0) +
                blob(bytes(self.arguments)) + struct.pack("<QQI", self.layout, 12, 20) +
                listing([struct.pack("<BQ", *run) for run in runs]))


class Checkpoint:
    def __init__(self):
        self.chunk, self.device, self.package = 4096, b"host", b"any package"
        self.variable = 0x1000
        self.launches = [Launch(0, b"sum", [2, 1, 1, 0]), Launch(0, b"scan", [0, 0, 0, 0])]
        memory = bytearray(20000)
        memory[:300] = b"\5" * 300
        self.regions = [[0x1000, memory, [(0x1000, 300)]], [0x9000, bytearray(b"\7" * 10), []]]

    def chunks(self):
        """Their table and their bytes."""
        table, stored = [], []
        for data, zeros in ([(b"".join(x.states), False) for x in self.launches] +
                            [(bytes(x[1]), True) for x in self.regions]):
            for at in range(0, len(data), self.chunk):
                piece = data[at:at + self.chunk]
                if zeros and not any(piece):
                    piece = b""
                table.append(struct.pack("<IQ", len(piece), xxh64(piece) if piece else 0))
                stored.append(piece)
        return b"".join(table), b"".join(stored)

    def sections(self):
        regions = [struct.pack("<QQIB", address, len(data), 0, 0) +
                   listing([struct.pack("<QQ", *one) for one in allocations])
                   for address, data, allocations in self.regions]
        table, chunks = self.chunks()
        return [(1, listing([blob(self.device) + struct.pack("<I", 0) + blob(b"")])),
                (3, listing([struct.pack("<II", 0, 0) +
                             listing([struct.pack("<IQ", 0, self.variable)])])),
                (4, listing([launch.record() for launch in self.launches])),
                (5, struct.pack("<I", self.chunk) + listing(regions)),
                (2, self.package), (6, chunks), (7, table)]

    def file(self):
        sections = self.sections()
        offset, table = 160 + 64 * len(sections), b""
        for kind, data in sections:
            digest = bytes(32) if kind == 6 else hashlib.sha256(data).digest()
            table += struct.pack("<IIQQQ", kind, 0, offset, len(data), len(data)) + digest
            offset += len(data)
        header = b"\x89HETCKP\n" + struct.pack("<HHIQII", 1, 0, 160, offset, len(sections), 0)
        header += b"hetckpt.py".ljust(64, b"\0") + hashlib.sha256(table).digest()
        header += hashlib.sha256(header).digest()
        return header + table + b"".join(data for _, data in sections)


def change(checkpoint, name, value):
    """One change; numbers are separated by colons."""
    numbers = [int(word, 0) for word in value.split(":") if word[:1].isdigit()]
    first = checkpoint.launches[0]
    if name in ("chunk", "variable"):
        setattr(checkpoint, name, numbers[0])
    elif name in ("device", "package"):
        setattr(checkpoint, name, value.encode())
    elif name == "byte":  # region:offset:value
        checkpoint.regions[numbers[0]][1][numbers[1]] = numbers[2]
    elif name == "split":  # region:offset
        address, data, allocations = checkpoint.regions[numbers[0]]
        checkpoint.regions[numbers[0]:numbers[0] + 1] = [
            [address, data[:numbers[1]], allocations],
            [address + numbers[1], data[numbers[1]:], []]]
    elif name == "allocation":  # size
        checkpoint.regions[0][2] = [(0x1000, numbers[0])]
    elif name == "drop":  # the last launch or region
        (checkpoint.launches if value == "launch" else checkpoint.regions).pop()
    elif name == "kernel":
        first.kernel = value.encode()
    elif name == "argument":  # offset:value
        first.arguments[numbers[0]] = numbers[1]
    elif name == "grid":
        first.grid = numbers
    elif name == "layout":
        first.layout = numbers[0]
    elif name == "status":  # block:status, of a block that is not parked
        first.statuses[numbers[0]] = numbers[1]
    elif name == "pc":  # parked block:thread:pc
        struct.pack_into("<I", first.states[numbers[0]], 4 * numbers[1], numbers[2])
    elif name == "state":  # parked block:offset:value
        first.states[numbers[0]][numbers[1]] = numbers[2]
    else:
        sys.exit(f"no change {name}")


def main():
    checkpoint = Checkpoint()
    for argument in sys.argv[2:]:
        change(checkpoint, *argument.split("=", 1))
    with open(sys.argv[1], "wb") as out:
        out.write(checkpoint.file())


main()
