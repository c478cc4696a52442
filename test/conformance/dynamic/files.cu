// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of another file as children: by their names, by pointers, as templates; static
// ones of one name stay apart.
// CUDA Compiler Driver NVCC: Using Separate Compilation in CUDA.
// FLAGS: -rdc=true
// ALSO: Inputs/files.cu

#include "Inputs/check.h"
#include "Inputs/files.h"

static __global__ void ofOneName(int *out, int value) { *out += 10000 * value; }

__global__ void parent(int *out) {
  there<<<1, 1>>>(out, 1);
  chosenThere<<<1, 1>>>(out + 1, 3);
  ofOneName<<<1, 1>>>(out + 2, 2);
  launchStatic(out + 2);
  anywhere<int><<<1, 1>>>(out + 3, 9);
}

int main() {
  check::Array<int> out(5);
  parent<<<1, 1>>>(out);
  launchFromThere(out + 4);
  out.get();
  CHECK_EQ(out.host[0], 1);
  CHECK_EQ(out.host[1], 300);
  CHECK_EQ(out.host[2], 20700);
  CHECK_EQ(out.host[3], 9);
  CHECK_EQ(out.host[4], 5);
  return check::finish("dynamic/files");
}
