// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a queue's flag: by a copy, or by one that was armed ahead.

#include "ParkingFlag.h"
#include "PTXDevice.h"
#include "het/Base/Environment.h"

#include <algorithm>
#include <cstdlib>

namespace het::ptx {

/// With fewer connections to the GPU than it has unless told otherwise, a stream that
/// waits holds up others (measured: every one of 96 with one connection, half with two,
/// none with eight).
static bool hasUsualConnections() {
  constexpr int usual = 8;
  auto connections = environment::text(Variable::DeviceConnections);
  return !connections || std::atoi(connections->c_str()) >= usual;
}

static constexpr size_t valueWords =
    HET_SUSPEND_FLAGS * HET_SUSPEND_FLAG_STRIDE / sizeof(uint32_t);
/// In words of ParkingFlag::values.
static constexpr size_t armedAt = 2 * valueWords, signalAt = 3 * valueWords;

ParkingFlag::ParkingFlag(const Driver &driver)
    : driver(driver), canArm(hasUsualConnections()) {}

CUresult ParkingFlag::open(CUstream queue) {
  if (beside)
    return CUDA_SUCCESS;
  if (CUresult result = values.reserve(driver, (signalAt + 1) * sizeof(uint32_t)))
    return result;
  if (CUresult result = copies.reserve(driver, 2 * bytes))
    return result;
  if (CUresult result = driver.cuMemsetD8Async(neverSet(), 0, bytes, queue))
    return result;
  auto *words = values.as<uint32_t>();
  std::fill_n(words, signalAt + 1, 0);
  std::fill_n(words + valueWords, valueWords, 1);
  if (!written)
    if (CUresult result = driver.cuEventCreate(&written, CU_EVENT_DISABLE_TIMING))
      return result;
  return driver.cuStreamCreate(&beside, CU_STREAM_NON_BLOCKING);
}

CUresult ParkingFlag::release() {
  CUresult results[] = {beside ? driver.cuStreamDestroy(beside) : CUDA_SUCCESS,
                        written ? driver.cuEventDestroy(written) : CUDA_SUCCESS,
                        copies.release(driver), values.release(driver)};
  beside = nullptr;
  written = nullptr;
  auto *failed = std::find_if(std::begin(results), std::end(results),
                              [](CUresult result) { return result != CUDA_SUCCESS; });
  return failed == std::end(results) ? CUDA_SUCCESS : *failed;
}

CUresult ParkingFlag::write(uint32_t to) {
  CUresult result = driver.cuMemcpyAsync(
      address(), values.address() + to * valueWords * sizeof(uint32_t), bytes, beside);
  if (result == CUDA_SUCCESS)
    value = to;
  return result;
}

bool ParkingFlag::setArmed() {
  if (!isArmed)
    return value != 0;
  auto *words = values.as<uint32_t>();
  std::fill_n(words + armedAt, valueWords, 1);
  __atomic_store_n(words + signalAt, number, __ATOMIC_RELEASE);
  isArmed = false;
  value = 1;
  return true;
}

CUresult ParkingFlag::set() { return setArmed() ? CUDA_SUCCESS : write(1); }

CUresult ParkingFlag::clear(CUstream queue) {
  if (!value)
    return CUDA_SUCCESS;
  CUresult result = write(0);
  if (result == CUDA_SUCCESS)
    result = driver.cuEventRecord(written, beside);
  if (result == CUDA_SUCCESS)
    result = driver.cuStreamWaitEvent(queue, written, 0);
  value = result == CUDA_SUCCESS ? 0 : 1; // else again
  return result;
}

CUresult ParkingFlag::arm(CUstream queue) {
  if (!canArm || isArmed || value)
    return CUDA_SUCCESS;
  if (CUresult result = driver.cuStreamQuery(queue); result != CUDA_ERROR_NOT_READY)
    return result;
  std::fill_n(values.as<uint32_t>() + armedAt, valueWords, 0);
  const CUdeviceptr signal = values.address() + signalAt * sizeof(uint32_t);
  ++number;
  // In this order: it holds where both are one stream to the GPU, too.
  CUresult result = driver.cuStreamWriteValue32(queue, signal, number, 0);
  if (result == CUDA_SUCCESS)
    result = driver.cuStreamWaitValue32(beside, signal, number, CU_STREAM_WAIT_VALUE_GEQ);
  if (result) {
    canArm = false;
    return isFatal(result) ? result : CUDA_SUCCESS;
  }
  result = driver.cuMemcpyAsync(address(), values.address() + armedAt * sizeof(uint32_t),
                                bytes, beside);
  isArmed = result == CUDA_SUCCESS;
  return result;
}

} // namespace het::ptx
