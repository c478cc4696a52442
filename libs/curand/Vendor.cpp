// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's cuRAND, and what its generators have begun.

#include "Vendor.h"
#include "het/Base/Log.h"

namespace het::rand {

libs::Vendor &VendorApi::vendor() {
  static libs::Vendor &instance =
      *new libs::Vendor("cuRAND", {{"libcurand.so.10", {}}},
                        "NVIDIA's cuRAND (libcurand-13-x, or nvidia-curand of PyPI)");
  return instance;
}

curandStatus_t VendorGenerator::seedBefore() {
  static libs::VendorFunction seeds{"curandGenerateSeeds"};
  if (isSeeded)
    return CURAND_STATUS_SUCCESS;
  if (isUsed)
    if (const cudaError_t error = cudaStreamSynchronize(usedIn))
      return convert(error);
  isUsed = false;
  auto *const seed =
      reinterpret_cast<decltype(curandGenerateSeeds) *>(seeds.get(VendorApi::vendor()));
  curandStatus_t status = CURAND_STATUS_INTERNAL_ERROR;
  int error = cudaSuccess;
  const auto work = [&](void *native) {
    status = setStream(native);
    if (status == CURAND_STATUS_SUCCESS && seed)
      status = seed(get());
  };
  const libs::Given given = libs::waitAside(deviceOf(), work, error);
  if (given != libs::Given::Yes)
    return convert(static_cast<cudaError_t>(error));
  isSeeded = status == CURAND_STATUS_SUCCESS;
  return status;
}

curandStatus_t leaveToKernels(curandGenerator_t generator, const char *function,
                              bool &isLeft) {
  isLeft = !generator->vendor->hasBegun;
  if (isLeft) {
    generator->vendor.reset();
    return CURAND_STATUS_SUCCESS;
  }
  log(Level::Error,
      "%s: NVIDIA's generator, which has begun, can not go on in this capture; begin "
      "with the capture, or set HET_LIBRARIES=portable",
      function);
  return CURAND_STATUS_LAUNCH_FAILURE;
}

} // namespace het::rand

curandGenerator_st::curandGenerator_st() = default;
curandGenerator_st::~curandGenerator_st() = default;
