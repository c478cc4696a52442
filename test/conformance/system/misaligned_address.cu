// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access that is not aligned to its size ends the kernel with
// cudaErrorMisalignedAddress, as on CUDA's devices, or works where the device
// can; it never hangs and never ends the process.
// CUDA C++ Programming Guide: Device Memory Accesses, Size and Alignment.

#include "Inputs/check.h"

__global__ void copy(const char *in, int *out) {
  out[0] = *(const volatile int *)in;
}

int main() {
  check::Array<char> in(64);
  check::Array<int> out(1);
  for (int i = 0; i < 64; ++i)
    in.host[i] = (char)i;
  in.put();
  copy<<<1, 1>>>(in + 4, out);
  CHECK_EQ(out.get()[0], 0x07060504);
  copy<<<1, 1>>>(in + 1, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess)
    CHECK_EQ(out.get()[0], 0x04030201);
  else
    CHECK_EQ(error, cudaErrorMisalignedAddress);
  return check::finish("misaligned_address");
}
