// REQUIRES: hetcc
// RUN: not hetcc --het-emit=hetir %s -o %t.mlir 2>&1 | FileCheck %s

// Local and shared objects are aligned to 128 bytes at most; more is refused.

struct alignas(256) Page {
  int at[64];
};
struct alignas(128) Line {
  int at[32];
};

// CHECK-DAG: alignment.cu:{{.*}}error: the shared object 'shared(Page*)::page' is aligned to 256 bytes; more than 128 is not supported yet
__global__ void shared(Page *out) {
  __shared__ Page page;
  page.at[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[0].at[threadIdx.x] = page.at[63 - threadIdx.x];
}

// CHECK-DAG: alignment.cu:{{.*}}error: a local object of 'local(int*, int)' is aligned to 256 bytes; more than 128 is not supported yet
__global__ void local(int *out, int i) {
  Page page;
  for (int j = 0; j < 64; ++j)
    page.at[j] = out[j];
  out[0] = page.at[i];
}

// CHECK-DAG: alignment.cu:{{.*}}error: parameter 1 of 'parameter(Page, int*)' is aligned to 256 bytes; more than 128 is not supported yet
__global__ void parameter(Page page, int *out) { out[0] = page.at[out[1]]; }

// CHECK-NOT: line
__global__ void line(Line given, int *out) {
  __shared__ Line line;
  line.at[threadIdx.x] = given.at[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = line.at[31 - threadIdx.x];
}

__device__ Page inGlobalMemory;
