#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How long a program waits for NVRTC, ours beside NVIDIA's: for the first compilation of a
# small kernel, from opening the library to the text, and for a later one. Each run is a
# process of its own, by turns; processor time is that of all processes, less that of a
# process that compiles nothing. Milliseconds, medians, and ratios. No GPU is needed.
#
#   rtc-speed.py build/lib/het/compat/libnvrtc.so.12 …/nvidia/cuda_nvrtc/lib/libnvrtc.so.12

import argparse
import ctypes
import os
import resource
import statistics
import subprocess
import sys

PROGRAM = r"""
import ctypes, sys, time
SOURCE = b'''
extern "C" __global__ void axpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}
'''
def compile(library):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = (ctypes.c_char_p * 1)(b"--gpu-architecture=compute_80")
    if library.nvrtcCreateProgram(ctypes.byref(program), SOURCE, b"axpy.cu", 0, None, None) or \
       library.nvrtcCompileProgram(program, 1, options) or \
       library.nvrtcGetPTXSize(program, ctypes.byref(size)):
        sys.exit("error: it does not compile")
    text = ctypes.create_string_buffer(size.value)
    library.nvrtcGetPTX(program, text)
    if b".entry axpy" not in text.value:
        sys.exit("error: no kernel in the text")
times = []
for count in range(int(sys.argv[2])):
    begin = time.perf_counter()
    if not count:
        library = ctypes.CDLL(sys.argv[1])
    compile(library)
    times.append(1000 * (time.perf_counter() - begin))
print(times[0] if times else 0, min(times[1:], default=0))
"""
PR_SET_CHILD_SUBREAPER = 36


def run(library, compilations):
    """The times of the first and of a later compilation, and the processor time of all
    processes, which become ours when the program ends."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen([sys.executable, "-c", PROGRAM, library, str(compilations)],
                          stdout=subprocess.PIPE, text=True) as process:
        output = process.communicate()[0]
    if process.returncode:
        sys.exit(f"error: {library}: exit status {process.returncode}")
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    first, later = map(float, output.split())
    return first, later, 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ours")
    parser.add_argument("theirs")
    parser.add_argument("--runs", type=int, default=11)
    arguments = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libraries = {"ours": arguments.ours, "theirs": arguments.theirs}
    run(arguments.ours, 1)  # the precompiled prelude is there from now on
    run(arguments.theirs, 1)
    rows = {name: {"first": [], "later": [], "processor, first": []} for name in libraries}
    for _ in range(arguments.runs):
        for name, library in libraries.items():
            bare = run(library, 0)[2]
            rows[name]["first"].append(run(library, 1)[0])
            rows[name]["processor, first"].append(run(library, 1)[2] - bare)
            rows[name]["later"].append(run(library, 5)[1])
    for what in rows["ours"]:
        ours, theirs = (statistics.median(rows[name][what]) for name in libraries)
        print(f"rtc-speed: {what}: ours {ours:.1f} ms, theirs {theirs:.1f} ms, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
