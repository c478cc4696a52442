// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Level Zero loader as a table of functions, opened at run time, and its devices.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZERO_H
#define HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZERO_H

#include "../Door.h"
#include "../DriverFunction.h"
#include "LevelZeroTypes.h"

namespace het::spirv {

struct LevelZero {
#define LEVEL_ZERO_FUNCTION(name, parameters) DriverFunction<ze_result_t parameters> name;
#include "LevelZeroFunctions.def"

  /// The process's library, opened by the first call that succeeds; null with a status
  /// that says what is missing. HET_LEVEL_ZERO_LIBRARY names another file than
  /// libze_loader.so.1.
  static const LevelZero *open(HetStatus *status);
};

/// "the device is lost (ZE_RESULT_ERROR_DEVICE_LOST)".
std::string resultText(ze_result_t result);
/// Whether the result says that the device is gone.
bool isLost(ze_result_t result);
/// Whether it says that some memory is used up.
bool isOutOfMemory(ze_result_t result);

/// A GPU that can run what the lowering makes, and what it says of itself.
struct LevelZeroGPU {
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  uint32_t driverVersion = 0;
  ze_device_properties_t properties;
  ze_device_compute_properties_t compute;
  ze_device_module_properties_t module;
  ze_device_memory_access_properties_t access;
  uint32_t queueGroup = 0; ///< takes kernels and copies
};

/// The GPUs of all drivers. `offers.reason` says why one or all are left out.
void findOffers(const LevelZero &ze, Offers &offers);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZERO_H
