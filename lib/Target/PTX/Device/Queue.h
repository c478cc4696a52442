// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts work into a queue, with the context and the checks that it takes.

#ifndef HET_LIB_TARGET_PTX_DEVICE_QUEUE_H
#define HET_LIB_TARGET_PTX_DEVICE_QUEUE_H

#include "PTXDevice.h"

namespace het::ptx {

/// A launch's arguments as the driver takes them: a pointer to each and not all of them
/// packed, for the machine's own layout differs from the package's where one is aligned
/// to more than 16.
class ArgumentPointers {
public:
  /// `last`: one more, which the launch does not have; or null.
  explicit ArgumentPointers(const HetLaunch &launch, void *last = nullptr)
      : count(launch.artifact->parameterOffsets.size()),
        many(count + 1 > usualCount ? count + 1 : 0) {
    const std::vector<uint32_t> &offsets = launch.artifact->parameterOffsets;
    auto *packed = static_cast<uint8_t *>(const_cast<void *>(launch.arguments));
    for (size_t i = 0; i < count; ++i) {
      isWhole &= offsets[i] < launch.argumentBytes;
      data()[i] = packed + offsets[i];
    }
    if (last)
      data()[count] = last;
  }
  ArgumentPointers(const ArgumentPointers &) = delete;

  /// Whether the launch has as many arguments as the kernel has parameters.
  bool areWhole() const { return isWhole; }
  void **data() { return many.empty() ? usual : many.data(); }

private:
  static constexpr size_t usualCount = 64; ///< So many take no allocation.

  const size_t count;
  bool isWhole = true;
  void *usual[usualCount];
  std::vector<void *> many;
};

/// Calls `work(driver, stream)` in the queue's context. Takes the work and does not do
/// it where the device has a fault.
template <class Work>
int32_t enqueue(HetQueue *queue, const char *what, HetStatus *status, Work work) {
  HetDevice &device = *queue->device;
  if (device.hasFault())
    return success(status);
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS)
    result = work(device.driver, queue->stream);
  return device.checkWork(result, queue, what, status);
}

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_DEVICE_QUEUE_H
