// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the program that a stream calls. They must not use the API: a stream does
// not go on before its function has returned, so waiting there may be for ever, and CUDA
// answers cudaErrorNotPermitted.

#ifndef HET_RUNTIME_CUDA_HOSTFUNCTION_H
#define HET_RUNTIME_CUDA_HOSTFUNCTION_H

#include "Operation.h"

namespace het::cuda {

/// Calls a function for a stream, with a ThreadState of its own: the thread may be one of
/// the program that waits for the stream.
void callHostFunction(cudaHostFn_t function, void *data);

/// Whether this thread is inside of one.
bool insideHostFunction();

/// Why this thread may not use the API: cudaErrorNotPermitted inside of a host function,
/// cudaErrorInitializationError in a child that fork() made of a process with devices.
/// Part of beginCall() and of the driver API's requireContext().
cudaError_t refuseCaller();

/// The same call as a target's graph makes it: `data` is a HostOperation.
void callHeld(void *data);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_HOSTFUNCTION_H
