// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transform of two numbers by cuFFT, which is linked, or opened by its name of a CUDA
// version (OPEN).

#include <cuda_runtime_api.h>
#include <cufftXt.h>
#include <dlfcn.h>
#include <stdio.h>

#define TEXT(x) #x
#define NAME(library, number) "lib" library ".so." TEXT(number)

#ifdef OPEN
static void *find(const char *name) {
  void *opened = dlopen(NAME("cufft", OPEN), RTLD_NOW);
  if (!opened)
    fprintf(stderr, "%s\n", dlerror());
  // The runtime comes with it.
  void *found = opened ? dlsym(opened, name) : NULL;
  return found ? found : dlsym(dlopen("libcudart.so.12", RTLD_NOW), name);
}
#define FIND(name) __typeof__(name) *own_##name = (__typeof__(name) *)find(#name)
#else
#define FIND(name) __typeof__(name) *own_##name = name
#endif

int main(void) {
  FIND(cufftCreate);
  FIND(cufftXtSetGPUs);
  FIND(cufftMakePlan1d);
  FIND(cufftExecC2C);
  FIND(cufftDestroy);
  FIND(cudaMalloc);
  FIND(cudaMemcpy);
  cufftComplex numbers[2] = {{2, 0}, {3, 0}};
  void *memory = NULL;
  cufftHandle plan;
  int devices[2] = {0, 1};
  size_t work;
  if (own_cufftCreate(&plan) ||
      own_cufftXtSetGPUs(plan, 2, devices) != CUFFT_NOT_IMPLEMENTED ||
      own_cufftMakePlan1d(plan, 2, CUFFT_C2C, 1, &work) ||
      own_cudaMalloc(&memory, sizeof(numbers)) ||
      own_cudaMemcpy(memory, numbers, sizeof(numbers), cudaMemcpyHostToDevice))
    return 1;
  if (own_cufftExecC2C(plan, memory, memory, CUFFT_FORWARD) ||
      own_cudaMemcpy(numbers, memory, sizeof(numbers), cudaMemcpyDeviceToHost) ||
      own_cufftDestroy(plan))
    return 1;
  printf("2 + 3 = %g, 2 - 3 = %g\n", numbers[0].x, numbers[1].x);
  return 0;
}
