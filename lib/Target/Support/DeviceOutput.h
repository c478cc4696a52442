// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats on the host what kernels print, for targets whose driver has no printf.

#ifndef HET_LIB_TARGET_SUPPORT_DEVICEOUTPUT_H
#define HET_LIB_TARGET_SUPPORT_DEVICEOUTPUT_H

#include <cstdint>

namespace het::target {

/// CUDA's device printf: formats packed arguments and keeps the text for flushOutput,
/// in one piece. Returns the number of arguments, or -1 without a format.
int32_t print(const char *format, const void *arguments);
/// Writes what kernels have printed so far: the host has waited for them.
void flushOutput();

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_DEVICEOUTPUT_H
