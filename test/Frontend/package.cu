// REQUIRES: hetcc, hetpkg
// RUN: hetcc --het-emit=hetpkg %s -o %t.hetpkg
// RUN: hetpkg show %t.hetpkg | FileCheck %s

// The package's records: parameters in C's layout, shared memory, variables.

struct Options {
  char flag;
  double scale;
};
__device__ const char *names[2] = {"one", "two"};

// CHECK: kernel(float*, Options, bool)
// CHECK: name{{ *}}_Z6kernelPf7Optionsb
// CHECK: parameters{{.*}} (8 at 0, 16 at 8, 1 at 24)
// CHECK: shared memory{{ *}}128 bytes
// CHECK: variables{{ *}}names, number
// CHECK: safe points{{ *}}1 entry ({{.*}}package.cu:[[#@LINE+5]]), 1 barrier ({{.*}}package.cu:[[#@LINE+8]]:3)
// CHECK: names: global, 16 bytes, initialised with 2 pointers
// CHECK: number: managed, 4 bytes
// CHECK: .str{{.*}}: global, 4 bytes, initialised
__device__ __managed__ int number = 4;
__global__ void kernel(float *p, Options options, bool on) {
  __shared__ float tile[32];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[0] = on ? number +  tile[1] * options.scale : names[options.flag][0];
}
