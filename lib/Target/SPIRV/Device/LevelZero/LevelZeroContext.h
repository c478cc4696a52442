// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An open GPU: the context that calls of the driver are made in, and what their results
// mean for the device.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZEROCONTEXT_H
#define HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZEROCONTEXT_H

#include "LevelZero.h"

#include <atomic>
#include <string>

namespace het::spirv {

class LevelZeroContext {
public:
  /// `lost` is set once the driver says that the device is gone.
  LevelZeroContext(const LevelZero &ze, const LevelZeroGPU &gpu, std::atomic<bool> &lost)
      : ze(ze), gpu(gpu), lost(lost) {}
  ~LevelZeroContext();
  LevelZeroContext(const LevelZeroContext &) = delete;
  LevelZeroContext &operator=(const LevelZeroContext &) = delete;

  /// Creates the context, before all else.
  int32_t open(HetStatus *status);

  /// Remembers where the result says that the device is gone; true where it is an error.
  bool failed(ze_result_t result);
  /// The status of a result; `what` goes before its text. `code` is that of errors
  /// which are neither of memory nor the device's end.
  int32_t check(ze_result_t result, int32_t code, const std::string &what,
                HetStatus *status);

  const LevelZero &ze;
  const LevelZeroGPU gpu;
  ze_context_handle_t handle = nullptr;
  uint64_t granularity = 0; ///< of the window's memory

private:
  std::atomic<bool> &lost;
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_LEVELZERO_LEVELZEROCONTEXT_H
