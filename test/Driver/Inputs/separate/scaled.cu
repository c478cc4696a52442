// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__device__ int factor = 10;
__device__ int scaled(int value) { return value * factor; }
