// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the SPIR-V target says it can do, for the contract suite, on an OpenCL device that
// shares the host's memory; without one the suite is skipped.

#include "Contract.h"

#include <cstdlib>
#include <dlfcn.h>

namespace het::contract {

static std::string findDevice() {
  setenv("HET_SPIRV_DOOR", "opencl", 1);
  void *plugin = dlopen(HET_TEST_TARGETS "/het-spirv-device.so", RTLD_NOW | RTLD_LOCAL);
  if (!plugin)
    return ""; // the suite says so
  uint32_t count = 0;
  HetStatus status = {};
  auto entry = reinterpret_cast<HetDeviceEntry>(dlsym(plugin, "hetDeviceABI"));
  return entry()->probe(&count, &status) == HET_OK ? "" : status.message;
}

const Subject &subject() {
  static const Subject spirv = {"spirv",
                                HET_TEST_TARGETS,
                                {Capability::Launches, Capability::RunsCode,
                                 Capability::Suspends, Capability::SharesMemory},
                                findDevice,
                                nullptr};
  return spirv;
}

} // namespace het::contract
