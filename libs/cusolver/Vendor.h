// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's back end: a function of ours hands its arguments to NVIDIA's function of
// the same name. Descriptions of programs are ours, and NVIDIA's lie behind them.

#ifndef HET_LIBS_CUSOLVER_VENDOR_H
#define HET_LIBS_CUSOLVER_VENDOR_H

#include "Library.h"
#include "common/Vendor.h"

namespace het::solver {

/// NVIDIA's cuSOLVER.
struct VendorApi {
  using Handle = cusolverDnHandle_t;
  using Result = cusolverStatus_t;
  static constexpr const char *create = "cusolverDnCreate",
                              *destroy = "cusolverDnDestroy",
                              *setStream = "cusolverDnSetStream";
  static libs::Vendor &vendor();
  static std::string textOf(cusolverStatus_t status) {
    return "status " + std::to_string(status);
  }
};

/// A handle of NVIDIA's behind one of ours.
class VendorHandle : public libs::VendorHandleOf<VendorApi> {
public:
  ~VendorHandle();
  /// Gives it the settings of ours as well.
  cusolverStatus_t prepare(const libs::VendorStream &place);
  cusolverStatus_t prepareQuestion() { return giveMode(); }

  const cusolverDnContext *ours = nullptr;
  cusolverDnParams_t plainParams = nullptr; ///< For programs that give none.

private:
  cusolverStatus_t giveMode();
  cusolverDeterministicMode_t mode = CUSOLVER_DETERMINISTIC_RESULTS;
};

/// Calls NVIDIA's function with the parameters of ours, which has the same types. Nothing
/// where kernels are to do it.
template <class... Parameters>
std::optional<cusolverStatus_t> callVendor(cusolverDnHandle_t handle,
                                           libs::VendorFunction &function,
                                           Parameters... parameters) {
  if (!handle || !handle->vendor)
    return std::nullopt;
  return libs::callVendor(function, VendorApi::vendor(), handle->stream, *handle->vendor,
                          convert, parameters...);
}

/// NVIDIA's description for one of ours, with its settings; null if it cannot be made.
/// Where the vendor is not the back end, ours, which is not handed on.
cusolverDnParams_t vendorsOf(cusolverDnHandle_t handle, cusolverDnParams_t ours);
syevjInfo_t vendorsOf(cusolverDnHandle_t handle, syevjInfo_t ours);
gesvdjInfo_t vendorsOf(cusolverDnHandle_t handle, gesvdjInfo_t ours);

} // namespace het::solver

/// Hands the parameters of a function to the function of that name in NVIDIA's library,
/// if that is the handle's back end, and returns what it says.
#define HET_VENDOR(name, ...)                                                            \
  do {                                                                                   \
    static het::libs::VendorFunction function{#name};                                    \
    if (const auto status = het::solver::callVendor(handle, function, __VA_ARGS__))      \
      return *status;                                                                    \
  } while (false)

#endif // HET_LIBS_CUSOLVER_VENDOR_H
