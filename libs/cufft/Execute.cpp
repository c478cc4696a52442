// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a plan is executed: by another back end, which has the whole problem, or by its
// passes, one launch each.

#include "Plan.h"

#include <cuda_runtime_api.h>
#include <optional>

namespace het::fft {
namespace {

/// The result where another back end has the transform; nothing where kernels are to.
std::optional<cufftResult> giveAway(const Plan &plan, void *in, void *out, bool inverse) {
  if (plan.vendor) {
    if (plan.vendor->workBytes() && !plan.work)
      return CUFFT_NO_WORKSPACE;
    return plan.vendor->execute(plan.stream, plan.work, in, out, inverse);
  }
  if (!plan.host)
    return std::nullopt;
  int error = cudaSuccess;
  const libs::Given given = plan.host->execute(plan.stream, in, out, inverse, error);
  return libs::resultOf(given, CUFFT_SUCCESS, error, convert);
}

} // namespace

cufftResult execute(const Plan &plan, void *in, void *out, bool inverse) {
  if (!plan.made)
    return CUFFT_INVALID_PLAN;
  if (!in || !out)
    return CUFFT_INVALID_VALUE;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device != plan.device)
    return CUFFT_INVALID_DEVICE;
  // The same on all back ends: a capture may need it that another call does not.
  const Schedule &schedule = in == out ? plan.inPlace : plan.apart;
  if (schedule.totalBytes() && !plan.work)
    return CUFFT_NO_WORKSPACE;
  if (const std::optional<cufftResult> result = giveAway(plan, in, out, inverse))
    return *result;
  void *const places[] = {in, out, plan.work, plan.work + schedule.workBytes[0]};
  for (const PlannedPass &planned : schedule.passes) {
    Pass pass = planned.pass;
    pass.from.base = places[static_cast<int>(planned.source)];
    pass.to.base = places[static_cast<int>(planned.target)];
    pass.from.factors = plan.tables.find(planned.fromFactors);
    pass.to.factors = plan.tables.find(planned.toFactors);
    pass.from.pairRoots = plan.tables.find(planned.fromPairRoots);
    pass.to.pairRoots = plan.tables.find(planned.toPairRoots);
    pass.roots = plan.tables.find(planned.roots);
    pass.fine = plan.tables.find(planned.fine);
    pass.coarse = plan.tables.find(planned.coarse);
    // An inverse transform is a forward one of swapped parts.
    pass.from.swapOuter = inverse && &planned == &schedule.passes.front();
    pass.to.swapOuter = inverse && &planned == &schedule.passes.back();
    const cudaError_t error = plan.problem.doubles
                                  ? transformLines<double>(pass, plan.stream)
                                  : transformLines<float>(pass, plan.stream);
    if (error != cudaSuccess)
      return convert(error);
  }
  return CUFFT_SUCCESS;
}

} // namespace het::fft
