// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's back end: FFTW, which has the whole of a plan's problem as one of its own.

#ifndef HET_LIBS_CUFFT_HOSTPLAN_H
#define HET_LIBS_CUFFT_HOSTPLAN_H

#include "Problem.h"
#include "common/BackEnd.h"

#include <memory>
#include <mutex>

namespace het::fft {

/// Opens FFTW of both precisions, the first time; a failure says what to install.
Status openFftw();

/// What FFTW has for a plan of ours.
class HostPlan {
public:
  explicit HostPlan(const Problem &problem) : problem(problem) {}

  /// Enqueues a transform. UseKernels: the stream is capturing, or FFTW has no plan for
  /// it. Failed: as `error`, a cudaError_t, says.
  libs::Given execute(CUstream_st *stream, void *in, void *out, bool inverse, int &error);

private:
  /// FFTW's plans differ by whether they are in place, by direction, and by whether all
  /// numbers are aligned; each is made when it is first needed.
  struct Kind {
    bool inPlace, inverse, aligned;
  };
  template <class R> std::shared_ptr<void> planFor(const Kind &kind, void *in, void *out);
  template <class R>
  libs::Given run(CUstream_st *stream, void *in, void *out, bool inverse, int &error);

  const Problem problem;
  std::mutex mutex; ///< Guards the plans.
  std::shared_ptr<void> plans[2][2][2];
};

} // namespace het::fft

#endif // HET_LIBS_CUFFT_HOSTPLAN_H
