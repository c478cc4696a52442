// A program that checks itself.
#include <cstdio>

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&c, n * sizeof(float));
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = 2 * i;
  }
  add<<<(n + 127) / 128, 128>>>(a, b, c, n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 2;
  for (int i = 0; i < n; ++i)
    if (c[i] != 3 * i) {
      std::printf("FAILED\n");
      return 1;
    }
  std::printf("PASSED\n");
}
