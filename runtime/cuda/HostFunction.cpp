// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls functions of the program from a stream, where they may not use the API.

#include "HostFunction.h"
#include "ThreadState.h"
#include "core/Runtime.h"
#include "driver/Driver.h"

#include <utility>

namespace het::cuda {

bool insideHostFunction() { return threadState().isInHostFunction; }

cudaError_t refuseCaller() {
  if (core::Runtime::isForked())
    return cudaErrorInitializationError;
  return insideHostFunction() ? cudaErrorNotPermitted : cudaSuccess;
}

void callHostFunction(cudaHostFn_t function, void *data) {
  const ThreadState before = std::exchange(threadState(), ThreadState());
  threadState().isInHostFunction = true;
  function(data);
  driver::releaseContexts();
  threadState() = before;
}

void callHeld(void *data) {
  const auto *operation = static_cast<const HostOperation *>(data);
  callHostFunction(operation->function, operation->data);
}

} // namespace het::cuda
