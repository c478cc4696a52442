#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How the work of lowering a kernel grows with its size: made kernels of n, 2n, 4n and 8n
# statements of one kind, through hetcc and each target's lowering. Counts instructions,
# which other load does not change, or where perf can not, microseconds of processor time.
# Prints for each kind the counts and the exponent by which they grow in the last step: 1
# is linear, 2 quadratic. What starting costs, an empty kernel's count, is taken off.
#
#   lowering-growth.py build/bin [--targets host,ptx,spirv,tensix] [--kinds …] [--size n]
#   lowering-growth.py build/bin --above 1.5    names only what grows faster; ends with 1
#   lowering-growth.py build/bin --targets host --options interim    of interim code

import argparse
import math
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ARCHITECTURES = {"host": "", "ptx": "sm_90;ptx86", "spirv": "spirv1.3;teams32", "tensix": "wormhole"}


def lines(n, line):
    return "\n".join("  " + line.format(i=i, k=i * 7919 % 1009 + 1) for i in range(n))


def kernel(body, before="", parameters=""):
    return (f"{before}\n__global__ void kernel(float *p, int *q, int m{parameters}) {{\n"
            "  int t = threadIdx.x;\n  float x = p[t], y = p[t + m];\n  int a = q[t], b = m;\n"
            f"{body}\n  p[t] = x + y;\n  q[t] = a + b;\n}}\n")


def arithmetic(n):
    return kernel(lines(n, "x = x * y + {k}.5f; a = (a ^ b) * {k} + (a >> 3); b += a;"))


def branches(n):
    return kernel(lines(n, "if (a & {k}) x = x * y + {i}; else p[{i}] = x, a += q[{i}];"))


def uniform_branches(n):
    return kernel(lines(n, "if (m & {k}) x = x * y + {i}; else p[t + {i}] = x, a += q[{i}];"))


def returns(n):
    return kernel(lines(n, "if (q[a & 255] == {k}) return; a += q[{i}];"))


def switch(n):
    cases = lines(n, "case {i}: x += p[a + {k}]; a ^= {k}; break;")
    return kernel("  for (int i = 0; i < m; ++i) switch (q[t + i]) {\n" + cases + "\n  }")


def barriers(n):
    return kernel(lines(n, "s[t] = x; __syncthreads(); x += s[t ^ {k} % 32] * y;"),
                  before="__shared__ float s[1024];")


def barriers_in_loops(n):
    return kernel(lines(n, "for (int i = 0; i < q[{i}]; ++i) {{ s[t] = x; __syncthreads();"
                           " x += s[t ^ {k} % 32]; __syncthreads(); }}"),
                  before="__shared__ float s[1024];")


def live_values(n):
    return kernel(lines(n, "float v{i} = p[t + {k}] * y;") + "\n  __syncthreads();" * 8
                  + "\n" + lines(n, "x += v{i} * {k}.f;"))


def teams(n):
    return kernel(lines(n, "x += __shfl_xor_sync(~0u, x, {k} % 32); a += __ballot_sync(~0u, a > {i});"))


def divergent_teams(n):
    return kernel(lines(n, "if (q[{i}] > t) x += __shfl_xor_sync(__activemask(), x, {k} % 32);"))


def shared(n):
    return kernel(lines(n, "s[t * 64 + {i} % 61] = x; x += s[t * 64 + {k} % 64];"),
                  before="__shared__ float s[64 * 64];")


def memory(n):
    return kernel(lines(n, "x += p[t * m + {k}]; p[t + {i} * 64] = x * y;"))


def arrays(n):
    return kernel(lines(n, "float v{i}[4] = {{x, y, x, {k}}}; v{i}[a & 3] = y; x += v{i}[b & 3];"))


def arrays_kept(n):
    return kernel(lines(n, "float v{i}[4] = {{x, y, x, {k}}};") + "\n  __syncthreads();\n"
                  + lines(n, "v{i}[a & 3] = y; x += v{i}[b & 3];"))


def loops(n):
    return kernel(lines(n, "for (int i = 0; i < q[{i}]; ++i) x = x * y + p[t + i];"))


def nest(n):
    depth = max(1, n // 8)
    return kernel(lines(depth, "for (int i{i} = a; i{i} < q[{i}]; ++i{i}) {{ x += p[i{i}];")
                  + "\n  a += x;\n" + lines(depth, "if (a == q[b & 7]) break; }}"))


def calls(n):
    functions = "\n".join(f"__device__ __noinline__ float f{i}(float x, int a) "
                          f"{{ return x * a + {i}.5f; }}" for i in range(n))
    return kernel(lines(n, "x = f{i}(x, a + {k});"), before=functions)


def mathematics(n):
    return kernel(lines(n, "x = sinf(x * {k}.f) + expf(y);"))


def atomics(n):
    return kernel(lines(n, "a += atomicAdd(q + ((a + {k}) & 255), 1); atomicAdd(p + {i}, x);"))


def prints(n):
    return kernel(lines(n, 'if (a == {k}) printf("{i}: %d %f\\n", a, x);'),
                  before="#include <cstdio>")


def sums(n):
    """Indices that are sums of sums: each term is used twice."""
    return kernel("  int c = a, d = b;\n" + lines(n, "c = (c + d) ^ {k}; d = c + d + a;")
                  + "\n  s[(c + d) & 1023] = x; __syncthreads(); x += s[(d + a) & 1023];",
                  before="__shared__ float s[1024];")


def unrolled(n):
    return kernel(f"  #pragma unroll\n  for (int i = 0; i < {n}; ++i) {{ x = x * y + p[t + i * i % 1009]; a ^= i * b; }}")


def inlined(n):
    functions = "\n".join(f"__device__ float f{i}(float x, float y, int a) {{ for (int i = 0; i < a; ++i)"
                          f" if (x > {i}.f) x -= y * i; else x += y; return x; }}" for i in range(n // 4))
    return kernel(lines(n // 4, "x += f{i}(x, y, a); x *= f{i}(y, x, b);"), before=functions)


def recursion(n):
    """n functions, each of which calls the next and the first."""
    functions = "\n".join([f"__device__ int f{i}(int a, int b);" for i in range(n + 1)]
                          + [f"__device__ int f{i}(int a, int b) {{ return a <= 0 ? b : f{i + 1}(a - 1, b + {i})"
                             f" + f0(a / 2, b); }}" for i in range(n)]
                          + [f"__device__ int f{n}(int a, int b) {{ return a ^ b; }}"])
    return kernel("  a += f0(a, b);", before=functions)


def large_arrays(n):
    return kernel(f"  float v[{n * 4}]; int w[{n}];\n  for (int i = 0; i < {n}; ++i) v[i * 4] = x * i, w[i] = a ^ i;\n"
                  "  __syncthreads();\n" + lines(n, "v[(w[{i}] & 255) + {k}] += x; a += w[b & {i}];")
                  + f"\n  for (int i = 0; i < {n}; ++i) x += v[i * 4], b += w[i];")


def nest_with_barriers(n):
    depth = 4
    nest = (lines(depth, "for (int i{i} = 0; i{i} < q[{i}]; ++i{i}) {{ s[t] = x; __syncthreads(); x += s[t ^ {k} % 32];")
            + "\n  __syncthreads(); a += x;\n" + "}" * depth)
    return kernel("\n".join([nest] * max(1, n // 16)), before="__shared__ float s[1024];")


KINDS = [arithmetic, branches, uniform_branches, returns, switch, barriers, barriers_in_loops,
         live_values, teams, divergent_teams, shared, memory, arrays, arrays_kept, loops, nest,
         calls, mathematics, atomics, prints, sums, unrolled, inlined, recursion, large_arrays,
         nest_with_barriers]


def counts_instructions():
    probe = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"],
                           capture_output=True, text=True) if shutil.which("perf") else None
    return probe is not None and probe.stderr.split(",")[0].isdigit()


BY_INSTRUCTIONS = counts_instructions()


def count(command, seconds=600):
    """Instructions, or microseconds of processor time, of a command in user mode; None
    where it fails or takes too long."""
    command = list(map(str, command))
    if BY_INSTRUCTIONS:
        command = ["perf", "stat", "-x,", "-e", "instructions:u", *command]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    if result.returncode:
        print(result.stderr.strip()[-300:], file=sys.stderr)
        return None
    if BY_INSTRUCTIONS:
        return int(result.stderr.strip().splitlines()[-1].split(",")[0])
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    return int((after - before) * 1e6)


class Growth:
    def __init__(self, tools, folder, words):
        self.tools, self.folder, self.words = pathlib.Path(tools), pathlib.Path(folder), words
        self.starts = {}

    def compile(self, name, source):
        """Makes a package; its path and the instructions of hetcc."""
        text, package = self.folder / f"{name}.cu", self.folder / f"{name}.hetpkg"
        text.write_text(source)
        spent = count([self.tools / "hetcc", "-O3", "--het-emit=hetpkg", text, "-o", package])
        return package, spent

    def lower(self, target, package):
        return count([self.tools / "het-lower", f"--target={target}",
                      f"--arch={ARCHITECTURES[target]}", f"--options={self.words}", package, "-o", self.folder / "out"])

    def start(self, target):
        if target not in self.starts:
            package, spent = self.compile("empty", kernel(""))
            self.starts[target] = spent if target == "hetcc" else self.lower(target, package)
        return self.starts[target] or 0

    def measure(self, kind, targets, sizes):
        """By target, the counts less those of an empty kernel."""
        counts = {target: [] for target in targets}
        for size in sizes:
            package, spent = self.compile(f"{kind.__name__}-{size}", kind(size))
            for target, column in counts.items():
                found = spent if target == "hetcc" else self.lower(target, package)
                column.append(found and max(found - self.start(target), 1))
        return counts


def exponent(counts):
    return math.log2(counts[-1] / counts[-2]) if counts[-1] and counts[-2] else math.nan


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tools", help="where hetcc and het-lower are")
    parser.add_argument("--targets", default="hetcc," + ",".join(ARCHITECTURES))
    parser.add_argument("--kinds", default=",".join(kind.__name__ for kind in KINDS))
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--options", default="", help="words for the lowering")
    parser.add_argument("--above", type=float)
    options = parser.parse_args()
    kinds = [kind for kind in KINDS if kind.__name__ in options.kinds.split(",")]
    sizes = [options.size << step for step in range(4)]
    steep = False
    unit = "millions of instructions" if BY_INSTRUCTIONS else "milliseconds"
    scale = 1e6 if BY_INSTRUCTIONS else 1e3
    print(f"| kind | target | {unit} at {', '.join(map(str, sizes))} | exponent |")
    print("|---|---|---|---:|")
    with tempfile.TemporaryDirectory() as folder:
        growth = Growth(options.tools, folder, options.options)
        for kind in kinds:
            counts = growth.measure(kind, options.targets.split(","), sizes)
            for target, column in counts.items():
                rate = exponent(column)
                if options.above and rate <= options.above:
                    continue
                steep = steep or bool(options.above)
                shown = ", ".join("-" if c is None else f"{c / scale:.0f}" for c in column)
                print(f"| {kind.__name__} | {target} | {shown} | {rate:.2f} |", flush=True)
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
