// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's back end: a function of ours hands its arguments to NVIDIA's function of
// the same name, which puts its work into the driver's stream.

#ifndef HET_LIBS_CUBLAS_VENDOR_H
#define HET_LIBS_CUBLAS_VENDOR_H

#include "Library.h"
#include "common/Vendor.h"

namespace het::blas {

/// NVIDIA's cuBLAS.
struct VendorApi {
  using Handle = cublasHandle_t;
  using Result = cublasStatus_t;
  static constexpr const char *create = "cublasCreate_v2", *destroy = "cublasDestroy_v2",
                              *setStream = "cublasSetStream_v2";
  static libs::Vendor &vendor();
  static const char *textOf(cublasStatus_t status) { return cublasGetStatusName(status); }
};

/// A handle of NVIDIA's behind one of ours.
class VendorHandle : public libs::VendorHandleOf<VendorApi> {
public:
  /// As of VendorHandleOf.
  static Status create(std::unique_ptr<VendorHandle> &made);

  /// Gives it the settings of ours as well.
  cublasStatus_t prepare(const libs::VendorStream &place);
  size_t workspaceForCaptures() const { return ours->workspace ? 0 : capturedWorkspace; }

  const cublasContext *ours = nullptr;

private:
  size_t capturedWorkspace = 0;
  // What it has been given.
  void *workspace = nullptr;
  size_t workspaceSize = 0;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
  int smCountTarget = 0;
};

/// Calls NVIDIA's function with the parameters of ours, which has the same types. Nothing
/// where kernels are to do it.
template <class... Parameters>
std::optional<cublasStatus_t> callVendor(cublasHandle_t handle,
                                         libs::VendorFunction &function,
                                         Parameters... parameters) {
  if (!handle || !handle->vendor)
    return std::nullopt;
  return libs::callVendor(function, VendorApi::vendor(), handle->stream, *handle->vendor,
                          convert, parameters...);
}

} // namespace het::blas

/// Hands the parameters of a function to the function of that name in NVIDIA's library,
/// if that is the handle's back end, and returns what it says.
#define HET_VENDOR(name, ...)                                                            \
  do {                                                                                   \
    static het::libs::VendorFunction function{#name};                                    \
    if (const auto status = het::blas::callVendor(handle, function, __VA_ARGS__))        \
      return *status;                                                                    \
  } while (false)

#endif // HET_LIBS_CUBLAS_VENDOR_H
