// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last error of each thread, and how failures of the layers below become
// CUDA's codes.

#include "Errors.h"

#include "het/Base/Log.h"

namespace het::cuda {

/// Trivially destructible, so that it serves until the thread is gone.
static thread_local cudaError_t lastError = cudaSuccess;

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady)
    lastError = error;
  return error;
}

cudaError_t translate(const Status &status, cudaError_t otherwise) {
  if (status.ok())
    return cudaSuccess;
  log(Level::Info, "%s", status.text().c_str());
  switch (status.code) {
  case Code::Ok:
    return cudaSuccess;
  case Code::Invalid:
  case Code::Unavailable:
    return otherwise;
  case Code::Unsupported:
    log(Level::Warn, "%s", status.text().c_str());
    return cudaErrorNotSupported;
  case Code::Internal:
    log(Level::Error, "%s", status.text().c_str());
    return cudaErrorUnknown;
  }
  return cudaErrorUnknown;
}

static void sayOnce(const char *what, std::atomic<bool> &said) {
  if (said.exchange(true, std::memory_order_relaxed))
    return;
  log(Level::Warn, "%s: not supported by this version", what);
}

cudaError_t notSupported(const char *what, std::atomic<bool> &said) {
  sayOnce(what, said);
  return remember(cudaErrorNotSupported);
}

// For Unsupported.cpp, which cannot see the headers' types.
int refuseRuntimeCall(const char *name, std::atomic<bool> &said) {
  return notSupported(name, said);
}

int refuseDriverCall(const char *name, std::atomic<bool> &said) {
  sayOnce(name, said);
  return CUDA_ERROR_NOT_SUPPORTED;
}

} // namespace het::cuda

using het::cuda::lastError;

cudaError_t cudaGetLastError() {
  cudaError_t error = lastError;
  lastError = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return lastError; }
