// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the vendor's back ends of all libraries share: NVIDIA's library, opened once; its
// functions, looked for once; handles of its behind handles of ours; and calls of them.

#ifndef HET_LIBS_COMMON_VENDOR_H
#define HET_LIBS_COMMON_VENDOR_H

#include "common/BackEnd.h"
#include "common/VendorLibrary.h"

#include <atomic>
#include <cuda_runtime_api.h>
#include <mutex>
#include <optional>

namespace het::libs {

/// NVIDIA's library behind one of ours. Never destroyed, like what it opens.
class Vendor {
public:
  /// NVIDIA's name of it, for the log; its versions whose functions have the parameters
  /// of ours, best first; and what to install where there is none.
  Vendor(const char *name, std::vector<VendorFile> versions, std::string package)
      : name(name), versions(std::move(versions)), package(std::move(package)) {}
  Vendor(const Vendor &) = delete;

  /// Opens it, the first time, and tries it out: the first version with which `use`
  /// succeeds is taken. Later calls only use it.
  Status open(const std::function<Status()> &use);
  /// A function of the library, also of one that is being tried; null if there is none.
  void *find(const char *function) const;
  template <class Function> bool find(const char *function, Function *&place) const {
    place = reinterpret_cast<Function *>(find(function));
    return place;
  }

private:
  const char *name;
  const std::vector<VendorFile> versions;
  const std::string package;
  std::mutex mutex;
  std::optional<VendorLibrary> library; ///< Set before other threads have handles.
  const VendorLibrary *tried = nullptr;
};

/// A function of NVIDIA's, looked for once.
class VendorFunction {
public:
  constexpr explicit VendorFunction(const char *name) : name(name) {}
  void *get(const Vendor &vendor) {
    if (!isKnown.load(std::memory_order_acquire)) {
      function.store(vendor.find(name), std::memory_order_relaxed);
      isKnown.store(true, std::memory_order_release);
    }
    return function.load(std::memory_order_relaxed);
  }

private:
  const char *name;
  std::atomic<bool> isKnown{false};
  std::atomic<void *> function{nullptr};
};

/// A handle of NVIDIA's behind one of ours. Api says of a library
///   Handle, Result           its types; a Result of 0 is success
///   create, destroy, setStream  names of functions
///   vendor()                 its Vendor
///   textOf(Result)           the name of a status
template <class Api> class VendorHandleOf {
public:
  using Handle = typename Api::Handle;
  using Result = typename Api::Result;

  VendorHandleOf() = default;
  VendorHandleOf(const VendorHandleOf &) = delete;
  ~VendorHandleOf() {
    if (!handle)
      return;
    int current = 0, error = cudaSuccess;
    (void)cudaGetDevice(&current);
    (void)cudaSetDevice(device);
    // A failure is that of a device on which nothing is left to destroy.
    (void)giveToVendor(nullptr, [this](void *) { (void)destroyFunction(handle); }, error);
    (void)cudaSetDevice(current);
  }

  /// Opens NVIDIA's library, the first time, and makes a handle for the calling thread's
  /// device.
  template <class Made> static Status create(std::unique_ptr<Made> &made) {
    auto created = std::make_unique<Made>();
    if (const cudaError_t error = cudaGetDevice(&created->device))
      return unavailable(cudaGetErrorString(error));
    const Status status = Api::vendor().open([&] { return created->makeHandle(); });
    if (status.ok())
      made = std::move(created);
    return status;
  }

  /// Gives it the stream. In a call of giveToVendor.
  Result setStream(void *native) {
    if (hasStream(native))
      return Result();
    const Result result = setStreamFunction(handle, static_cast<cudaStream_t>(native));
    isStreamKnown = result == Result();
    stream = native;
    return result;
  }
  bool hasStream(void *native) const { return isStreamKnown && stream == native; }
  /// The next call gives it the stream again.
  void forgetStream() { isStreamKnown = false; }
  Handle get() const { return handle; }

private:
  Status makeHandle() {
    Result (*createFunction)(Handle *) = nullptr;
    const Vendor &vendor = Api::vendor();
    for (const auto &[name, isFound] :
         {std::pair{Api::create, vendor.find(Api::create, createFunction)},
          std::pair{Api::destroy, vendor.find(Api::destroy, destroyFunction)},
          std::pair{Api::setStream, vendor.find(Api::setStream, setStreamFunction)}})
      if (!isFound)
        return unavailable(std::string("it lacks ") + name);
    Result result = Result();
    int error = cudaSuccess;
    const auto make = [&](void *) { result = createFunction(&handle); };
    if (giveToVendor(nullptr, make, error) != Given::Yes)
      return unavailable(cudaGetErrorString(static_cast<cudaError_t>(error)));
    return result == Result()
               ? Status::success()
               : unavailable(std::string("its ") + Api::create + " says " +
                             Api::textOf(result) + "; is the driver too old?");
  }

  int device = 0;
  Handle handle = nullptr;
  void *stream = nullptr;
  bool isStreamKnown = false;
  Result (*destroyFunction)(Handle) = nullptr;
  Result (*setStreamFunction)(Handle, cudaStream_t) = nullptr;
};

/// Calls NVIDIA's function with a handle of its and `parameters`, in a stream of ours.
/// Nothing where kernels are to do it; `convert` says what a failure of the runtime is.
template <class Handle, class Convert, class... Parameters>
auto callVendor(VendorFunction &function, const Vendor &vendor, cudaStream_t stream,
                Handle &handle, Convert convert, Parameters... parameters)
    -> std::optional<typename Handle::Result> {
  using Result = typename Handle::Result;
  using Function = Result(typename Handle::Handle, Parameters...);
  auto *const call = reinterpret_cast<Function *>(function.get(vendor));
  if (!call)
    return std::nullopt;
  Result result = Result();
  int error = cudaSuccess;
  const auto work = [&](void *native) {
    result = handle.prepare(native);
    if (result == Result())
      result = call(handle.get(), parameters...);
  };
  switch (giveToVendor(stream, work, error)) {
  case Given::Yes:
    return result;
  case Given::UseKernels:
    return std::nullopt;
  case Given::Failed:
    break;
  }
  return convert(static_cast<cudaError_t>(error));
}

} // namespace het::libs

#endif // HET_LIBS_COMMON_VENDOR_H
