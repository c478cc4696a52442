// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of Unsupported.def.

#include "Nvml.h"

#include <cstdint>

namespace het::nvml {

using Word = uintptr_t;

Word handOverAny(const char *name, Word device, Word b, Word c, Word d, Word e, Word f);
Word refuseAny(const char *name);

Word handOverAny(const char *name, Word device, Word b, Word c, Word d, Word e, Word f) {
  const auto handle = reinterpret_cast<nvmlDevice_t>(device);
  if (!initialised())
    return NVML_ERROR_UNINITIALIZED;
  if (!isDevice(handle))
    return NVML_ERROR_INVALID_ARGUMENT;
  using Function = nvmlReturn_t(nvmlDevice_t, Word, Word, Word, Word, Word);
  auto *theirs =
      handle->theirs ? reinterpret_cast<Function *>(theirFunction(name)) : nullptr;
  return theirs ? theirs(handle->theirs, b, c, d, e, f) : refuse(name);
}

Word refuseAny(const char *name) {
  return initialised() ? refuse(name) : NVML_ERROR_UNINITIALIZED;
}

} // namespace het::nvml
