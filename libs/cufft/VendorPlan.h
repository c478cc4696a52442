// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's back end: a plan of NVIDIA's cuFFT behind one of ours.

#ifndef HET_LIBS_CUFFT_VENDORPLAN_H
#define HET_LIBS_CUFFT_VENDORPLAN_H

#include "Problem.h"
#include "common/Vendor.h"

#include <memory>

namespace het::fft {

/// NVIDIA's cuFFT, whose handles are its plans.
struct VendorApi {
  using Handle = cufftHandle;
  using Result = cufftResult;
  static constexpr const char *create = "cufftCreate", *destroy = "cufftDestroy",
                              *setStream = "cufftSetStream";
  static libs::Vendor &vendor();
  static std::string textOf(cufftResult status) { return std::to_string(status); }
};

class VendorPlan : public libs::VendorHandleOf<VendorApi> {
public:
  /// Makes the plan. False where NVIDIA's library does not have the problem: kernels have
  /// it then.
  bool make(const Problem &problem);

  size_t workBytes() const { return bytes; }
  /// Puts a transform into a stream, with that memory for work; nothing where kernels are
  /// to do it.
  std::optional<cufftResult> execute(cudaStream_t stream, void *work, void *in, void *out,
                                     bool inverse);

private:
  size_t bytes = 0;
  void *work = nullptr; ///< What it has been given.
};

} // namespace het::fft

#endif // HET_LIBS_CUFFT_VENDORPLAN_H
