// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures and their texts, and the types of elements.

#include "Library.h"

#include "het/Base/Log.h"

#include <cerrno>
#include <cstring>
#include <mutex>

namespace het::nccl {
namespace {

std::mutex mutex;
std::string &latest() {
  static std::string &text = *new std::string; // for threads that outlive statics
  return text;
}

} // namespace

ncclResult_t report(const Outcome &outcome) {
  if (outcome.ok() || outcome.code == ncclInProgress)
    return outcome.code;
  static const Status logging = setUpLog("het");
  log(Level::Warn, "NCCL: %s (%s)", outcome.text.c_str(),
      ncclGetErrorString(outcome.code));
  std::lock_guard<std::mutex> lock(mutex);
  latest() = outcome.text;
  return outcome.code;
}

ncclResult_t refuse(const char *function, const std::string &why) {
  return report(
      {ncclInvalidUsage, std::string(function) + ": not supported, for " + why});
}

const char *lastText() {
  thread_local std::string copy;
  std::lock_guard<std::mutex> lock(mutex);
  copy = latest();
  return copy.c_str();
}

Outcome cudaFailure(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return {};
  return {ncclUnhandledCudaError, std::string(what) + ": " + cudaGetErrorString(error)};
}

Outcome systemFailure(const std::string &what) {
  return {ncclSystemError, what + ": " + std::strerror(errno)};
}

bool isType(ncclDataType_t type) { return type >= 0 && type < ncclNumTypes; }

size_t sizeOf(ncclDataType_t type) {
  constexpr unsigned char sizes[ncclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return isType(type) ? sizes[type] : 0;
}

} // namespace het::nccl

const char *ncclGetErrorString(ncclResult_t result) {
  switch (result) {
  case ncclSuccess:
    return "no error";
  case ncclUnhandledCudaError:
    return "unhandled cuda error";
  case ncclSystemError:
    return "unhandled system error";
  case ncclInternalError:
    return "internal error";
  case ncclInvalidArgument:
    return "invalid argument";
  case ncclInvalidUsage:
    return "invalid usage";
  case ncclRemoteError:
    return "remote process exited or there was a network error";
  case ncclInProgress:
    return "NCCL operation in progress";
  default:
    return "unknown result code";
  }
}
