// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables whose initial value is an address: of another variable, an element
// of it, and a string; and constexpr constructors.
// CUDA C++ Programming Guide: Variable Memory Space Specifiers.

#include "Inputs/check.h"

__device__ int cells[4] = {5, 6, 7, 8};
__device__ int *third = &cells[2];
__device__ int *const list[2] = {cells + 3, cells};
__device__ const char *text = "conformance";
__constant__ const char *const words[] = {"alpha", "beta", nullptr};
struct Pair {
  int a, b;
  constexpr __host__ __device__ Pair(int x) : a(x), b(x * x) {}
};
__device__ Pair pair(9);
__constant__ Pair pairs[2] = {Pair(3), Pair(4)};

__global__ void kernel(int *out) {
  out[0] = *third;
  out[1] = *list[0] * 10 + *list[1];
  out[2] = text[3];
  out[3] = words[1][0] + (words[2] == nullptr);
  out[4] = pair.a * 100 + pair.b;
  out[5] = pairs[1].b;
  *third = 70;
  out[6] = cells[2];
}

int main() {
  check::Array<int> out(7);
  kernel<<<1, 1>>>(out);
  const int want[7] = {7, 85, 'f', 'b' + 1, 981, 16, 70};
  out.get();
  for (int i = 0; i < 7; ++i)
    CHECK_AT(i, out.host[i], want[i]);
  return check::finish("symbols_fully");
}
