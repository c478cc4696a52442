// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cholesky's factor of [4 6; 6 25] by cuSOLVER, which is linked, or opened by its name
// (OPEN).

#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <dlfcn.h>
#include <stdio.h>

#ifdef OPEN
#define FIND(name)                                                                       \
  __typeof__(name) *own_##name =                                                         \
      (__typeof__(name) *)dlsym(dlopen("libcusolver.so.11", RTLD_NOW), #name)
#else
#define FIND(name) __typeof__(name) *own_##name = name
#endif

int main(void) {
  FIND(cusolverDnCreate);
  FIND(cusolverDnDpotrf);
  double matrix[] = {4, 6, 6, 25}, *a = NULL;
  int failed = -1, *info = NULL;
  cusolverDnHandle_t handle;
  if (cudaMalloc((void **)&a, sizeof matrix) ||
      cudaMalloc((void **)&info, sizeof failed) ||
      cudaMemcpy(a, matrix, sizeof matrix, cudaMemcpyHostToDevice))
    return 1;
  if (own_cusolverDnCreate(&handle) ||
      own_cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, 2, a, 2, NULL, 0, info) ||
      cudaMemcpy(matrix, a, sizeof matrix, cudaMemcpyDeviceToHost) ||
      cudaMemcpy(&failed, info, sizeof failed, cudaMemcpyDeviceToHost))
    return 2;
  printf("%g %g %g, %d\n", matrix[0], matrix[1], matrix[3], failed);
  return 0;
}
