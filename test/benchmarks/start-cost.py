#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What starting a program with a small kernel costs on the host: its own processor time and
# that of all processes that it starts, with an empty cache (cold) and a filled one (warm),
# beside a program that does the same without a kernel (bare). Milliseconds, medians.
#
#   start-cost.py build/bin [--runs 20]

import argparse
import ctypes
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

SOURCE = """
#include <cstdio>
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
int main() {
  const int n = 1024;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * 4);
  cudaMallocManaged(&b, n * 4);
  cudaMallocManaged(&c, n * 4);
  for (int i = 0; i < n; ++i)
    a[i] = i, b[i] = 2 * i, c[i] = 0;
#ifdef BARE
  for (int i = 0; i < n; ++i)
    c[i] = a[i] + b[i];
#else
  add<<<n / 256, 256>>>(a, b, c, n);
#endif
  cudaDeviceSynchronize();
  return c[n - 1] != 3 * (n - 1);
}
"""
PR_SET_CHILD_SUBREAPER = 36


def used_by(program, environment):
    """User and system milliseconds of a program and of what it leaves behind, which becomes ours."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([program], env=environment)
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            break
        if pid == process.pid:
            process.returncode = status
    if process.returncode:
        sys.exit(f"error: {program}: exit status {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime - before.ru_utime), 1e3 * (after.ru_stime - before.ru_stime)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    times = {"cold": [], "warm": [], "bare": []}
    with tempfile.TemporaryDirectory() as folder:
        source, kernel, bare = (pathlib.Path(folder, name) for name in ("start.cu", "kernel", "bare"))
        source.write_text(SOURCE)
        for program, flags in ((kernel, []), (bare, ["-DBARE"])):
            subprocess.run([options.bin / "hetcc", *flags, source, "-o", program], check=True)
        for _ in range(options.runs):
            with tempfile.TemporaryDirectory() as cache:
                environment = dict(os.environ, HET_DEVICES="host", HET_CACHE_DIR=cache)
                for name, program in (("cold", kernel), ("warm", kernel), ("bare", bare)):
                    times[name].append(used_by(program, environment))
    for name, runs in times.items():
        total, user, system = (statistics.median(part) for part in
                               ([u + s for u, s in runs], [u for u, _ in runs], [s for _, s in runs]))
        print(f"start-cost: {name} {total:.2f} ms (user {user:.2f}, system {system:.2f})")


if __name__ == "__main__":
    main()
