# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether ptxas takes what the PTX target makes:

    assemble.py [--include FOLDER] [--turns] FILE...

The kernels of each file (hetIR, or CUDA, which is compiled first: once for each line
`// FLAGS:` of its head) are assembled for every architecture; with --turns for one, in
turn, so that many files cost less. An `-arch` among the flags is the oldest one that will
do; so is that of a line `// OLDEST:`. A file whose head says `// NOT-YET:` or `// MAY-REFUSE:` may be refused by hetcc.
"""

import argparse
import itertools
import pathlib
import re
import shlex
import sys
import tempfile

import ptxas

HEAD_LINES = 20


class Source:
    def __init__(self, path):
        self.path = path
        self.head = path.read_text().splitlines()[:HEAD_LINES]

    def values(self, key):
        return [line.split(":", 1)[1] for line in self.head if line.startswith("// %s:" % key)]

    def variants(self):
        """(hetIR or a package's future name, flags of hetcc or None)."""
        if self.path.suffix != ".cu":
            return [(self.path, None)]
        flags = self.values("FLAGS") or [""]
        return [("%s-%d.hetpkg" % (self.path.stem, n), shlex.split(text)) for n, text in enumerate(flags)]

    def mayBeRefused(self):
        return bool(self.values("NOT-YET") or self.values("MAY-REFUSE"))


def oldest(flags):
    found = re.search(r"-arch=(?:sm|compute)_(\d+)", " ".join(flags))
    return int(found[1]) if found else 0


class Assembler:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.turn = itertools.cycle(ptxas.ARCHITECTURES)
        self.count = self.refused = 0
        self.failures = []

    def architectures(self, flags):
        known = [arch for arch in ptxas.ARCHITECTURES if int(arch[3:]) >= oldest(flags)]
        if not self.options.turns:
            return known
        return [next(arch for arch in self.turn if arch in known)]

    def compile(self, source, name, flags):
        """The package, or null where it may be refused and is, or has no kernels."""
        package = self.folder / name
        include = ["-I", self.options.include] if self.options.include else []
        command = ["hetcc", "--het-emit=hetpkg", *include, *flags, str(source.path), "-o", str(package)]
        try:
            ptxas.run(command, "hetcc %s %s" % (source.path, " ".join(flags)))
        except ptxas.Failed:
            if not source.mayBeRefused():
                raise
            self.refused += 1
            return None
        shown = ptxas.run(["hetpkg", "show", str(package)], "hetpkg show %s" % package).stdout
        return None if b"\n0 kernels\n" in shown else package

    def assemble(self, path):
        source = Source(path)
        for name, flags in source.variants():
            package = name if flags is None else self.compile(source, name, flags)
            limits = (flags or []) + ["-arch=" + arch.strip() for arch in source.values("OLDEST")]
            for arch in self.architectures(limits) if package else []:
                for kernel, text in ptxas.lower(package, arch):
                    ptxas.assemble(kernel, text, arch)
                    self.count += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--include")
    parser.add_argument("--turns", action="store_true")
    with tempfile.TemporaryDirectory() as folder:
        options = parser.parse_args()
        all = Assembler(options, pathlib.Path(folder))
        for file in options.files:
            try:
                all.assemble(file)
            except ptxas.Failed as failure:
                all.failures.append(str(failure))
    for failure in all.failures:
        print("error: " + failure)
    print("assembled: %d, %d refused by hetcc, %d failures" % (all.count, all.refused, len(all.failures)))
    return 1 if all.failures or not all.count else 0


if __name__ == "__main__":
    sys.exit(main())
