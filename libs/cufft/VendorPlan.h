// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's back end: a plan of NVIDIA's cuFFT behind one of ours.

#ifndef HET_LIBS_CUFFT_VENDORPLAN_H
#define HET_LIBS_CUFFT_VENDORPLAN_H

#include "Problem.h"
#include "common/BackEnd.h"

#include <cuda_runtime_api.h>
#include <memory>

namespace het::fft {

/// Opens NVIDIA's library, the first time, and tries it on the calling thread's device.
Status openVendor();

class VendorPlan {
public:
  /// Null where NVIDIA's library does not have the problem, or the device's work is not
  /// the driver's: kernels have it then.
  static std::unique_ptr<VendorPlan> make(const Problem &problem);
  ~VendorPlan();
  VendorPlan(const VendorPlan &) = delete;

  size_t workBytes() const { return bytes; }
  /// Puts a transform into a stream, with that memory for work. UseKernels: the stream is
  /// capturing. Failed: as `error`, a cudaError_t, says.
  libs::Given execute(cudaStream_t stream, void *work, void *in, void *out, bool inverse,
                      cufftResult &result, int &error);

private:
  VendorPlan() = default;

  int device = 0;
  cufftHandle handle = 0;
  bool isMade = false;
  size_t bytes = 0;
  // What it has been given.
  void *work = nullptr, *stream = nullptr;
};

} // namespace het::fft

#endif // HET_LIBS_CUFFT_VENDORPLAN_H
