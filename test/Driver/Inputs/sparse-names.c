// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse vector into a dense one by cuSPARSE, which is linked, or opened by its name
// (OPEN).

#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <dlfcn.h>
#include <stdio.h>

#ifdef OPEN
#define FIND(name)                                                                       \
  __typeof__(name) *own_##name =                                                         \
      (__typeof__(name) *)dlsym(dlopen("libcusparse.so.12", RTLD_NOW), #name)
#else
#define FIND(name) __typeof__(name) *own_##name = name
#endif

int main(void) {
  FIND(cusparseCreate);
  FIND(cusparseCreateSpVec);
  FIND(cusparseCreateDnVec);
  FIND(cusparseScatter);
  const int indices[] = {0, 1, 3};
  const float values[] = {2, 3, 5};
  float result[4], *y = NULL, *x = NULL;
  int *places = NULL;
  cusparseHandle_t handle;
  cusparseSpVecDescr_t sparse;
  cusparseDnVecDescr_t dense;
  if (cudaMalloc((void **)&places, sizeof indices) ||
      cudaMalloc((void **)&x, sizeof values) || cudaMalloc((void **)&y, sizeof result) ||
      cudaMemset(y, 0, sizeof result) ||
      cudaMemcpy(places, indices, sizeof indices, cudaMemcpyHostToDevice) ||
      cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice))
    return 1;
  if (own_cusparseCreate(&handle) ||
      own_cusparseCreateSpVec(&sparse, 4, 3, places, x, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) ||
      own_cusparseCreateDnVec(&dense, 4, y, CUDA_R_32F) ||
      own_cusparseScatter(handle, sparse, dense) ||
      cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost))
    return 2;
  printf("%g %g %g %g\n", result[0], result[1], result[2], result[3]);
  return 0;
}
