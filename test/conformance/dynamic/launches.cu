// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that launch kernels: with arguments of every kind and size, shared memory, grids
// of three dimensions, as templates, through pointers, and from many threads.
// CUDA C++ Programming Guide: CUDA Dynamic Parallelism, Kernel Launch.
// FLAGS: -rdc=true

#include "Inputs/check.h"

struct Mixed {
  char a;
  double b;
  short c[3];
};

template <int bytes> struct Large {
  int values[bytes / 4];
};

__global__ void nothing() {}

__global__ void mixed(int *out, char a, Mixed m, short b, long long c, float d) {
  out[0] = a + int(m.b) + m.c[2] + b + int(c >> 32) + int(d * 4);
}

template <int bytes> __global__ void large(Large<bytes> data, int *out) {
  if (threadIdx.x == 0)
    *out = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x)
    atomicAdd(out, data.values[i]);
}

template <typename T> __global__ void reversed(T *data, int n) {
  extern __shared__ char raw[];
  T *copy = reinterpret_cast<T *>(raw);
  copy[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = copy[n - 1 - threadIdx.x];
}

__global__ void shape(int *out) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 100 + thread;
}

__global__ void plus(int *out, int value) { atomicAdd(out, value); }
__global__ void times(int *out, int value) { out[0] *= value; }

template <int bytes> __device__ void launchLarge(int *out) {
  Large<bytes> data;
  for (int i = 0; i < bytes / 4; ++i)
    data.values[i] = i + 1;
  large<<<1, 32>>>(data, out);
}

typedef void (*Kernel)(int *, int);

__global__ void parent(int *out, double *doubles, Kernel *chosen) {
  nothing<<<1, 1>>>();
  Mixed m = {1, 20.0, {0, 0, 300}};
  mixed<<<1, 1>>>(out, 7, m, -1000, 5ll << 32, 0.75f);
  launchLarge<128>(out + 1);
  launchLarge<256>(out + 2);
  launchLarge<4000>(out + 3);
  reversed<double><<<1, 40, 40 * sizeof(double)>>>(doubles, 40);
  shape<<<dim3(2, 3, 2), dim3(2, 2, 2)>>>(out + 16);
  out[4] = 5;
  Kernel kernel = plus;
  *chosen = times;
  kernel<<<1, 1>>>(out + 4, 3);
  (*chosen)<<<1, 1>>>(out + 4, 11);
}

__global__ void everyThread(int *sum) { plus<<<2, 8>>>(sum, threadIdx.x); }

int main() {
  check::Array<int> out(16 + 12 * 8);
  check::Array<double> doubles(40);
  check::Array<Kernel> chosen(1);
  for (int i = 0; i < 40; ++i)
    doubles.host[i] = i * 1.5;
  doubles.put();
  parent<<<1, 1>>>(out, doubles, chosen);
  out.get();
  doubles.get();
  auto sumTo = [](int n) { return n * (n + 1) / 2; };
  CHECK_EQ(out.host[0], 7 + 20 + 300 - 1000 + 5 + 3);
  CHECK_EQ(out.host[1], sumTo(32));
  CHECK_EQ(out.host[2], sumTo(64));
  CHECK_EQ(out.host[3], sumTo(1000));
  CHECK_EQ(out.host[4], (5 + 3) * 11);
  for (int i = 0; i < 12 * 8; ++i)
    CHECK_AT(i, out.host[16 + i], i / 8 * 100 + i % 8);
  for (int i = 0; i < 40; ++i)
    CHECK_AT(i, doubles.host[i], (39 - i) * 1.5);

  check::Array<int> sum(1);
  everyThread<<<4, 64>>>(sum);
  CHECK_EQ(sum.get()[0], 4 * 16 * (63 * 64 / 2));
  return check::finish("dynamic/launches");
}
