#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Source of a kernel of n statements of one kind: large_kernels.py KIND N."""

import sys

KINDS = {
    "arithmetic": "x = x * y + {k}.5f; a = (a ^ b) * {k} + (a >> 3); b += a;",
    "branches": "if (a & {k}) x = x * y + {i}; else p[{i}] = x, a += q[{i}];",
    "loops": "for (int i = 0; i < q[{i}]; ++i) x = x * y + p[t + i];",
    "memory": "x += p[t * m + {k}]; p[t + {i} * 64] = x * y;",
    "shuffles": "x += __shfl_xor_sync(~0u, x, {k} % 4 + 1) * y;",
    "sums": "a = (a + b) ^ {k}; b += a + m; q[{i}] = m * (t + {i});",
    "barriers": "for (int i = 0; i < q[{i}]; ++i) {{ s[t] = x; __syncthreads(); x += s[t ^ 1]; __syncthreads(); }}",
}


def main():
    kind, count = KINDS[sys.argv[1]], int(sys.argv[2])
    print("__global__ void kernel(float *p, int *q, int m) {\n"
          "  __shared__ float s[1024];\n  int t = threadIdx.x;\n"
          "  float x = p[t], y = p[t + m];\n  int a = q[t], b = m;")
    for i in range(count):
        print("  " + kind.format(i=i, k=i * 7919 % 1009 + 1))
    print("  p[t] = x + y;\n  q[t] = a + b;\n}")


main()
