#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loops of kernels in NVIDIA's machine code, ours beside nvcc's. Needs no GPU.

    machine-code.py [--arch sm_90] [--most N] SOURCE... [-- FLAG...]

Compiles each source by hetcc and by nvcc with the same flags, has ptxas and nvdisasm make
machine code and its text, and compares the kernels that both have. A loop is told by its
branch back. Of the loops without another inside, the one with the most work is compared:
work is what computes or moves data (products, sums of floating point, loads, stores);
the rest is the cost of getting there. Loops are unrolled differently, so the figure is
instructions for each piece of work: ours through nvcc's above 1 predicts that we lose.
Moves of a matrix unit count as many as they are; wide accesses count by their words.

A line for each kernel, worst first: the figure, instructions and work of both loops, loads
that are under way at once (in a row before the first use), registers.

hetcc, het-lower, nvcc, ptxas and nvdisasm are those on the PATH.
"""

import argparse
import collections
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/Target/PTX/Inputs"))
sys.dont_write_bytecode = True
import ptxas

LABEL = re.compile(r"^(\.L_x_\d+):")
INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]+)\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*)")
TARGET = re.compile(r"`\((\.L_x_\d+)\)")
MEMORY = ("LDG", "STG", "LDS", "STS", "LD", "ST", "LDL", "STL", "ATOM", "ATOMS", "ATOMG", "RED",
          "LDSM", "STSM", "LDGSTS", "TEX", "TLD", "SULD", "SUST")
WORK = MEMORY + ("FFMA", "FADD", "FMUL", "DFMA", "DADD", "DMUL", "HFMA2", "HADD2", "HMUL2", "HMMA",
                 "IMMA", "DMMA", "QMMA", "IDP", "MUFU", "SHFL", "REDUX")
LOADS = ("LDG", "LD")

Line = collections.namedtuple("Line", "operation operands")


class Loop:
    def __init__(self, lines):
        self.lines = lines
        self.work = sum(map(weight, lines))
        self.ahead = loadsAhead(lines)

    def cost(self):
        return len(self.lines) / self.work if self.work else 0


def name(line):
    return line.operation.split(".")[0]


def weight(line):
    """0 also of a constant that ptxas adds to a product of nothing, to move it."""
    if name(line) not in WORK or "-RZ, RZ" in line.operands:
        return 0
    wide = re.search(r"\.(64|128)\b", line.operation)
    return int(wide[1]) // 32 if wide and name(line) in MEMORY else 1


def loadsAhead(lines):
    """The most loads from global memory in a row of which none is used yet."""
    best, waiting = 0, []
    for line in lines:
        operands = line.operands.split(",")
        used = re.findall(r"\bR\d+", ",".join(operands[1:]) if name(line)[:2] != "ST" else line.operands)
        if any(register in used for register in waiting):
            waiting = []
        if name(line) in LOADS:
            waiting += re.findall(r"^\s*(R\d+)", operands[0])
            best = max(best, len(waiting))
    return best


def loopsOf(text):
    """kernel -> its loops that have none inside."""
    kernels, lines, labels = {}, [], {}
    kernel = None
    for row in text.splitlines():
        if entry := ptxas.ENTRY.match(row):
            kernel, lines, labels = entry[1], [], {}
            kernels[kernel] = []
        elif label := LABEL.match(row):
            labels[label[1]] = len(lines)
        elif kernel and (found := INSTRUCTION.match(row)):
            lines.append(Line(found[2], found[3]))
            target = TARGET.search(found[3])
            if name(lines[-1]) == "BRA" and target and target[1] in labels:
                kernels[kernel].append((labels[target[1]], len(lines), lines))
    return {kernel: [Loop(lines[first:last]) for first, last, lines in found
                     if not any(first <= other and end < last or first < other and end <= last
                                for other, end, _ in found)]
            for kernel, found in kernels.items()}


def ours(source, arch, flags, folder):
    package = folder / "ours.hetpkg"
    ptxas.run(["hetcc", *flags, "--het-emit=hetpkg", "-arch=" + arch, str(source), "-o", str(package)],
              "hetcc %s" % source)
    found = {}
    for kernel, text in ptxas.lower(package, arch):
        (folder / "ours.ptx").write_bytes(text)
        ptxas.run(["ptxas", "-arch=" + arch, str(folder / "ours.ptx"), "-o", str(folder / "ours.cubin")],
                  "ptxas, kernel %s" % kernel)
        found[kernel] = loopsOf(ptxas.disassemble(folder / "ours.cubin")).get(kernel, [])
    return found


def nvccs(source, arch, flags, folder):
    ptxas.run(["nvcc", *flags, "-arch=" + arch, "-cubin", str(source), "-o", str(folder / "nvcc.cubin")],
              "nvcc %s" % source)
    return loopsOf(ptxas.disassemble(folder / "nvcc.cubin"))


def common(kernel):
    """The name without what says that it is the file's own, which nvcc leaves away."""
    return re.sub(r"^_ZL(?=\d)", "_Z", kernel)


def largest(loops):
    return max(loops, key=lambda loop: loop.work, default=None)


def compare(source, arch, flags):
    """(figure, kernel, our loop, nvcc's loop)"""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        own = {common(name): loops for name, loops in ours(source, arch, flags, pathlib.Path(folder)).items()}
        theirs = {common(name): loops for name, loops in nvccs(source, arch, flags, pathlib.Path(folder)).items()}
    for kernel in own:
        a, b = largest(own[kernel]), largest(theirs.get(kernel, []))
        if a and b and a.work and b.work:
            rows.append((a.cost() / b.cost(), kernel, a, b))
        elif kernel in theirs and bool(a) != bool(b):
            rows.append((0, kernel, a, b))
    return rows


def text(loop):
    return "%4d/%-4d %2d" % (len(loop.lines), loop.work, loop.ahead) if loop else "     none   "


def main():
    parser = argparse.ArgumentParser(description="loops of our machine code beside nvcc's")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--most", type=int, default=0, help="kernels that are printed; all")
    parser.add_argument("source", nargs="+")
    own = sys.argv[1:]
    flags = own[own.index("--") + 1:] if "--" in own else ["-O3"]
    options = parser.parse_args(own[:own.index("--")] if "--" in own else own)
    rows = []
    for source in options.source:
        try:
            rows += compare(source, options.arch, flags)
        except ptxas.Failed as failure:
            print("error: %s" % failure, file=sys.stderr)
    rows.sort(key=lambda row: -row[0])
    print("ours/nvcc   ours: instructions/work, loads ahead   nvcc's   kernel")
    for figure, kernel, a, b in rows[:options.most or None]:
        print("%9.2f   %s   %s   %s" % (figure, text(a), text(b), kernel))
    return 0


if __name__ == "__main__":
    sys.exit(main())
