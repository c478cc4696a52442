# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# not timed: how long to look is the caller's choice
#
# Shrinks the program of a seed while it keeps failing in the same manner:
#
#   reduce.py --seed N --configurations reference,debug -o small.cu
#
# The generator's tree is edited, so every candidate is a whole program: statements
# are removed in ever smaller runs, statements are replaced by the blocks within
# them, expressions by their operands or constants, and parts of the prelude are
# dropped. A candidate counts only if it fails as the program did: the same class
# and configuration, and for a crash or error the same message. It must also stay
# well defined: the reference has to run it, and to the same end in each order.

import argparse
import pathlib
import re
import tempfile
import time

from generate import DEFAULT_SIZE, source
from program import Generator
from toolchain import Configuration, Toolchain, configuration
from tree import Block, Stmt, blocksOf, expressionsOf
from scalars import simplest

CHECKS = ("reference", "reference-reverse", "reference-mixed")


class Reducer:
    """A program, what is wrong with it, and how often it was tried."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.tools = Toolchain(folder, options.hetcc, options.timeout)
        self.block = Generator(options.seed, options.size).program()
        prelude = (pathlib.Path(__file__).parent / "prelude.cuh").read_text()
        self.prelude = prelude.split("\n\n")
        self.names = options.configurations.split(",")
        self.tries = 0
        self.manner = None
        self.began = time.time()
        self.manner = self.failure()

    def text(self):
        return source({self.options.seed: self.block}, "\n\n".join(self.prelude) + "\n")

    def outcome(self, file, name):
        """What a configuration prints, or the class of its failure and a message."""
        config = configuration(name)
        program = self.folder / ("program-" + name.replace(":", "-"))
        if self.manner and self.manner[1].startswith("compile") and self.manner[0] == name:
            # The host's code does not matter.
            config = Configuration(config.compiler, config.options + ["--het-emit=hetpkg"], {})
            return None, self.normalised(self.tools.compile(file, config, program))
        wrong = self.tools.compile(file, config, program)
        if not wrong:
            lines, wrong = self.tools.run(program, config)
        if wrong:
            return None, self.normalised(wrong)
        return lines.get(self.options.seed), None

    def normalised(self, wrong):
        """A failure whose message does not depend on names and numbers of the program."""
        return wrong and (wrong[0], re.sub(r"0x[0-9a-f]+|\d+", "N", wrong[1]))

    def failure(self):
        """The manner of the failure, None if there is none or the program is not well defined."""
        self.tries += 1
        file = self.folder / "candidate.cu"
        file.write_text(self.text())
        self.tools.clearCache()
        expected = None
        for name in self.names:
            found, wrong = self.outcome(file, name)
            if wrong and name not in CHECKS:
                return (name,) + wrong if self.sound(file) else None
            if wrong:
                return None
            if expected is not None and found != expected:
                return (name, "difference", "") if self.sound(file) else None
            expected = found
        return None

    def sound(self, file):
        """Whether the reference runs the program, to the same end in each order."""
        if self.options.unchecked:
            return True
        program = self.folder / "reference"
        if self.tools.compile(file, configuration(CHECKS[0]), program):
            return False
        found = []
        for name in CHECKS:
            lines, wrong = self.tools.run(program, configuration(name))
            found.append(lines.get(self.options.seed))
            if wrong:
                return False
        return found == found[:1] * len(CHECKS)

    def inTime(self):
        return time.time() - self.began < self.options.minutes * 60

    def accept(self, holder, first, last, replacement):
        """Replaces a slice of a list if the program still fails in the same manner."""
        old = holder[first:last]
        if not replacement and any(isinstance(item, Stmt) and item.kind == "return" for item in old):
            return False
        holder[first:last] = replacement
        if self.inTime() and self.failure() == self.manner:
            return True
        holder[first:first + len(replacement)] = old
        return False

    # The edits.

    def removeStatements(self):
        changed = False
        for block in blocksOf(self.block):
            changed |= self.removeRuns(block.items)
        return changed

    def removeRuns(self, items):
        changed = False
        length = max(len(items), 1)
        while length >= 1:
            at = max(len(items) - length, 0)
            while at >= 0 and items:
                changed |= self.accept(items, at, min(at + length, len(items)), [])
                if at == 0:
                    break
                at = max(at - length, 0)
            length //= 2
        return changed

    def unwrapStatements(self):
        changed = False
        for block in blocksOf(self.block):
            i = 0
            while i < len(block.items):
                item = block.items[i]
                for inner in item.blocks() if item.kind != "function" else ():
                    if self.accept(block.items, i, i + 1, list(inner.items)):
                        changed = True
                        break
                else:
                    i += 1
        return changed

    def simplifyExpressions(self):
        changed = False
        known = 0
        while True:
            places = expressionsOf(self.block)
            if known >= len(places):
                return changed
            parts, i = places[known]
            changed |= self.simplify(parts, i)
            known += 1

    def simplify(self, parts, i):
        here = parts[i]
        if len(here.parts) == 1 and isinstance(here.parts[0], str) and re.match(r"[\w.()]*$", here.parts[0]):
            return False
        choices = [o for o in here.operands() if o.type is here.type]
        if here.type == "bool":
            choices = ["true", "false"] + choices
        elif here.type is not None:
            choices = simplest(here.type) + choices
        for choice in choices:
            if not isinstance(choice, str):
                new = choice
            else:
                new = type(here)(here.type, choice)
            if self.accept(parts, i, i + 1, [new]):
                return True
        return False

    def reduce(self):
        changed = True
        while changed and self.inTime():
            changed = self.removeStatements()
            changed |= self.unwrapStatements()
            changed |= self.simplifyExpressions()
        self.removeRuns(self.prelude)


def main():
    parser = argparse.ArgumentParser(description="Shrinks the failing program of a seed.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--size", type=int, default=DEFAULT_SIZE, help="the size that the program was made with")
    parser.add_argument("--configurations", required=True, help="as for run.py: the first is compared with")
    parser.add_argument("--hetcc", default="hetcc", help="the compiler")
    parser.add_argument("--timeout", type=int, default=10, help="seconds for a run")
    parser.add_argument("--minutes", type=float, default=20, help="stop after this time")
    parser.add_argument("--unchecked", action="store_true", help="do not ask the reference whether it is well defined")
    parser.add_argument("--recursive-teams", action="store_true", help="as for run.py")
    parser.add_argument("--idioms", action="store_true", help="as for run.py")
    parser.add_argument("-o", dest="output", required=True)
    options = parser.parse_args()
    Generator.recursiveTeams = options.recursive_teams
    Generator.idioms = options.idioms
    with tempfile.TemporaryDirectory(prefix="hetcc-random.") as folder:
        reducer = Reducer(options, folder)
        if not reducer.manner:
            raise SystemExit("error: seed %d: found no failure, expected one; check the size and the configurations"
                             % options.seed)
        print("%s: %s %s" % reducer.manner, flush=True)
        before = len(reducer.text())
        reducer.reduce()
        pathlib.Path(options.output).write_text(reducer.text())
        print("%d characters of %d after %d tries" % (len(reducer.text()), before, reducer.tries))


if __name__ == "__main__":
    main()
