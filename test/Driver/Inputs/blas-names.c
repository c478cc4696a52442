// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product by cuBLAS, which is linked, or opened by its name of a CUDA version (OPEN).

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>

#define TEXT(x) #x
#define NAME(library, number) "lib" library ".so." TEXT(number)

#ifdef OPEN
static void *find(const char *library, const char *name) {
  void *opened = dlopen(library, RTLD_NOW);
  if (!opened)
    fprintf(stderr, "%s\n", dlerror());
  return opened ? dlsym(opened, name) : NULL;
}
#define FIND(library, name)                                                              \
  __typeof__(name) *own_##name = (__typeof__(name) *)find(NAME(library, OPEN), #name)
#else
#define FIND(library, name) __typeof__(name) *own_##name = name
#endif

int main(void) {
  FIND("cublas", cublasCreate_v2);
  FIND("cublas", cublasSgemm_v2);
  FIND("cublas", cublasDestroy_v2);
  FIND("cudart", cudaMalloc);
  FIND("cudart", cudaMemcpy);
  const float numbers[3] = {2, 3, 0}, one = 1, zero = 0;
  float result = 0;
  void *memory = NULL;
  cublasHandle_t handle = NULL;
  if (own_cublasCreate_v2(&handle) || own_cudaMalloc(&memory, sizeof(numbers)) ||
      own_cudaMemcpy(memory, numbers, sizeof(numbers), cudaMemcpyHostToDevice))
    return 1;
  float *a = (float *)memory;
  if (own_cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, &one, a, 1, a + 1, 1,
                         &zero, a + 2, 1) ||
      own_cudaMemcpy(&result, a + 2, sizeof(result), cudaMemcpyDeviceToHost) ||
      own_cublasDestroy_v2(handle))
    return 1;
  printf("2 * 3 = %g\n", result);
  return 0;
}
