// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last error of each thread, and how failures of the layers below become
// CUDA's codes.

#include "Errors.h"
#include "ThreadState.h"

#include "het/Base/Log.h"

#include <cxxabi.h>
#include <new>
#include <stdexcept>
#include <utility>

namespace het::cuda {

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady)
    threadState().lastError = error;
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

static cudaError_t errorOfException() {
  try {
    throw;
  } catch (abi::__forced_unwind &) {
    throw; // the thread is being cancelled
  } catch (const std::bad_alloc &) {
    return cudaErrorMemoryAllocation;
  } catch (const std::length_error &) {
    return cudaErrorMemoryAllocation;
  } catch (const std::exception &error) {
    log(Level::Error, "a call of the API: %s", error.what());
    return cudaErrorUnknown;
  }
}

ExceptionAnswer::operator cudaError_t() const { return remember(errorOfException()); }

ExceptionAnswer::operator CUresult() const {
  return static_cast<CUresult>(errorOfException()); // the numbers agree
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

using het::cuda::threadState;

cudaError_t cudaGetLastError() try {
  return std::exchange(threadState().lastError, cudaSuccess);
}
HET_CATCH

cudaError_t cudaPeekAtLastError() try { return threadState().lastError; }
HET_CATCH
