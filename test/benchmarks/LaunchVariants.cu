// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What variants for constants of launches are worth (docs/design/specialisation.md). For
// each kernel: the mean time of a launch with the general code, and after a second of
// launches, with the variant if one was made; the outputs' bits are compared.
//
//   hetcc -O3 LaunchVariants.cu -o launch-variants
//   HET_LOG=info ./launch-variants        says which variants are ready
//   HET_SPECIALISE=0 ./launch-variants    both columns: the general code
//
// "longest call": the longest that one launch took the host with the general code and
// while a variant was being made: no launch may stall.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

__global__ void stencil(float *out, const float *in, int n, int taps, int stride, float w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int t = 0; t < taps; ++t) {
    int j = i + t * stride;
    if (j < n)
      s += in[j] * w;
  }
  if (i < n)
    out[i] = s;
}

__global__ void polynomial(float *out, const float *in, int n, int degree, float c) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float x = in[i], s = c;
    for (int d = 0; d < degree; ++d)
      s = s * x + c;
    out[i] = s;
  }
}

__global__ void divide(int *out, const int *in, int n, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = in[i], x = v % width, y = v / width % height, z = v / width / height;
  out[i] = x * 31 + y * 17 + z;
}

__global__ void matmul(float *c, const float *a, const float *b, int n, int tile) {
  extern __shared__ float s[];
  float *sa = s, *sb = s + tile * tile;
  int row = blockIdx.y * tile + threadIdx.y, col = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += tile) {
    sa[threadIdx.y * tile + threadIdx.x] = a[row * n + t + threadIdx.x];
    sb[threadIdx.y * tile + threadIdx.x] = b[(t + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < tile; ++k)
      sum += sa[threadIdx.y * tile + k] * sb[k * tile + threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void reduce(float *out, const float *in, int n) {
  extern __shared__ float s[];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    v += in[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h /= 2) {
    if (threadIdx.x < h)
      s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

__global__ void saxpy(float *y, const float *x, int n, float a) { // nothing to gain
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}

/// Brings the device to its clock.
__global__ void warm(float *y) {
  for (int i = 0; i < 1000; ++i)
    y[blockIdx.x * blockDim.x + threadIdx.x] += i;
}

using Clock = std::chrono::steady_clock;
static double since(Clock::time_point t) {
  return std::chrono::duration<double>(Clock::now() - t).count();
}
static double longestCall;

template <class Launch> void timed(Launch launch) {
  auto t = Clock::now();
  launch();
  longestCall = std::max(longestCall, since(t));
}

/// Microseconds a launch, over fewer launches than make a variant.
template <class Launch> float batch(Launch launch) {
  const int count = 30;
  cudaEvent_t from, to;
  cudaEventCreate(&from);
  cudaEventCreate(&to);
  cudaEventRecord(from);
  for (int i = 0; i < count; ++i)
    launch();
  cudaEventRecord(to);
  cudaEventSynchronize(to);
  float ms = 0;
  cudaEventElapsedTime(&ms, from, to);
  cudaEventDestroy(from);
  cudaEventDestroy(to);
  return ms / count * 1000;
}

/// A second of launches, with pauses in which a variant can be made.
template <class Launch> void launchForASecond(Launch launch) {
  for (auto t = Clock::now(); since(t) < 1;) {
    for (int i = 0; i < 10; ++i)
      timed(launch);
    cudaDeviceSynchronize();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

template <class T, class Launch>
void measure(const char *name, T *out, size_t size, Launch launch) {
  std::vector<T> first(size), second(size);
  launch();
  cudaDeviceSynchronize();
  longestCall = 0;
  float before = batch([&] { timed(launch); });
  double longestBefore = longestCall;
  cudaMemcpy(first.data(), out, size * sizeof(T), cudaMemcpyDeviceToHost);
  longestCall = 0;
  launchForASecond(launch);
  double longestDuring = longestCall;
  float after = 1e30f;
  for (int i = 0; i < 5; ++i)
    after = std::min(after, batch(launch));
  cudaMemcpy(second.data(), out, size * sizeof(T), cudaMemcpyDeviceToHost);
  bool equal = !std::memcmp(first.data(), second.data(), size * sizeof(T));
  printf("%-10s general %9.2f us  later %9.2f us  ratio %.2f  longest call "
         "%.0f -> %.0f us  bits %s  %s\n",
         name, before, after, before / after, longestBefore * 1e6, longestDuring * 1e6,
         equal ? "equal" : "DIFFER", cudaGetErrorString(cudaGetLastError()));
}

int main() {
  const int n = 1 << 22, m = 1024;
  float *in, *out;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, n * 4);
  std::vector<float> numbers(n);
  for (int i = 0; i < n; ++i)
    numbers[i] = (i * 2654435761u >> 8) % 1000 * 0.001f;
  cudaMemcpy(in, numbers.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * 4);
  for (auto t = Clock::now(); since(t) < 0.5;) {
    warm<<<1024, 256>>>(out);
    cudaDeviceSynchronize();
  }
  measure("stencil", out, n, [&] { stencil<<<n / 256, 256>>>(out, in, n, 9, 4, 0.111f); });
  measure("polynomial", out, n, [&] { polynomial<<<528, 256>>>(out, in, n, 64, 0.5f); });
  measure("divide", (int *)out, n,
          [&] { divide<<<n / 256, 256>>>((int *)out, (const int *)in, n, 1920, 1080); });
  measure("matmul", out, m * m, [&] {
    matmul<<<dim3(m / 16, m / 16), dim3(16, 16), 2 * 16 * 16 * 4>>>(out, in, in + m * m, m, 16);
  });
  measure("reduce", out, 1024, [&] { reduce<<<1024, 256, 256 * 4>>>(out, in, n); });
  measure("saxpy", out, n, [&] { saxpy<<<n / 256, 256>>>(out, in, n, 2.0f); });
}
