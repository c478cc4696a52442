// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's driver library as a table of functions, opened at run time.

#ifndef HET_LIB_TARGET_PTX_DEVICE_DRIVER_H
#define HET_LIB_TARGET_PTX_DEVICE_DRIVER_H

#include "Compiler.h"
#include "DriverTypes.h"
#include "het/Target/TargetABI.h"

#include <string>

namespace het::ptx {

/// The oldest driver, as cuDriverGetVersion has it: CUDA 12.0, with PTX 8.0.
inline constexpr int oldestDriver = 12000;

struct Driver {
#define DRIVER_FUNCTION(name, symbol, parameters) CUresult(*name) parameters;
#include "DriverFunctions.def"
  // Null where it may be: DRIVER_OPTIONAL.
  int version;       ///< 1000 * major + 10 * minor
  Compiler compiler; ///< may be absent

  /// The process's driver, opened and initialised by the first call that succeeds; null
  /// with a status that says what is missing. HET_CUDA_DRIVER names another file than
  /// libcuda.so.1.
  static const Driver *open(HetStatus *status);

  /// "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)".
  std::string text(CUresult result) const;
};

/// "12.4".
std::string versionText(int version);

/// Fills in a status and returns its code.
int32_t report(HetStatus *status, int32_t code, const std::string &message);
/// Likewise; on the way of every launch.
inline int32_t success(HetStatus *status) {
  status->message[0] = 0;
  return status->code = HET_OK;
}

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_DEVICE_DRIVER_H
