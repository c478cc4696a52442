// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans, and the numbers that programs know them by.

#ifndef HET_LIBS_CUFFT_PLAN_H
#define HET_LIBS_CUFFT_PLAN_H

#include "HostPlan.h"
#include "Passes.h"
#include "VendorPlan.h"

#include <memory>
#include <new>

namespace het::fft {

struct Plan {
  Plan() = default;
  Plan(const Plan &) = delete;
  ~Plan() { (void)freeOwnWork(); }

  int device = 0;
  libs::BackEnd backEnd = libs::BackEnd::Portable;
  cudaStream_t stream = nullptr;
  bool allocates = true; ///< Memory for work, when it is made.
  bool made = false;     ///< What follows is there.
  Problem problem;
  Schedule apart, inPlace;
  Tables tables;
  // Who has what is not captured; null: kernels.
  std::unique_ptr<VendorPlan> vendor;
  std::unique_ptr<HostPlan> host;
  size_t workBytes = 0;
  char *work = nullptr;
  bool ownsWork = false;
  long long patientJit = 0, hostThreads = 0; ///< Properties, without effect here.

  cudaError_t freeOwnWork();
};

/// A new plan, and its number.
cufftResult createPlan(cufftHandle *handle);
/// Null for a number of no plan.
std::shared_ptr<Plan> findPlan(cufftHandle handle);
cufftResult destroyPlan(cufftHandle handle);

/// Prepares a plan for what was asked for: its passes, constants and memory for work.
cufftResult makePlan(Plan &plan, const Problem &problem);
/// Bytes of work that a problem needs by kernels, and on a back end.
cufftResult measure(const Problem &problem, size_t *bytes);
cufftResult measure(libs::BackEnd backEnd, const Problem &problem, size_t *bytes);

/// Puts the launches of a plan into its stream. All ways of executing lead here.
cufftResult execute(const Plan &plan, void *in, void *out, bool inverse);

cufftResult convert(cudaError_t error);
/// Says by name in the log what is not there.
cufftResult refuse(const char *name, const char *why);

/// Calls what may run out of memory.
template <class Call> cufftResult guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc &) {
    return CUFFT_ALLOC_FAILED;
  }
}

/// Calls with the plan of a number, if there is one.
template <class Call> cufftResult withPlan(cufftHandle handle, Call call) {
  const std::shared_ptr<Plan> plan = findPlan(handle);
  return plan ? guarded([&] { return call(*plan); }) : CUFFT_INVALID_PLAN;
}

} // namespace het::fft

#endif // HET_LIBS_CUFFT_PLAN_H
