// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ that the host compiler compiles, beside CUDA that hetcc compiles.

#include "histogram.h"

#include <cstdio>

int main() {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "abracadabra";
  unsigned counts[256];
  cudaError_t error = countBytes(text, counts);
  if (error != cudaSuccess) {
    std::fprintf(stderr, "countBytes: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (char c : {'a', 'b', 'c', 'd', 'r'})
    std::printf("%c %u\n", c, counts[static_cast<unsigned char>(c)]);
}
