// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error rules of the runtime API.
//
// Each thread has a last error. Every entry point that fails with anything but
// cudaErrorNotReady leaves its code there; cudaGetLastError takes it away,
// cudaPeekAtLastError does not. A device that faulted (trap, assert, bad
// address) stays so: each later call that needs it fails with the same code
// until cudaDeviceReset. That part is kept by the device, not by the thread.

#ifndef HET_RUNTIME_CUDA_ERRORS_H
#define HET_RUNTIME_CUDA_ERRORS_H

#include "Api.h"

#include "het/Base/Status.h"

#include <atomic>

namespace het::cuda {

/// Notes a failure as this thread's last error. Returns its argument.
cudaError_t remember(cudaError_t error);

/// The CUDA code for a failure below this layer. `otherwise` is what an invalid
/// argument is called where the caller knows better than cudaErrorInvalidValue.
/// The message goes to the log (level info), since CUDA's codes cannot hold it.
cudaError_t translate(const Status &status,
                      cudaError_t otherwise = cudaErrorInvalidValue);

/// Warns once (per `said`) that `what` is not supported, and says so in CUDA's
/// terms.
cudaError_t notSupported(const char *what, std::atomic<bool> &said);

/// The same for the driver API, whose calls leave no last error.
int refuseDriverCall(const char *what, std::atomic<bool> &said);

/// The answer of a call in which something was thrown: mostly, that memory for the
/// runtime's own data was not to be had. To be converted where that is being caught.
struct ExceptionAnswer {
  operator cudaError_t() const; ///< Remembered as the thread's last error.
  operator CUresult() const;
};

} // namespace het::cuda

/// Ends each function of the API, whose body is a `try`: programs may be in C.
#define HET_CATCH                                                                        \
  catch (...) {                                                                          \
    return ::het::cuda::ExceptionAnswer();                                               \
  }

/// Returns cudaErrorNotSupported from the enclosing function after one warning.
#define HET_NOT_SUPPORTED(what)                                                          \
  do {                                                                                   \
    static std::atomic<bool> said{false};                                                \
    return ::het::cuda::notSupported(what, said);                                        \
  } while (false)

/// The same from a function of the driver API.
#define HET_NOT_SUPPORTED_DRIVER(what)                                                   \
  do {                                                                                   \
    static std::atomic<bool> said{false};                                                \
    return static_cast<CUresult>(::het::cuda::refuseDriverCall(what, said));             \
  } while (false)

#endif // HET_RUNTIME_CUDA_ERRORS_H
