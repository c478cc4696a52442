// REQUIRES: hetcc, runtime, host
// RUN: rm -rf %t && mkdir %t
// RUN: hetcc %s -DMAIN -DOTHER -o %t/one 2>&1 | FileCheck %s --check-prefix=WARNED
// RUN: env HET_DEVICES=host %t/one | FileCheck %s --check-prefix=RAN
// RUN: hetcc -dc -DMAIN %s -o %t/main.o 2>%t/log
// RUN: hetcc -dc -DOTHER %s -o %t/other.o 2>>%t/log
// RUN: FileCheck %s --check-prefix=WARNED < %t/log
// RUN: hetcc %t/main.o %t/other.o -o %t/two
// RUN: env HET_DEVICES=host %t/two | FileCheck %s --check-prefix=RAN
// RUN: not hetcc -DMAIN -DOTHER -Werror cross-execution-space-call -c %s -o %t/error.o 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: hetcc -dc -DOTHER %s -o %t/again.o 2>>%t/log
// RUN: not hetcc %t/main.o %t/other.o %t/again.o -o %t/twice 2>&1 | FileCheck %s --check-prefix=TWICE

// Functions for both sides that other files see, and call functions of the host: members,
// in namespaces, specialisations, declared before, called before they are defined. What
// they do besides is compiled, and they are defined once.

#include <cstdio>
#include <cstdlib>
#include <string>

struct Counter {
  int value;
  __host__ __device__ int next(int limit);
};
namespace names {
__host__ __device__ int twice(int x);
}
template <class T> __host__ __device__ int sizeOf(T) { return 1; }
template <> __host__ __device__ int sizeOf<double>(double x);
extern "C" __host__ __device__ int plain(int x);

#ifdef OTHER
int onHost(int x) { return (int)std::to_string(x).size(); }

// WARNED-DAG: host-calls-external.cu:[[# @LINE + 4]]:{{[0-9]+}}: warning: reference to __host__ function 'exit' in __host__ __device__ function
// ERROR-DAG: host-calls-external.cu:[[# @LINE + 3]]:{{[0-9]+}}: error: reference to __host__ function 'exit' in __host__ __device__ function
__host__ __device__ int Counter::next(int limit) {
  if (value >= limit)
    exit(3);
  return names::twice(++value);
}
namespace names {
// WARNED-DAG: host-calls-external.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: reference to __host__ function 'onHost' in __host__ __device__ function
__host__ __device__ int twice(int x) { return x < 0 ? onHost(x) : 2 * x; }
} // namespace names
template <> __host__ __device__ int sizeOf<double>(double x) {
  // WARNED-DAG: host-calls-external.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: reference to __host__ function 'onHost' in __host__ __device__ function
  return x < 0 ? onHost((int)x) : 8;
}
extern "C" __host__ __device__ int plain(int x) { return x < 0 ? onHost(x) : x + 1; }
// WARNED-NOT: {{error:|inline function}}
// Each is defined once in a program.
// TWICE-DAG: {{(multiple|duplicate).*}}plain
#endif

#ifdef MAIN
__global__ void kernel(Counter *counter, int *out) {
  out[0] = counter->next(100);
  out[1] = sizeOf(2.0) + sizeOf(2);
  out[2] = plain(out[2]);
}

int main() {
  Counter *counter;
  int *out;
  cudaMallocManaged(&counter, sizeof(Counter));
  cudaMallocManaged(&out, 3 * sizeof(int));
  counter->value = 20;
  out[2] = 6;
  kernel<<<1, 1>>>(counter, out);
  cudaError_t error = cudaDeviceSynchronize();
  // RAN: device: 42 9 7 cudaSuccess, host: 44 2
  std::printf("device: %d %d %d %s, host: %d %d\n", out[0], out[1], out[2],
              cudaGetErrorName(error), counter->next(100), names::twice(-10) - 1);
}
#endif
