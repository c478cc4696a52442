// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls functions of the program from a stream, where they may not use the API.

#include "HostFunction.h"
#include "Errors.h"
#include "core/Runtime.h"

#include <map>
#include <mutex>

namespace het::cuda {

static thread_local bool isInside = false;

bool insideHostFunction() { return isInside; }

cudaError_t refuseCaller() {
  if (core::Runtime::isForked())
    return cudaErrorInitializationError;
  return isInside ? cudaErrorNotPermitted : cudaSuccess;
}

void callHostFunction(cudaHostFn_t function, void *data) {
  const cudaError_t before = cudaGetLastError();
  isInside = true;
  function(data);
  isInside = false;
  cudaGetLastError(); // is nobody else's on this thread
  remember(before);
}

void callInterned(void *data) {
  const auto *operation = static_cast<const HostOperation *>(data);
  callHostFunction(operation->function, operation->data);
}

void *intern(const HostOperation &operation) {
  using Key = std::pair<cudaHostFn_t, void *>;
  static auto *all = new std::map<Key, HostOperation>;
  static auto *mutex = new std::mutex;
  std::lock_guard<std::mutex> lock(*mutex);
  return &all->try_emplace({operation.function, operation.data}, operation).first->second;
}

} // namespace het::cuda
