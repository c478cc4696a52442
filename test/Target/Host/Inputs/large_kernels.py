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
    "registers": "{{ float o = __shfl_xor_sync(~0u, r[{i} % 8], {i} / 8 % 5 + 1); r[{i} % 8] = t & 1 ? o : o + r[{i} % 8]; }}",
    "chain": "a = ((unsigned)a * 5 + ((unsigned)a >> 3)) & 0x3ffffff;",
    "members": "w[i].v[{i}] += w[b].v[{k}] * y;",
    "sums": "a = (a + b) ^ {k}; b += a + m; q[{i}] = m * (t + {i});",
    "barriers": "for (int i = 0; i < q[{i}]; ++i) {{ s[t] = x; __syncthreads(); x += s[t ^ 1]; __syncthreads(); }}",
}
# What stands before and behind the statements.
AROUND = {
    "registers": ("float r[8];\n  for (int i = 0; i < 8; ++i) r[i] = p[t * 8 + i];",
                  "for (int i = 0; i < 8; ++i) p[t * 8 + i] = r[i];"),
    "members": ("struct W { float v[1024]; } *w = (W *)p;\n"
                "  for (int i = 0; w[i].v[3] < y; ++i) {", "}"),
}


def main():
    kind, count = KINDS[sys.argv[1]], int(sys.argv[2])
    before, behind = AROUND.get(sys.argv[1], ("", ""))
    print("__global__ void kernel(float *p, int *q, int m) {\n"
          "  __shared__ float s[1024];\n  int t = threadIdx.x;\n"
          "  float x = p[t], y = p[t + m];\n  int a = q[t], b = m;")
    print("  " + before)
    for i in range(count):
        print("  " + kind.format(i=i, k=i * 7919 % 1009 + 1))
    print("  " + behind)
    print("  p[t] = x + y;\n  q[t] = a + b;\n}")


main()
