// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes and executes plans of NVIDIA's cuFFT.

#include "VendorPlan.h"
#include "Plan.h"
#include "het/Base/Log.h"

namespace het::fft {

libs::Vendor &VendorApi::vendor() {
  static libs::Vendor &instance =
      *new libs::Vendor("cuFFT", {{"libcufft.so.12", {}}, {"libcufft.so.11", {}}},
                        "NVIDIA's cuFFT (libcufft-13-x, or nvidia-cufft of PyPI)");
  return instance;
}

namespace {

/// A function of NVIDIA's for a plan; its status, or that there is none.
template <class... Parameters>
cufftResult call(libs::VendorFunction &function, Parameters... parameters) {
  auto *const place =
      reinterpret_cast<cufftResult (*)(Parameters...)>(function.get(VendorApi::vendor()));
  return place ? place(parameters...) : CUFFT_NOT_SUPPORTED;
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

bool VendorPlan::make(const Problem &problem) {
  static libs::VendorFunction allocations{"cufftSetAutoAllocation"},
      plans{"cufftXtMakePlanMany"};
  Embedded in(problem, problem.in), out(problem, problem.out);
  long long n[maxRank];
  for (int i = 0; i < problem.rank; ++i)
    n[i] = problem.n[i];
  const cudaDataType from = typeOf(problem, problem.in),
                     to = typeOf(problem, problem.out);
  // The default layout is two of them, for transforms in place and others.
  long long *const inSizes = problem.dense ? nullptr : in.sizes, *const outSizes =
                                                                     problem.dense
                                                                         ? nullptr
                                                                         : out.sizes;
  const auto work = [&] {
    const cufftResult result = call(allocations, get(), 0);
    return result != CUFFT_SUCCESS
               ? result
               : call(plans, get(), problem.rank, n, inSizes, in.stride, in.distance,
                      from, outSizes, out.stride, out.distance, to, problem.batch, &bytes,
                      problem.in.form == Form::Real ? to : from);
  };
  const std::optional<cufftResult> result = libs::askVendor(*this, convert, work);
  if (result == CUFFT_SUCCESS)
    return true;
  log(Level::Info, "cuFFT: NVIDIA's has no such plan (%d), kernels have it",
      result.value_or(CUFFT_NOT_SUPPORTED));
  return false;
}

std::optional<cufftResult> VendorPlan::execute(cudaStream_t stream, void *memory,
                                               void *in, void *out, bool inverse) {
  static libs::VendorFunction areas{"cufftSetWorkArea"}, transforms{"cufftXtExec"};
  const auto transform = [&] {
    cufftResult result = CUFFT_SUCCESS;
    if (memory != work)
      result = call(areas, get(), memory);
    work = result == CUFFT_SUCCESS ? memory : nullptr;
    return result == CUFFT_SUCCESS
               ? call(transforms, get(), in, out, inverse ? CUFFT_INVERSE : CUFFT_FORWARD)
               : result;
  };
  return libs::workByVendor(*this, stream, convert, transform);
}

} // namespace het::fft
