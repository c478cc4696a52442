// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the driver through pointers that have its functions' names, as programs do that
// open it themselves, and the runtime by its functions.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <dlfcn.h>

extern "C" {
int (*cuInit)(unsigned);
int (*cuDeviceGetCount)(int *);
}

int main() {
  int devices = 0, again = 0;
  if (cudaGetDeviceCount(&devices))
    return 1;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver)
    return 2;
  cuInit = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  cuDeviceGetCount = reinterpret_cast<int (*)(int *)>(dlsym(driver, "cuDeviceGetCount"));
  if (!cuInit || !cuDeviceGetCount || cuInit(0) || cuDeviceGetCount(&again))
    return 3;
  std::printf("devices %d %d\n", devices, again);
}
