// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma of half: all shapes, layouts and types of sums.
// CUDA C++ Programming Guide, "Warp Matrix Functions".

#include "Inputs/wmma.h"
#include <cuda_fp16.h>

using namespace matrix;

template <int m, int n> void test() {
  testShape<m, n, 16, half, half, float, float>(F16, F32, F32);
  testShape<m, n, 16, half, half, half, half>(F16, F16, F16);
  testShape<m, n, 16, half, half, half, float>(F16, F16, F32);
  testShape<m, n, 16, half, half, float, half>(F16, F32, F16);
}

int main() {
  test<16, 16>();
  test<32, 8>();
  test<8, 32>();
  return check::finish("wmma_half");
}
