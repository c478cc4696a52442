# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# not timed: how long to look is the caller's choice
#
# Compiles and runs random programs in several configurations and compares what they
# print with ==:
#
#   run.py --seeds 1..200 --jobs 2 --configurations O3,debug,threads16,reference
#
# Programs share files (--batch); when a file does not compile, or a run ends early,
# the programs are tried one by one. A compile error, a crash, a time-out and a
# difference from the first configuration are failures; the exit status is then 1.

import argparse
import concurrent.futures
import pathlib
import shutil
import sys
import tempfile
import time

from generate import DEFAULT_SIZE, source
from program import Generator
from toolchain import Toolchain, configuration

DEFAULT = "O3,debug,threads1,threads16,scratch"


class Failure:
    def __init__(self, seed, config, kind, detail):
        self.seed = seed
        self.config = config
        self.kind = kind
        self.detail = detail


class Batch:
    """Some programs that are compiled together."""

    def __init__(self, seeds, options, folder):
        self.seeds = seeds
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="batch%d." % seeds[0], dir=folder))
        self.tools = Toolchain(self.folder, options.hetcc, options.timeout)
        self.failures = []
        self.results = {}

    def execute(self):
        """Everything of the batch; returns its failures."""
        self.programs = {seed: Generator(seed, self.options.size).program() for seed in self.seeds}
        builds = {}
        for name in self.options.configurations.split(","):
            builds.setdefault(configuration(name).build(), []).append(name)
        for number, names in enumerate(builds.values()):
            self.build(number, names, self.seeds)
        self.compare()
        if not self.options.keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        return self.failures

    def build(self, number, names, seeds):
        """Compiles the programs of some seeds together, or one by one, and runs them."""
        stem = self.folder / ("%d-%d-%d" % (number, seeds[0], len(seeds)))
        file = stem.with_suffix(".cu")
        file.write_text(source({seed: self.programs[seed] for seed in seeds}))
        wrong = self.tools.compile(file, configuration(names[0]), stem)
        if wrong and len(seeds) > 1:
            half = len(seeds) // 2
            self.build(number, names, seeds[:half])
            self.build(number, names, seeds[half:])
        elif wrong:
            self.failures.append(Failure(seeds[0], names[0], *wrong))
        else:
            for name in names:
                self.run(stem, name, seeds)
        self.tools.clearCache()
        if stem.exists():
            stem.unlink()

    def run(self, program, name, seeds):
        config = configuration(name)
        results = self.results.setdefault(name, {})
        lines, wrong = self.tools.run(program, config, (), scale=1 + len(seeds) // 10)
        results.update(lines)
        while wrong:
            # The first program without a line is the one that failed.
            left = [seed for seed in seeds if seed not in results]
            if not left:
                break
            lines, wrong = self.tools.run(program, config, left[:1])
            results.update(lines)
            if wrong or left[0] not in lines:
                results[left[0]] = None
                self.failures.append(Failure(left[0], name, *(wrong or ("no output", ""))))
            left = left[1:]
            if not left:
                break
            lines, wrong = self.tools.run(program, config, left, scale=1 + len(left) // 10)
            results.update(lines)

    def compare(self):
        names = self.options.configurations.split(",")
        for seed in self.seeds:
            expected = None
            for name in names:
                found = self.results.get(name, {}).get(seed)
                if found is None:
                    continue
                if expected is None:
                    expected, first = found, name
                elif found != expected:
                    self.failures.append(Failure(seed, name, "difference", "%s, %s: %s" % (found, first, expected)))


def parse():
    parser = argparse.ArgumentParser(description="Compiles and runs random programs and compares.")
    parser.add_argument("--seeds", default="1..20", help="A..B, both included")
    parser.add_argument("--count", type=int, help="how many seeds, from the first one on")
    parser.add_argument("--size", type=int, default=DEFAULT_SIZE, help="about how many statements a kernel has")
    parser.add_argument("--batch", type=int, default=10, help="programs in a file")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time")
    parser.add_argument("--hetcc", default="hetcc", help="the compiler")
    parser.add_argument("--configurations", default=DEFAULT, help="names, with commas; the first is compared with")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for a run")
    parser.add_argument("--minutes", type=float, help="begin no new file after this time")
    parser.add_argument("--keep", help="a folder for the files, which are then kept")
    parser.add_argument("--recursive-teams", action="store_true",
                        help="functions with team operations may call themselves")
    parser.add_argument("--idioms", action="store_true",
                        help="also values that only some lanes have, and places computed from the thread")
    return parser.parse_args()


def main():
    options = parse()
    Generator.recursiveTeams = options.recursive_teams
    Generator.idioms = options.idioms
    for name in options.configurations.split(","):
        configuration(name)
    first, _, last = options.seeds.partition("..")
    last = int(first) + options.count - 1 if options.count else int(last or first)
    seeds = list(range(int(first), last + 1))
    folder = options.keep or tempfile.mkdtemp(prefix="hetcc-random.")
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    began = time.time()
    batches = [seeds[i:i + options.batch] for i in range(0, len(seeds), options.batch)]
    failures, tried = [], 0

    def one(some):
        if options.minutes and time.time() - began > options.minutes * 60:
            return [], 0
        return Batch(some, options, folder).execute(), len(some)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, some) for some in batches]):
            found, count = done.result()
            tried += count
            failures += found
            for f in found:
                print("%8d  %-18s %-16s %s" % (f.seed, f.config, f.kind, f.detail), flush=True)
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    report(failures, tried, len(options.configurations.split(",")), time.time() - began)
    sys.exit(1 if failures else 0)


def report(failures, tried, configurations, seconds):
    """How many failures there are of each class, then one line on all."""
    classes = {}
    for f in failures:
        classes.setdefault((f.kind, f.config), []).append(f.seed)
    for (kind, config), seeds in sorted(classes.items()):
        print("%-16s %-18s %4d: %s" % (kind, config, len(seeds), " ".join(map(str, seeds[:12]))))
    print("random: %d programs in %d configurations, %d failures" % (tried, configurations, len(failures)))
    print("%.1f s" % seconds, file=sys.stderr)


if __name__ == "__main__":
    main()
