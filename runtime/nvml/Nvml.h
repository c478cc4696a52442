// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that NVML's functions share: hetcc's devices as NVML's handles, and NVIDIA's
// own library for the devices that it knows as well.

#ifndef HET_RUNTIME_NVML_NVML_H
#define HET_RUNTIME_NVML_NVML_H

#include <cuda.h>
#pragma GCC visibility push(default)
#include <nvml.h>
#pragma GCC visibility pop

#include <cstddef>
#include <string>

/// A device of the runtime. The handle is the same for all calls of nvmlInit.
struct nvmlDevice_st {
  CUdevice ordinal;
  nvmlDevice_t theirs; ///< NVIDIA's handle for the same device; null: it knows none.
};

namespace het::nvml {

/// Counts one user more, and finds the devices at the first.
nvmlReturn_t initialise();
/// Counts one user less.
nvmlReturn_t shutDown();
bool initialised();

unsigned deviceCount();
/// The device of this number, which is below deviceCount().
nvmlDevice_t deviceAt(unsigned index);
/// Whether a handle is one of ours.
bool isDevice(const void *handle);

/// A function of NVIDIA's own library; null where that is not installed, or has none.
void *theirFunction(const char *name);

/// A code of the driver API as NVML's.
nvmlReturn_t convert(CUresult result);

/// Copies a text with its end, if there is room.
nvmlReturn_t copyText(const std::string &text, char *to, size_t room);

/// NVML_SUCCESS if there is a device of this handle, and the result has a place.
nvmlReturn_t check(nvmlDevice_t device, const void *result);

/// What a function that has no value of its own returns, the first time with a line in
/// the log (HET_LOG=info).
nvmlReturn_t refuse(const char *name);

/// Has NVIDIA's library answer for a device that it knows.
template <typename Function, typename... Arguments>
nvmlReturn_t handOver(Function *, const char *name, nvmlDevice_t device,
                      Arguments... arguments) {
  auto *function =
      device->theirs ? reinterpret_cast<Function *>(theirFunction(name)) : nullptr;
  return function ? function(device->theirs, arguments...) : NVML_ERROR_NOT_SUPPORTED;
}

} // namespace het::nvml

#endif // HET_RUNTIME_NVML_NVML_H
