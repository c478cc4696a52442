// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks NVML for the devices, as a program that was linked with -lnvidia-ml.
#include <cstdio>
#include <nvml.h>

int main() {
  unsigned count = 0;
  nvmlReturn_t found = nvmlInit_v2();
  if (found == NVML_SUCCESS)
    found = nvmlDeviceGetCount_v2(&count);
  std::printf("%s, %u device\n", nvmlErrorString(found), count);
}
