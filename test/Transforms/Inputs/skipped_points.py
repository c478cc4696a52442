#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel in hetIR with n barriers, each of which can be skipped: skipped_points.py N KIND.
KIND says by what: `memory` or `argument`."""

import sys


def main():
    count, kind = int(sys.argv[1]), sys.argv[2]
    print("llvm.func @kernel(%p: !llvm.ptr, %a: i32) attributes {hetir.kernel} {\n"
          "  %zero = llvm.mlir.constant(0 : i32) : i32\n  %one = llvm.mlir.constant(1 : i32) : i32\n"
          "  %t = hetir.thread_id x\n  %mine = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32")
    for i in range(count):
        value = (f"llvm.load volatile %mine : !llvm.ptr -> i32" if kind == "memory"
                 else f"llvm.lshr %a, %k{i} : i32")
        print(f"  %k{i} = llvm.mlir.constant({i} : i32) : i32\n  %c{i} = {value}\n"
              f"  %b{i} = llvm.icmp \"ne\" %c{i}, %k{i} : i32\n"
              f"  llvm.cond_br %b{i}, ^meet{i}, ^next{i}\n"
              f"^meet{i}:\n  hetir.barrier\n  llvm.store volatile %k{i}, %mine : i32, !llvm.ptr\n"
              f"  llvm.br ^next{i}\n^next{i}:")
    print("  llvm.return\n}")


main()
