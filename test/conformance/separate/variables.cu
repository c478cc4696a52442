// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of another file: in global, constant and managed memory, found by kernels of
// both files and by the host; static ones apart; statics of templates and of inline
// functions are one; initial values with addresses of another file's variables.
// CUDA C++ Programming Guide: Device Memory Space Specifiers.
// FLAGS: -rdc=true
// ALSO: Inputs/variables.cu

#include "Inputs/check.h"
#include "Inputs/variables.h"

__device__ int mine[4] = {10, 20, 30, 40};
static __device__ int apart = 1;
__device__ int *toTheirs = theirs + 2;

__global__ void readAll(int *out) {
  out[0] = theirs[1];
  out[1] = constants[2];
  out[2] = managed;
  out[3] = *toTheirs;
  out[4] = *toMine;
  out[5] = ++apart;
  out[6] = ++counter<int>();
  out[7] = ++inlineCounter();
  out[8] = sizeof(theirs) / sizeof(int);
}

int main() {
  check::Array<int> out(16);
  readAll<<<1, 1>>>(out);
  const int first[] = {200, 7, 70, 300, 40, 2, 101, 1001, 4};
  out.get();
  for (int i = 0; i < 9; ++i)
    CHECK_AT(i, out.host[i], first[i]);

  // From the other file's side.
  readThere(out);
  const int second[] = {20, 51, 102, 1002};
  out.get();
  for (int i = 0; i < 4; ++i)
    CHECK_AT(i, out.host[i], second[i]);

  // The host, through either file's name.
  const int value = 5;
  CUDA(cudaMemcpyToSymbol(theirs, &value, sizeof value, sizeof value));
  const int factors[] = {1, 2, 3};
  CUDA(cudaMemcpyToSymbol(constants, factors, sizeof factors));
  managed = 71;
  int back = 0;
  CUDA(cudaMemcpyFromSymbol(&back, apart, sizeof back));
  CHECK_EQ(back, 2);
  CHECK_EQ(apartThere(), 51);
  setMineThere(21);
  readAll<<<1, 1>>>(out);
  readThere(out + 9);
  const int third[] = {5, 3, 71, 300, 40, 3, 103, 1003, 4, 21, 52, 104, 1004};
  out.get();
  for (int i = 0; i < 13; ++i)
    CHECK_AT(i, out.host[i], third[i]);

  void *here = nullptr;
  CUDA(cudaGetSymbolAddress(&here, theirs));
  CHECK_TRUE(here == addressThere());
  return check::finish("separate/variables");
}
