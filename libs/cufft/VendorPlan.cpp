// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes and executes plans of NVIDIA's cuFFT.

#include "VendorPlan.h"
#include "common/Vendor.h"
#include "het/Base/Log.h"

namespace het::fft {
namespace {

libs::Vendor &vendor() {
  static libs::Vendor &instance =
      *new libs::Vendor("cuFFT", {{"libcufft.so.12", {}}, {"libcufft.so.11", {}}},
                        "NVIDIA's cuFFT (libcufft-13-x, or nvidia-cufft of PyPI)");
  return instance;
}

#define HET_VENDOR_FUNCTIONS(use)                                                        \
  use(cufftCreate) use(cufftDestroy) use(cufftSetAutoAllocation)                         \
      use(cufftXtMakePlanMany) use(cufftSetWorkArea) use(cufftSetStream)                 \
          use(cufftXtExec)

/// The functions of NVIDIA's library that are called, under their names.
struct Functions {
#define HET_DECLARE(name) decltype(::name) *name = nullptr;
  HET_VENDOR_FUNCTIONS(HET_DECLARE)
};
Functions theirs; // set once, before there are plans

Status tryOut() {
  Functions found;
#define HET_FIND(name)                                                                   \
  if (!vendor().find(#name, found.name))                                                 \
    return unavailable("it lacks " #name);
  HET_VENDOR_FUNCTIONS(HET_FIND)
  cufftResult result = CUFFT_SUCCESS;
  int error = cudaSuccess;
  const auto make = [&](void *) {
    cufftHandle handle = 0;
    result = found.cufftCreate(&handle);
    if (result == CUFFT_SUCCESS)
      result = found.cufftDestroy(handle);
  };
  if (libs::giveToVendor(nullptr, make, error) != libs::Given::Yes)
    return unavailable(cudaGetErrorString(static_cast<cudaError_t>(error)));
  if (result != CUFFT_SUCCESS)
    return unavailable("its cufftCreate says " + std::to_string(result) +
                       "; is the driver too old?");
  theirs = found;
  return Status::success();
}

cudaDataType typeOf(const Problem &problem, const Side &side) {
  const bool isReal = side.form == Form::Real;
  if (problem.doubles)
    return isReal ? CUDA_R_64F : CUDA_C_64F;
  switch (side.storage) {
  case Storage::Plain:
    return isReal ? CUDA_R_32F : CUDA_C_32F;
  case Storage::Half:
    return isReal ? CUDA_R_16F : CUDA_C_16F;
  case Storage::BFloat:
    return isReal ? CUDA_R_16BF : CUDA_C_16BF;
  }
  return CUDA_C_32F;
}

/// A side as cuFFT describes it: the sizes of the array that it lies in.
struct Embedded {
  long long sizes[maxRank] = {1, 1, 1};
  long long stride = 1, distance = 1;

  Embedded(const Problem &problem, const Side &side)
      : stride(side.layout.step[problem.rank - 1]), distance(side.layout.distance) {
    sizes[0] = problem.sizeOf(side, 0); // not read
    for (int i = 1; i < problem.rank; ++i)
      sizes[i] = side.layout.step[i - 1] / side.layout.step[i];
  }
};

} // namespace

Status openVendor() {
  return vendor().open([] { return theirs.cufftCreate ? Status::success() : tryOut(); });
}

std::unique_ptr<VendorPlan> VendorPlan::make(const Problem &problem) {
  std::unique_ptr<VendorPlan> plan(new VendorPlan);
  if (cudaGetDevice(&plan->device) != cudaSuccess)
    return nullptr;
  Embedded in(problem, problem.in), out(problem, problem.out);
  long long n[maxRank];
  for (int i = 0; i < problem.rank; ++i)
    n[i] = problem.n[i];
  const cudaDataType from = typeOf(problem, problem.in),
                     to = typeOf(problem, problem.out);
  cufftResult result = CUFFT_SUCCESS;
  const auto work = [&](void *) {
    result = theirs.cufftCreate(&plan->handle);
    if (result != CUFFT_SUCCESS)
      return;
    plan->isMade = true;
    result = theirs.cufftSetAutoAllocation(plan->handle, 0);
    // The default layout is two of them, for transforms in place and others.
    if (result == CUFFT_SUCCESS)
      result = theirs.cufftXtMakePlanMany(
          plan->handle, problem.rank, n, problem.dense ? nullptr : in.sizes, in.stride,
          in.distance, from, problem.dense ? nullptr : out.sizes, out.stride,
          out.distance, to, problem.batch, &plan->bytes,
          problem.in.form == Form::Real ? to : from);
  };
  int error = cudaSuccess;
  if (libs::giveToVendor(nullptr, work, error) == libs::Given::Yes &&
      result == CUFFT_SUCCESS)
    return plan;
  log(Level::Info, "cuFFT: NVIDIA's has no such plan (%d), kernels have it", result);
  return nullptr;
}

VendorPlan::~VendorPlan() {
  if (!isMade)
    return;
  int current = 0, error = cudaSuccess;
  (void)cudaGetDevice(&current);
  (void)cudaSetDevice(device);
  // A failure is that of a device on which nothing is left to destroy.
  (void)libs::giveToVendor(
      nullptr, [this](void *) { (void)theirs.cufftDestroy(handle); }, error);
  (void)cudaSetDevice(current);
}

libs::Given VendorPlan::execute(cudaStream_t ours, void *memory, void *in, void *out,
                                bool inverse, cufftResult &result, int &error) {
  const auto call = [&](void *native) {
    result = CUFFT_SUCCESS;
    if (memory != work) {
      result = theirs.cufftSetWorkArea(handle, memory);
      work = memory;
    }
    if (result == CUFFT_SUCCESS && native != stream) {
      result = theirs.cufftSetStream(handle, static_cast<cudaStream_t>(native));
      stream = native;
    }
    if (result == CUFFT_SUCCESS)
      result =
          theirs.cufftXtExec(handle, in, out, inverse ? CUFFT_INVERSE : CUFFT_FORWARD);
    if (result != CUFFT_SUCCESS)
      work = stream = nullptr; // set again
  };
  return libs::giveToVendor(ours, call, error);
}

} // namespace het::fft
