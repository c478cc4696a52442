// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact's bytes, opened as a shared library.

#ifndef HET_LIB_TARGET_HOST_DEVICE_KERNELLIBRARY_H
#define HET_LIB_TARGET_HOST_DEVICE_KERNELLIBRARY_H

#include "het/Target/TargetABI.h"

#include <cstddef>
#include <cstdint>

namespace het::host {

/// The library, for dlclose; null, and a report in `status`, where it cannot be opened.
void *openLibrary(const uint8_t *data, size_t size, HetStatus *status);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_DEVICE_KERNELLIBRARY_H
