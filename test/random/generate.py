# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes random CUDA programs: generate.py --seed N [--count K] [--size S] -o FILE.
#
# A file holds the programs of K seeds, each in a namespace of its own. Run without
# arguments it executes all of them, otherwise those of the seeds given, and prints
# a line for each: the seed and a hash of all that its kernels computed.

import argparse
import pathlib
import sys

from program import Generator
from tree import indent

DEFAULT_SIZE = 24


def source(programs, prelude=None):
    """The text of a file with programs, a dictionary from seeds to blocks."""
    if prelude is None:
        prelude = (pathlib.Path(__file__).parent / "prelude.cuh").read_text()
    parts = [prelude]
    for seed, block in programs.items():
        parts.append("namespace p%d {\n%s} // namespace p%d\n" % (seed, block.body(), seed))
    parts.append("#include <cstdlib>\n\nstatic bool wanted(int argc, char **argv, unsigned seed) {\n"
                 "bool found = argc < 2;\nfor (int i = 1; i < argc; ++i)\n"
                 "found = found || strtoul(argv[i], 0, 10) == seed;\nreturn found;\n}\n")
    calls = "".join("if (wanted(argc, argv, %du)) {\nprintf(\"%d %%016llx\\n\", p%d::run());\nfflush(stdout);\n}\n"
                    % (seed, seed, seed) for seed in programs)
    parts.append("int main(int argc, char **argv) {\n%sreturn 0;\n}\n" % calls)
    return parts[0] + "\n" + indent("\n".join(parts[1:]))


def generate(seeds, size=DEFAULT_SIZE):
    """The source of the programs of some seeds."""
    return source({seed: Generator(seed, size).program() for seed in seeds})


def main():
    parser = argparse.ArgumentParser(description="Writes random CUDA programs.")
    parser.add_argument("--seed", type=int, required=True, help="the first program's seed")
    parser.add_argument("--count", type=int, default=1, help="how many programs, of consecutive seeds")
    parser.add_argument("--size", type=int, default=DEFAULT_SIZE, help="about how many statements a kernel has")
    parser.add_argument("-o", dest="output", help="the file to write; stdout by default")
    parser.add_argument("--recursive-teams", action="store_true",
                        help="functions with team operations may call themselves")
    parser.add_argument("--idioms", action="store_true",
                        help="also values that only some lanes have, and places computed from the thread")
    options = parser.parse_args()
    Generator.recursiveTeams = options.recursive_teams
    Generator.idioms = options.idioms
    text = generate(range(options.seed, options.seed + options.count), options.size)
    if options.output:
        pathlib.Path(options.output).write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
