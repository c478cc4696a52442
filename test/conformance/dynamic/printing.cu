// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What parents and children print, in their order.
// CUDA C++ Programming Guide: CUDA Dynamic Parallelism.
// FLAGS: -rdc=true

#include "Inputs/capture.h"

__global__ void print(int depth, int number, int last) {
  printf("%d: %d\n", depth, number);
  if (depth < last)
    for (int i = 0; i < 2; ++i)
      print<<<1, 1>>>(depth + 1, number * 10 + i, last);
  printf("%d: end of %d\n", depth, number);
}

int main() {
  std::string text = check::capture(1, [&] {
    print<<<1, 1>>>(0, 1, 2);
    cudaDeviceSynchronize();
  });
  CUDA_DONE();
  CHECK_TEXT(text, "0: 1\n0: end of 1\n"
                   "1: 10\n1: end of 10\n"
                   "2: 100\n2: end of 100\n2: 101\n2: end of 101\n"
                   "1: 11\n1: end of 11\n"
                   "2: 110\n2: end of 110\n2: 111\n2: end of 111\n");
  return check::finish("dynamic/printing");
}
