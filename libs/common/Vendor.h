// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the vendor's back ends of all libraries share: NVIDIA's library, opened once; its
// functions, looked for once; handles of its behind handles of ours; and calls of them,
// captured ones too.

#ifndef HET_LIBS_COMMON_VENDOR_H
#define HET_LIBS_COMMON_VENDOR_H

#include "common/Aside.h"
#include "common/VendorLibrary.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <string_view>

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

/// Calls a function of NVIDIA's that takes no handle; `missing` where there is none.
template <class Status, class... Parameters>
Status callByName(const Vendor &vendor, const char *name, Status missing,
                  Parameters... parameters) {
  Status (*function)(Parameters...) = nullptr;
  return vendor.find(name, function) ? function(parameters...) : missing;
}

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
  /// Whether it only says something (the size of a buffer): such a function puts nothing
  /// into a stream, and answers the same in a capture.
  bool isQuestion() const {
    constexpr std::string_view ends[] = {"_bufferSize", "_bufferSizeExt"};
    const std::string_view whole = name;
    for (const std::string_view end : ends)
      if (whole.size() > end.size() && whole.substr(whole.size() - end.size()) == end)
        return true;
    return false;
  }

private:
  const char *name;
  std::atomic<bool> isKnown{false};
  std::atomic<void *> function{nullptr};
};

/// A handle of NVIDIA's behind one of ours. Api says of a library
///   Handle, Result           its types; a Result of 0 is success
///   create(vendor, Handle &) makes one, if the library has the function
///   destroy, setStream       names of functions
///   vendor()                 its Vendor
///   textOf(Result)           the name of a status
template <class Api> class VendorHandleOf {
public:
  using Handle = typename Api::Handle;
  using Result = typename Api::Result;

  VendorHandleOf() = default;
  VendorHandleOf(const VendorHandleOf &) = delete;
  ~VendorHandleOf() {
    int error = cudaSuccess;
    // A failure is that of a device on which nothing is left to destroy.
    if (isMade)
      (void)giveAside(device, [this](void *) { (void)destroyFunction(handle); }, error);
  }

  /// Opens NVIDIA's library, the first time, and makes a handle for the calling thread's
  /// device. What else `create` takes goes to Api's.
  template <class Made, class... More>
  static Status create(std::unique_ptr<Made> &made, More... more) {
    auto created = std::make_unique<Made>();
    if (const cudaError_t error = cudaGetDevice(&created->device))
      return unavailable(cudaGetErrorString(error));
    const Status status =
        Api::vendor().open([&] { return created->makeHandle(more...); });
    if (status.ok())
      made = std::move(created);
    return status;
  }

  /// Before and after a call that puts work there: gives it the stream. A recording
  /// stream is gone afterwards, so the handle has NVIDIA's default stream then.
  Result prepare(const VendorStream &place) { return setStream(place.native); }
  void leave(const VendorStream &place) {
    if (!place.isRecorded)
      return;
    (void)setStreamFunction(handle, nullptr);
    forgetStream();
  }
  /// Before one that puts nothing anywhere.
  Result prepareQuestion() { return Result(); }
  /// What captured calls need to have for themselves.
  size_t workspaceForCaptures() const { return 0; }

  Handle get() const { return handle; }
  int deviceOf() const { return device; }

protected:
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

private:
  template <class... More> Status makeHandle(More... more) {
    Result (*createFunction)(Handle *, More...) = nullptr;
    const Vendor &vendor = Api::vendor();
    for (const auto &[name, isFound] :
         {std::pair{Api::create, vendor.find(Api::create, createFunction)},
          std::pair{Api::destroy, vendor.find(Api::destroy, destroyFunction)},
          std::pair{Api::setStream, vendor.find(Api::setStream, setStreamFunction)}})
      if (!isFound)
        return unavailable(std::string("it lacks ") + name);
    Result result = Result();
    int error = cudaSuccess;
    bool isCalled = false;
    const auto make = [&](void *) {
      isCalled = true;
      result = createFunction(&handle, more...);
    };
    if (giveAside(device, make, error) != Given::Yes)
      return unavailable(cudaGetErrorString(static_cast<cudaError_t>(error)));
    if (!isCalled)
      return unavailable("the device has failed");
    isMade = result == Result();
    return isMade ? Status::success()
                  : unavailable(std::string("its ") + Api::create + " says " +
                                Api::textOf(result) + "; is the driver too old?");
  }

  int device = 0;
  Handle handle = {};
  bool isMade = false;
  void *stream = nullptr;
  bool isStreamKnown = false;
  Result (*destroyFunction)(Handle) = nullptr;
  Result (*setStreamFunction)(Handle, cudaStream_t) = nullptr;
};

/// A device that has failed takes work without calling it.
inline Given ifCalled(Given given, bool isCalled, int &error) {
  if (given != Given::Yes || isCalled)
    return given;
  error = cudaErrorLaunchFailure;
  return Given::Failed;
}

/// Has `work` call functions of NVIDIA's with a handle of its, in a stream of ours. In a
/// capture what they put there becomes a node, unless that can not be.
template <class Handle, class Convert, class Work>
auto workByVendor(Handle &handle, cudaStream_t stream, const Convert &convert,
                  const Work &work) -> std::optional<typename Handle::Result> {
  using Result = typename Handle::Result;
  Result result = Result();
  int error = cudaSuccess;
  bool isCalled = false;
  const auto enqueue = [&](const VendorStream &place) {
    isCalled = true;
    result = handle.prepare(place);
    if (result == Result())
      result = work();
    handle.leave(place);
    return result == Result();
  };
  const Given given = giveOrRecord(stream, handle.workspaceForCaptures(), enqueue, error);
  return resultOf(ifCalled(given, isCalled, error), result, error, convert);
}

/// The same for functions that put nothing into a stream.
template <class Handle, class Convert, class Work>
auto askVendor(Handle &handle, const Convert &convert, const Work &work)
    -> std::optional<typename Handle::Result> {
  using Result = typename Handle::Result;
  Result result = Result();
  int error = cudaSuccess;
  bool isCalled = false;
  const auto ask = [&](void *) {
    isCalled = true;
    result = handle.prepareQuestion();
    if (result == Result())
      result = work();
  };
  const Given given = giveAside(handle.deviceOf(), ask, error);
  return resultOf(ifCalled(given, isCalled, error), result, error, convert);
}

/// Calls NVIDIA's function with a handle of its and `parameters`. Nothing where kernels
/// are to do it.
template <class Handle, class Convert, class... Parameters>
auto callVendor(VendorFunction &function, const Vendor &vendor, cudaStream_t stream,
                Handle &handle, const Convert &convert, Parameters... parameters)
    -> std::optional<typename Handle::Result> {
  using Function = typename Handle::Result(typename Handle::Handle, Parameters...);
  auto *const call = reinterpret_cast<Function *>(function.get(vendor));
  if (!call)
    return std::nullopt;
  const auto work = [&] { return call(handle.get(), parameters...); };
  return function.isQuestion() ? askVendor(handle, convert, work)
                               : workByVendor(handle, stream, convert, work);
}

} // namespace het::libs

#endif // HET_LIBS_COMMON_VENDOR_H
