// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's back end: a function of ours hands its arguments to NVIDIA's function of
// the same name, which puts its work into the driver's stream.

#ifndef HET_LIBS_CUBLAS_VENDOR_H
#define HET_LIBS_CUBLAS_VENDOR_H

#include "Library.h"

#include <atomic>

namespace het::blas {

/// A function of NVIDIA's library; null if it has none of that name.
void *findVendorFunction(const char *name);

/// A handle of NVIDIA's behind one of ours.
class VendorHandle {
public:
  /// Opens NVIDIA's library, the first time, and makes a handle for the calling thread's
  /// device.
  static Status create(std::unique_ptr<VendorHandle> &made);
  ~VendorHandle();

  /// Gives it the settings of ours, and the stream. In a call of giveOrRecord.
  cublasStatus_t prepare(const cublasContext &ours, const libs::VendorStream &stream);
  /// What captured calls need to have for themselves.
  size_t workspaceFor(const cublasContext &ours) const {
    return ours.workspace ? 0 : capturedWorkspace;
  }
  cublasHandle_t get() const { return handle; }

private:
  int device = 0;
  size_t capturedWorkspace = 0;
  cublasHandle_t handle = nullptr;
  // What it has been given.
  bool hasStream = false; ///< One that is still there.
  cudaStream_t stream = nullptr;
  void *workspace = nullptr;
  size_t workspaceSize = 0;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
  int smCountTarget = 0;
};

/// A function of NVIDIA's, looked for once.
class VendorFunction {
public:
  constexpr explicit VendorFunction(const char *name) : name(name) {}
  void *get() {
    if (!isKnown.load(std::memory_order_acquire)) {
      function.store(findVendorFunction(name), std::memory_order_relaxed);
      isKnown.store(true, std::memory_order_release);
    }
    return function.load(std::memory_order_relaxed);
  }

private:
  const char *name;
  std::atomic<bool> isKnown{false};
  std::atomic<void *> function{nullptr};
};

/// Calls NVIDIA's function with the parameters of ours, which has the same types. Nothing
/// where kernels are to do it.
template <class... Parameters>
std::optional<cublasStatus_t> callVendor(cublasHandle_t handle, VendorFunction &vendor,
                                         Parameters... parameters) {
  if (!handle || !handle->vendor)
    return std::nullopt;
  using Function = cublasStatus_t(cublasHandle_t, Parameters...);
  auto *function = reinterpret_cast<Function *>(vendor.get());
  if (!function)
    return std::nullopt;
  cublasStatus_t status = CUBLAS_STATUS_EXECUTION_FAILED;
  int error = cudaSuccess;
  const auto call = [&](const libs::VendorStream &stream) {
    status = handle->vendor->prepare(*handle, stream);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = function(handle->vendor->get(), parameters...);
    return status == CUBLAS_STATUS_SUCCESS;
  };
  const libs::Given given = libs::giveOrRecord(
      handle->stream, handle->vendor->workspaceFor(*handle), call, error);
  return statusOf(given, status, error);
}

} // namespace het::blas

/// Hands the parameters of a function to the function of that name in NVIDIA's library,
/// if that is the handle's back end, and returns what it says.
#define HET_VENDOR(name, ...)                                                            \
  do {                                                                                   \
    static het::blas::VendorFunction function{#name};                                    \
    if (const auto status = het::blas::callVendor(handle, function, __VA_ARGS__))        \
      return *status;                                                                    \
  } while (false)

#endif // HET_LIBS_CUBLAS_VENDOR_H
