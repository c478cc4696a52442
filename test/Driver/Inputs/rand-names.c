// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a host generator of cuRAND, which is linked, or opened by its name (OPEN).

#include <curand.h>
#include <dlfcn.h>
#include <stdio.h>

#ifdef OPEN
#define FIND(name)                                                                       \
  __typeof__(name) *own_##name =                                                         \
      (__typeof__(name) *)dlsym(dlopen("libcurand.so.10", RTLD_NOW), #name)
#else
#define FIND(name) __typeof__(name) *own_##name = name
#endif

int main(void) {
  FIND(curandCreateGeneratorHost);
  FIND(curandGenerate);
  FIND(curandDestroyGenerator);
  unsigned numbers[4];
  curandGenerator_t generator;
  if (own_curandCreateGeneratorHost(&generator, CURAND_RNG_QUASI_SOBOL32) ||
      own_curandGenerate(generator, numbers, 4) || own_curandDestroyGenerator(generator))
    return 1;
  printf("%x %x %x %x\n", numbers[0], numbers[1], numbers[2], numbers[3]);
  return 0;
}
