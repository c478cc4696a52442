// Two kernels, of which one has a loop with barriers and computes with double.
#include <cstdio>

__global__ void square(float *data) { data[threadIdx.x] *= data[threadIdx.x]; }

__global__ void halves(double *data, int rounds) {
  __shared__ double kept[64];
  for (int round = 0; round < rounds; ++round) {
    kept[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = kept[(threadIdx.x + 1) % 64] / 2;
    __syncthreads();
  }
}

int main() {
  float *floats;
  double *doubles;
  cudaMallocManaged(&floats, 64 * sizeof(float));
  cudaMallocManaged(&doubles, 64 * sizeof(double));
  for (int i = 0; i < 64; ++i)
    doubles[i] = floats[i] = i;
  square<<<1, 64>>>(floats);
  halves<<<1, 64>>>(doubles, 1);
  if (cudaError_t error = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorName(error));
    return 1;
  }
  if (cudaError_t error = cudaGetLastError()) {
    std::printf("%s\n", cudaGetErrorName(error));
    return 1;
  }
  std::printf("%g %g\n", floats[63], doubles[6]);
}
