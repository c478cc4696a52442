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

/// How loudly to say why: what a program does wrong it learns by the code; what
/// we cannot do, or do wrong, the user must hear.
static Level levelOf(Code code) {
  return code == Code::Internal      ? Level::Error
         : code == Code::Unsupported ? Level::Warn
                                     : Level::Info;
}

cudaError_t translate(const Status &status, cudaError_t otherwise) {
  if (status.ok())
    return cudaSuccess;
  log(levelOf(status.code), "%s", status.text().c_str());
  switch (status.code) {
  case Code::Unsupported:
    return cudaErrorNotSupported;
  case Code::Internal:
    return cudaErrorUnknown;
  default:
    return otherwise;
  }
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
