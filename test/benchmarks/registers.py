#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers and spills of a fixed set of kernels on NVIDIA, ours and nvcc's.

    registers.py --record     measures both (needs nvcc); writes registers.csv beside this
                              file and the table in docs/results/nvidia.md
    registers.py --check      measures ours (needs ptxas); the exit status is 1 where a
                              kernel spills, or takes more registers than nvcc's record
                              and MARGIN allow
    registers.py              measures ours and prints

hetcc and het-lower are those on the PATH.
"""

import csv
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "test/Target/PTX/Inputs"))
sys.dont_write_bytecode = True
import ptxas

SOURCES = [HERE / "Kernels.cu", HERE / "Typical.cu", ROOT / "examples/mandelbrot/mandelbrot.cu",
           ROOT / "examples/matmul_shared/matmul_shared.cu"]
RECORD = HERE / "registers.csv"
PAGE = ROOT / "docs/results/nvidia.md"
TITLE = "## Registers and spills"
FLAGS = ["-O3", "-std=c++17"]


def allowed(theirs):
    """MARGIN: half as much again as nvcc's and 8, for loops are unrolled differently; up
    to 32 registers a multiprocessor holds as many threads as it can."""
    return max(32, theirs * 3 // 2 + 8)


def ours():
    """(kernel, arch) -> Usage"""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for source in SOURCES:
            package = pathlib.Path(folder) / (source.stem + ".hetpkg")
            ptxas.run(["hetcc", *FLAGS, "--het-emit=hetpkg", str(source), "-o", str(package)],
                      "hetcc %s" % source)
            for arch in ptxas.ARCHITECTURES:
                for kernel, text in ptxas.lower(package, arch):
                    found[kernel, arch] = ptxas.assemble(kernel, text, arch)
    return found


def nvccs():
    found = {}
    for source in SOURCES:
        for arch in ptxas.ARCHITECTURES:
            with tempfile.TemporaryDirectory() as folder:
                done = ptxas.run(["nvcc", *FLAGS, "-arch=" + arch, "-cubin", "-Xptxas", "-v", str(source),
                                  "-o", folder + "/kernels.cubin"], "nvcc %s" % source)
            for part in done.stderr.decode().split("Compiling entry function ")[1:]:
                found[re.match(r"'(\w+)'", part)[1], arch] = ptxas.Usage(part)
    return found


def short(kernel):
    """The name in a mangled name."""
    found = re.match(r"_Z(\d+)", kernel)
    return kernel[found.end():found.end() + int(found[1])] if found else kernel


def kernels(found):
    return list(dict.fromkeys(kernel for kernel, _ in found))


def table(own, theirs):
    lines = [TITLE, "",
             "Of kernels of our own (`test/benchmarks/registers.py`), hetcc / nvcc 13.0 at `-O3`, both by the same",
             "`ptxas`. Nothing spills%s." % ("" if not any(u.spills for u in own.values()) else
                                             " but what is marked (bytes)"), "",
             "| kernel | " + " | ".join(ptxas.ARCHITECTURES) + " |",
             "|---|" + "---:|" * len(ptxas.ARCHITECTURES)]
    for kernel in kernels(own):
        cells = []
        for arch in ptxas.ARCHITECTURES:
            a, b = own[kernel, arch], theirs[kernel, arch]
            spills = " (%d / %d)" % (a.spills, b.spills) if a.spills or b.spills else ""
            cells.append("%d / %d%s" % (a.registers, b.registers, spills))
        lines.append("| `%s` | %s |" % (short(kernel), " | ".join(cells)))
    return "\n".join(lines) + "\n"


def writePage(text):
    """In place of the section that is there, else at the end."""
    page = PAGE.read_text()
    before, found, after = page.partition(TITLE)
    rest = re.search(r"^## ", after, re.MULTILINE) if found else None
    PAGE.write_text(before.rstrip() + "\n\n" + text + ("\n" + after[rest.start():] if rest else ""))


def record():
    own, theirs = ours(), nvccs()
    with open(RECORD, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("kernel", "arch", "nvcc registers", "nvcc spill bytes"))
        for (kernel, arch), usage in theirs.items():
            writer.writerow((kernel, arch, usage.registers, usage.spills))
    writePage(table(own, theirs))
    return 0


def check():
    with open(RECORD, newline="") as file:
        rows = list(csv.reader(file))[1:]
    theirs = {(kernel, arch): int(registers) for kernel, arch, registers, _ in rows}
    own = ours()
    wrong = ["%s for %s: there is no record; registers.py --record makes one" % key
             for key in own if key not in theirs]
    wrong += ["%s for %s: recorded, but no longer compiled" % key for key in theirs if key not in own]
    for (kernel, arch), usage in own.items():
        limit = allowed(theirs.get((kernel, arch), 0))
        if usage.spills:
            wrong.append("%s for %s: found %d bytes of spills, expected none" % (kernel, arch, usage.spills))
        if usage.registers > limit:
            wrong.append("%s for %s: found %d registers, expected at most %d" %
                         (kernel, arch, usage.registers, limit))
    for text in wrong:
        print("error: " + text)
    print("registers: %d checked, %d wrong" % (len(own), len(wrong)))
    return 1 if wrong or not own else 0


def main():
    choice = sys.argv[1:]
    if choice == ["--record"]:
        return record()
    if choice == ["--check"]:
        return check()
    if choice:
        raise SystemExit(__doc__)
    for (kernel, arch), usage in ours().items():
        print("%-24s %-7s %3d registers, %d bytes of spills" % (short(kernel), arch, usage.registers, usage.spills))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ptxas.Failed as failure:
        raise SystemExit("error: %s" % failure)
