// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads on the host what kernels have left in memory (het/DeviceABI/Services.h).

#ifndef HET_LIB_TARGET_SUPPORT_SERVICERECORDS_H
#define HET_LIB_TARGET_SUPPORT_SERVICERECORDS_H

#include "het/DeviceABI/Services.h"

#include <string>

namespace het::target {

/// Prints what kernels printed, and the assertions that failed. `used`: of the output,
/// at most its size.
void carryOutRecords(const uint8_t *output, uint64_t used);

/// A fault: its message, for a kernel with a mangled name, and which of HET_FAULT_… it
/// is.
struct ServiceFault {
  int32_t kind;
  std::string text;
};
ServiceFault serviceFault(uint32_t fault, const std::string &kernel);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_SERVICERECORDS_H
