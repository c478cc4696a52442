// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// load_package PACKAGE KERNEL: loads a package from a file and finds a kernel in it.
#include <cstdio>
#include <cuda.h>

int main(int, char **arguments) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUresult result = cuInit(0);
  if (!result)
    result = cuDeviceGet(&device, 0);
  if (!result)
    result = cuDevicePrimaryCtxRetain(&context, device);
  if (!result)
    result = cuCtxSetCurrent(context);
  if (!result)
    result = cuModuleLoad(&module, arguments[1]);
  if (!result)
    result = cuModuleGetFunction(&function, module, arguments[2]);
  std::printf("result %d\n", result);
  return result;
}
