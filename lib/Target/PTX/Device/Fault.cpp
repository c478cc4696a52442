// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's results: which of them are a device's fault, and what is said of them.

#include "PTXDevice.h"

using namespace het::ptx;

namespace {

/// One of HET_FAULT_…; HET_FAULT_NONE where the context lives on.
int32_t faultOf(CUresult result) {
  switch (result) {
  case CUDA_ERROR_ASSERT:
    return HET_FAULT_ASSERT;
  case CUDA_ERROR_LAUNCH_FAILED:
    return HET_FAULT_TRAP;
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    return HET_FAULT_ILLEGAL_INSTRUCTION;
  case CUDA_ERROR_MISALIGNED_ADDRESS:
    return HET_FAULT_MISALIGNED_ADDRESS;
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
    return HET_FAULT_ILLEGAL_ADDRESS;
  case CUDA_ERROR_LAUNCH_TIMEOUT:
    return HET_FAULT_DEADLOCK;
  case CUDA_ERROR_DEINITIALIZED: // the process is ending
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_CONTAINED:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
  case CUDA_ERROR_EXTERNAL_DEVICE:
  case CUDA_ERROR_UNKNOWN:
    return HET_FAULT_LOST;
  default:
    return HET_FAULT_NONE;
  }
}

} // namespace

namespace het::ptx {

bool isFatal(CUresult result) { return faultOf(result) != HET_FAULT_NONE; }

std::string kernelText(const std::string &name) {
  constexpr size_t longest = 200;
  if (name.size() <= longest)
    return "kernel '" + name + "'";
  return "kernel '" + name.substr(0, longest) + "…'";
}

uint64_t nextSerial() {
  static std::atomic<uint64_t> latest{0};
  return latest.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace het::ptx

std::string HetDevice::text() const {
  return "device " + std::to_string(ordinal) + " (" + facts.name + ")";
}

void HetDevice::setFault(int32_t kind, CUresult result, const HetQueue *queue) {
  std::lock_guard<std::mutex> lock(mutex);
  if (faultKind.load(std::memory_order_relaxed) != HET_FAULT_NONE)
    return;
  faultMessage = text() + ": " + driver.text(result);
  if (const HetArtifact *kernel = queue ? queue->latest.load() : nullptr)
    faultMessage += "; the latest of the queue is " + kernelText(kernel->kernel);
  faultKind.store(kind, std::memory_order_release);
}

bool HetDevice::failed(CUresult result, const HetQueue *queue) {
  const int32_t kind = faultOf(result);
  if (kind != HET_FAULT_NONE)
    setFault(kind, result, queue);
  return kind != HET_FAULT_NONE;
}

void HetDevice::checkWait(CUresult result, const HetQueue *queue) {
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_READY)
    return;
  const int32_t kind = faultOf(result);
  setFault(kind == HET_FAULT_NONE ? HET_FAULT_LOST : kind, result, queue);
}

int32_t HetDevice::check(CUresult result, int32_t code, const std::string &what,
                         HetStatus *status) {
  if (result == CUDA_SUCCESS)
    return success(status);
  if (failed(result))
    code = HET_UNAVAILABLE;
  return report(status, code, what + ": " + driver.text(result));
}

int32_t HetDevice::checkWork(CUresult result, const HetQueue *queue, const char *what,
                             HetStatus *status) {
  if (result == CUDA_SUCCESS || failed(result, queue))
    return success(status);
  int32_t code = HET_INTERNAL;
  if (result == CUDA_ERROR_INVALID_VALUE)
    code = HET_INVALID;
  else if (result == CUDA_ERROR_OUT_OF_MEMORY)
    code = HET_UNAVAILABLE;
  return report(status, code, std::string(what) + ": " + driver.text(result));
}
