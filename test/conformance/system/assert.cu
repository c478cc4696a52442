// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assert in a kernel: what it writes to stderr, the error it leaves, that the
// error stays, that the process goes on, and that NDEBUG is not needed to pass.
// CUDA C++ Programming Guide: Assertion.

#include "Inputs/capture.h"
#include <cassert>

__global__ void checked(const int *in) {
#line 1000
  assert(in[threadIdx.x] != 7);
}
#line 18

int main() {
  std::vector<int> values(96);
  check::Array<int> in(values);
  std::string quiet = check::capture(2, [&] {
    checked<<<dim3(1, 2), 96>>>(in);
    cudaDeviceSynchronize();
  });
  CUDA_DONE();
  CHECK_TEXT(quiet, "");

  in.host[37] = 7;
  in.put();
  cudaError_t error = cudaSuccess;
  std::string text = check::capture(2, [&] {
    checked<<<1, 96>>>(in);
    error = cudaDeviceSynchronize();
  });
  CHECK_EQ(error, cudaErrorAssert);
  size_t at = text.find("assert.cu:1000: ");
  CHECK_TRUE(at != std::string::npos);
  CHECK_TRUE(text.find("checked") != std::string::npos);
  CHECK_TRUE(text.find("block: [0,0,0], thread: [37,0,0] Assertion "
                       "`in[threadIdx.x] != 7` failed.") != std::string::npos);
  if (check::failures())
    printf("it wrote <%s>\n", text.c_str());
  // The context is lost: every call says so.
  void *p;
  CUDA_ERROR(cudaMalloc(&p, 16), cudaErrorAssert);
  CUDA_ERROR(cudaGetLastError(), cudaErrorAssert);
  CUDA_ERROR(cudaDeviceSynchronize(), cudaErrorAssert);
  return check::finish("assert");
}
