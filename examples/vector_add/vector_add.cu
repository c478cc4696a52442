// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a + b, one element for each thread: the smallest complete CUDA program.
//
//   hetcc vector_add.cu -o vector_add && ./vector_add

#include <cstdio>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));      \
      return 1;                                                                \
    }                                                                          \
  } while (false)

__global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  const int n = 1 << 20;
  const size_t size = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }

  float *deviceA, *deviceB, *deviceC;
  CHECK(cudaMalloc(&deviceA, size));
  CHECK(cudaMalloc(&deviceB, size));
  CHECK(cudaMalloc(&deviceC, size));
  CHECK(cudaMemcpy(deviceA, a.data(), size, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(deviceB, b.data(), size, cudaMemcpyHostToDevice));

  const int threads = 256;
  vectorAdd<<<(n + threads - 1) / threads, threads>>>(deviceA, deviceB, deviceC,
                                                      n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), deviceC, size, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(deviceA));
  CHECK(cudaFree(deviceB));
  CHECK(cudaFree(deviceC));

  for (int i = 0; i < n; ++i)
    if (c[i] != a[i] + b[i]) {
      std::printf("c[%d]: found %g, expected %g\nFAILED\n", i, c[i],
                  a[i] + b[i]);
      return 1;
    }
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("added %d numbers on %s\nPASSED\n", n, properties.name);
}
