// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How plans are made and kept.

#include "Plan.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <mutex>
#include <unordered_map>

namespace het::fft {

namespace {

struct Registry {
  std::mutex mutex;
  std::unordered_map<cufftHandle, std::shared_ptr<Plan>> plans;
  cufftHandle last = 0; ///< Numbers do not come again.
};

Registry &registry() {
  static auto *plans = new Registry; // used until the process ends
  return *plans;
}

void addTables(const Schedule &schedule, Tables &tables) {
  for (const PlannedPass &pass : schedule.passes)
    for (const Table *table : {&pass.roots, &pass.fine, &pass.coarse, &pass.fromFactors,
                               &pass.toFactors, &pass.fromPairRoots, &pass.toPairRoots})
      tables.add(*table);
}

cufftResult makeSchedules(const Problem &problem, Schedule &apart, Schedule &inPlace) {
  const cufftResult status = makeSchedule(problem, false, apart);
  return status == CUFFT_SUCCESS ? makeSchedule(problem.inPlace(), true, inPlace)
                                 : status;
}

} // namespace

cudaError_t Plan::freeOwnWork() {
  char *own = ownsWork ? work : nullptr;
  work = nullptr;
  ownsWork = false;
  const libs::RelaxedCapture relaxed;
  return own ? cudaFree(own) : cudaSuccess;
}

cufftResult createPlan(cufftHandle *handle) {
  if (!handle)
    return CUFFT_INVALID_VALUE;
  return guarded([&] {
    auto plan = std::make_shared<Plan>();
    if (cudaGetDevice(&plan->device) != cudaSuccess)
      return CUFFT_SETUP_FAILED;
    const libs::RelaxedCapture relaxed;
    Result<libs::BackEnd> chosen =
        libs::chooseBackEnd("cuFFT", plan->device,
                            {[&] { return VendorPlan::create(plan->vendor); }, openFftw});
    if (!chosen.ok()) {
      log(Level::Error, "%s", chosen.status().text().c_str());
      return CUFFT_SETUP_FAILED;
    }
    plan->backEnd = *chosen;
    Registry &all = registry();
    const std::lock_guard lock(all.mutex);
    all.plans[++all.last] = std::move(plan);
    *handle = all.last;
    return CUFFT_SUCCESS;
  });
}

std::shared_ptr<Plan> findPlan(cufftHandle handle) {
  Registry &all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.plans.find(handle);
  return found == all.plans.end() ? nullptr : found->second;
}

cufftResult destroyPlan(cufftHandle handle) {
  std::shared_ptr<Plan> plan; // whose memory is freed without the lock
  Registry &all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.plans.find(handle);
  if (found == all.plans.end())
    return CUFFT_INVALID_PLAN;
  plan = std::move(found->second);
  all.plans.erase(found);
  return CUFFT_SUCCESS;
}

cufftResult makePlan(Plan &plan, const Problem &problem) {
  if (plan.made)
    return CUFFT_INVALID_PLAN;
  const libs::RelaxedCapture relaxed;
  Schedule apart, inPlace;
  if (const cufftResult status = makeSchedules(problem, apart, inPlace);
      status != CUFFT_SUCCESS)
    return status;
  addTables(apart, plan.tables);
  addTables(inPlace, plan.tables);
  cudaError_t error =
      problem.doubles ? plan.tables.upload<double>() : plan.tables.upload<float>();
  size_t bytes = std::max(apart.totalBytes(), inPlace.totalBytes());
  if (plan.backEnd == libs::BackEnd::Host)
    plan.host = std::make_unique<HostPlan>(problem);
  if (plan.vendor && !plan.vendor->make(problem))
    plan.vendor.reset();
  if (plan.vendor) // kernels of captures use the same memory
    bytes = std::max(bytes, plan.vendor->workBytes());
  if (error == cudaSuccess && bytes && plan.allocates && !plan.work) {
    error = cudaMalloc(reinterpret_cast<void **>(&plan.work), bytes);
    plan.ownsWork = error == cudaSuccess;
  }
  if (error != cudaSuccess)
    return error == cudaErrorMemoryAllocation ? CUFFT_ALLOC_FAILED : CUFFT_SETUP_FAILED;
  plan.problem = problem;
  plan.apart = std::move(apart);
  plan.inPlace = std::move(inPlace);
  plan.workBytes = bytes;
  plan.made = true;
  return CUFFT_SUCCESS;
}

cufftResult measure(const Problem &problem, size_t *bytes) {
  if (!bytes)
    return CUFFT_INVALID_VALUE;
  Schedule apart, inPlace;
  const cufftResult status = makeSchedules(problem, apart, inPlace);
  if (status == CUFFT_SUCCESS)
    *bytes = std::max(apart.totalBytes(), inPlace.totalBytes());
  return status;
}

cufftResult measure(libs::BackEnd backEnd, const Problem &problem, size_t *bytes) {
  const cufftResult status = measure(problem, bytes);
  if (status != CUFFT_SUCCESS || backEnd != libs::BackEnd::Vendor)
    return status;
  const libs::RelaxedCapture relaxed;
  std::unique_ptr<VendorPlan> plan;
  if (VendorPlan::create(plan).ok() && plan->make(problem))
    *bytes = std::max(*bytes, plan->workBytes());
  return status;
}

cufftResult convert(cudaError_t error) {
  return error == cudaSuccess                 ? CUFFT_SUCCESS
         : error == cudaErrorMemoryAllocation ? CUFFT_ALLOC_FAILED
                                              : CUFFT_EXEC_FAILED;
}

cufftResult refuse(const char *name, const char *why) {
  static const het::Status logging = het::setUpLog("het");
  het::log(het::Level::Info, "%s: %s: not supported", name, why);
  return CUFFT_NOT_IMPLEMENTED;
}

} // namespace het::fft
