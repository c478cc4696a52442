#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compile time of hetcc and `nvcc -arch=sm_90`, in turn: small programs, from source to
# object. Prints the medians, and the median and geometric mean of their ratios.
# Elapsed time is what a user waits for; processor time (with children) is less
# disturbed by other load. Ends quietly where there is no nvcc.
#
#   compile-time.py build/bin/hetcc [--nvcc FILE] [--repeats N] [program.cu…]

import argparse
import math
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compile_once(command, program, folder):
    """Seconds elapsed and seconds of processor time of one compilation."""
    output = os.path.join(folder, "program.o")
    processor, start = processor_time(), time.perf_counter()
    subprocess.run([*command, "-O3", "-std=c++17", "-c", program, "-o", output],
                   check=True)
    return time.perf_counter() - start, processor_time() - processor


def measure(commands, program, repeats):
    """Medians (elapsed, processor) of each command; the first round only warms."""
    samples = [[] for _ in commands]
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(repeats + 1):
            for own, command in zip(samples, commands):
                sample = compile_once(command, program, folder)
                if turn > 0:
                    own.append(sample)
    return [[statistics.median(column) for column in zip(*own)] for own in samples]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hetcc")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    if not options.nvcc:
        print("there is no nvcc here; nothing to compare with")
        return 0
    programs = options.programs or sorted(
        map(str, [*ROOT.glob("examples/*/*.cu"), ROOT / "test/benchmarks/Kernels.cu"]))
    commands = [[options.hetcc], [options.nvcc, "-arch=sm_90"]]
    print("| program | hetcc, s | nvcc, s | ratio | processor: hetcc, s | nvcc, s | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    ratios = []
    for program in programs:
        ours, theirs = measure(commands, program, options.repeats)
        ratios.append([ours[i] / theirs[i] for i in range(2)])
        cells = [f"{ours[i]:.2f} | {theirs[i]:.2f} | {ratios[-1][i]:.2f}" for i in range(2)]
        print(f"| {pathlib.Path(program).stem} | {cells[0]} | {cells[1]} |", flush=True)
    for name, column in zip(("elapsed", "processor"), zip(*ratios)):
        mean = math.exp(statistics.fmean(map(math.log, column)))
        print(f"{name}: median ratio {statistics.median(column):.2f}, "
              f"geometric mean {mean:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
