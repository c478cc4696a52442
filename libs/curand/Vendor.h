// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vendor's back end: a generator of NVIDIA's behind one of ours that fills memory of
// the device's. It has the state, so whatever it has begun it goes on with.

#ifndef HET_LIBS_CURAND_VENDOR_H
#define HET_LIBS_CURAND_VENDOR_H

#include "Library.h"
#include "common/Vendor.h"

namespace het::rand {

/// NVIDIA's cuRAND, whose handles are its generators.
struct VendorApi {
  using Handle = curandGenerator_t;
  using Result = curandStatus_t;
  static constexpr const char *create = "curandCreateGenerator",
                              *destroy = "curandDestroyGenerator",
                              *setStream = "curandSetStream";
  static libs::Vendor &vendor();
  static std::string textOf(curandStatus_t status) {
    return "status " + std::to_string(status);
  }
};

class VendorGenerator : public libs::VendorHandleOf<VendorApi> {
public:
  /// Seeds what has not been seeded, and waits for it: a graph is not to do that each
  /// time it is launched.
  curandStatus_t seedBefore();
  /// Numbers were asked for in `stream`, where that may still be under way.
  void usedBy(cudaStream_t stream) {
    isUsed = true;
    usedIn = stream;
  }

  /// Whether seeding has to wait for what may be under way, which a capture can not.
  bool waitsToSeed() const { return isUsed && !isSeeded; }

  bool isSeeded = false; ///< The state is there.
  bool hasBegun = false; ///< It has given numbers since it was last changed.

private:
  bool isUsed = false;
  cudaStream_t usedIn = nullptr;
};

/// Changes a setting, after which the sequence begins anew.
template <class... Parameters>
std::optional<curandStatus_t> setVendor(curandGenerator_t generator,
                                        libs::VendorFunction &function,
                                        Parameters... parameters) {
  if (!generator || !generator->vendor)
    return std::nullopt;
  VendorGenerator &vendor = *generator->vendor;
  using Function = curandStatus_t(curandGenerator_t, Parameters...);
  auto *const set = reinterpret_cast<Function *>(function.get(VendorApi::vendor()));
  if (!set)
    return CURAND_STATUS_INTERNAL_ERROR; // it is in every version
  vendor.isSeeded = vendor.hasBegun = false;
  return libs::askVendor(vendor, convert,
                         [&] { return set(vendor.get(), parameters...); });
}

/// Kernels can not go on with what NVIDIA's generator has begun; if it has given nothing,
/// they have it from now on.
curandStatus_t leaveToKernels(curandGenerator_t generator, const char *function,
                              bool &isLeft);

/// Calls NVIDIA's function; nothing where kernels are to do it.
template <class... Parameters>
std::optional<curandStatus_t> callVendor(curandGenerator_t generator,
                                         libs::VendorFunction &function, const char *name,
                                         Parameters... parameters) {
  if (!generator || !generator->vendor)
    return std::nullopt;
  VendorGenerator &vendor = *generator->vendor;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (const cudaError_t error = cudaStreamIsCapturing(generator->place.stream, &capture))
    return convert(error);
  const bool isCapturing = capture != cudaStreamCaptureStatusNone;
  std::optional<curandStatus_t> status;
  if (!isCapturing || !vendor.waitsToSeed()) {
    if (isCapturing)
      if (const curandStatus_t seeded = vendor.seedBefore())
        return seeded;
    status = libs::callVendor(function, VendorApi::vendor(), generator->place.stream,
                              vendor, convert, parameters...);
  }
  if (status) {
    if (*status == CURAND_STATUS_SUCCESS)
      vendor.isSeeded = vendor.hasBegun = true;
    if (!isCapturing)
      vendor.usedBy(generator->place.stream);
    return status;
  }
  bool isLeft = false;
  const curandStatus_t refused = leaveToKernels(generator, name, isLeft);
  return isLeft ? std::nullopt : std::optional(refused);
}

} // namespace het::rand

/// Hands the parameters of a function to the function of that name in NVIDIA's library,
/// if that is the generator's back end, and returns what it says.
#define HET_VENDOR(name, ...)                                                            \
  do {                                                                                   \
    static het::libs::VendorFunction function{#name};                                    \
    if (const auto status =                                                              \
            het::rand::callVendor(generator, function, #name, __VA_ARGS__))              \
      return *status;                                                                    \
  } while (false)
/// The same for a setting that ours has taken.
#define HET_VENDOR_SETTING(status, name, ...)                                            \
  do {                                                                                   \
    static het::libs::VendorFunction function{#name};                                    \
    if ((status) == CURAND_STATUS_SUCCESS)                                               \
      if (const auto theirs = het::rand::setVendor(generator, function, __VA_ARGS__))    \
        return *theirs;                                                                  \
    return status;                                                                       \
  } while (false)

#endif // HET_LIBS_CURAND_VENDOR_H
