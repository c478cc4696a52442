// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the API keeps for each thread: its device and contexts, its last error and its
// modes. All of it is in one place, so that a function of the program that a stream calls
// on a thread finds none of that, and leaves none of its own there (HostFunction.h).

#ifndef HET_RUNTIME_CUDA_THREADSTATE_H
#define HET_RUNTIME_CUDA_THREADSTATE_H

#include "Api.h"

namespace het::cuda {

/// Trivially destructible: it serves until the thread is gone.
struct ThreadState {
  static constexpr unsigned maxContexts = 64;

  int device = 0; ///< The current one.
  cudaError_t lastError = cudaSuccess;
  cudaStreamCaptureMode captureMode = cudaStreamCaptureModeGlobal;
  /// The null stream is the thread's own.
  bool hasOwnDefaultStream = false;
  bool isInHostFunction = false;
  /// The driver API's stack of contexts, the current one last.
  unsigned contextCount = 0;
  CUcontext contexts[maxContexts] = {};
};

/// The calling thread's.
inline ThreadState &threadState() {
  static thread_local ThreadState state;
  return state;
}

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_THREADSTATE_H
