// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses a library's back end, and puts its work into streams.

#include "common/BackEnd.h"
#include "het/Base/Environment.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <het/native.h>
#include <iterator>

namespace het::libs {
namespace {

/// By BackEnd.
constexpr const char *names[] = {"vendor", "host", "portable"};
/// The target whose devices have it.
constexpr const char *targets[] = {"ptx", "host", nullptr};

Result<std::vector<BackEnd>> readList() {
  std::vector<BackEnd> list;
  std::vector<std::string> words = environment::list(Variable::Libraries, ',');
  if (words.empty())
    words.assign(std::begin(names), std::end(names));
  for (const std::string &word : words) {
    const auto *name = std::find(std::begin(names), std::end(names), word);
    if (name == std::end(names))
      return invalid("HET_LIBRARIES: found '" + word +
                     "', expected vendor, host or portable, separated by commas");
    list.push_back(static_cast<BackEnd>(name - names));
  }
  return list;
}

/// Success where the device can have the back end, which is open then.
Status tryBackEnd(BackEnd wanted, const BackEndOffers &offers, const char *target,
                  bool mayMove) {
  const char *needed = targets[static_cast<int>(wanted)];
  if (!needed)
    return Status::success();
  const auto &open = wanted == BackEnd::Vendor ? offers.vendor : offers.host;
  if (!open)
    return unsupported("this library has no such back end");
  if (std::string(needed) != target)
    return unsupported("it is for devices of the target " + std::string(needed) +
                       ", and this is one of " + target);
  if (mayMove)
    return unsupported("the work of this process may move to another device");
  if (wanted == BackEnd::Vendor && offers.isVendorOnRequest &&
      environment::list(Variable::Libraries, ',').empty())
    return unsupported("it is used where HET_LIBRARIES names it");
  return open();
}

} // namespace

Result<BackEnd> chooseBackEnd(const char *library, int device,
                              const BackEndOffers &offers) {
  static const Status logging = setUpLog("het");
  const std::string subject = std::string(library) + ": device " + std::to_string(device);
  const char *target = "";
  int mayMove = 0;
  if (const cudaError_t error = hetGetNativeTarget(device, &target, &mayMove))
    return unavailable(subject + ": " + cudaGetErrorString(error));
  Result<std::vector<BackEnd>> list = readList();
  if (!list.ok())
    return list.status();
  std::string reasons;
  for (const BackEnd wanted : *list) {
    const char *name = names[static_cast<int>(wanted)];
    const Status status = tryBackEnd(wanted, offers, target, mayMove);
    if (status.ok()) {
      log(Level::Info, "%s: back end %s%s%s", subject.c_str(), name,
          reasons.empty() ? "" : ", for there is none before it: ", reasons.c_str());
      return wanted;
    }
    reasons += (reasons.empty() ? "" : "; ") + std::string(name) + ": " + status.text();
  }
  return unavailable(subject + ": found no back end of HET_LIBRARIES=" +
                     environment::textOrDefault(Variable::Libraries) + " (" + reasons +
                     ")");
}

static Given given(cudaError_t result, int &error) {
  error = result;
  return result == cudaSuccess ? Given::Yes
         : result == cudaErrorStreamCaptureUnsupported || result == cudaErrorNotSupported
             ? Given::UseKernels
             : Given::Failed;
}

Given giveToHost(CUstream_st *stream, std::function<void()> work, int &error) {
  using Work = std::function<void()>;
  auto held = std::make_unique<Work>(std::move(work));
  auto call = [](void *data, int isFaulted) {
    const std::unique_ptr<Work> own(static_cast<Work *>(data));
    if (!isFaulted)
      (*own)();
  };
  const cudaError_t result = hetEnqueueCall(stream, call, held.get());
  if (result == cudaSuccess)
    (void)held.release(); // the call owns it now
  return given(result, error);
}

Given giveToVendor(CUstream_st *stream, void (*work)(void *, void *), void *data,
                   int &error) {
  return given(hetEnqueueNative(stream, work, data), error);
}

namespace {

struct VendorCall {
  bool (*work)(const VendorStream &, void *);
  void *data;

  static void enqueue(void *native, void *data) {
    const auto &call = *static_cast<const VendorCall *>(data);
    (void)call.work({native, nullptr, false}, call.data);
  }
  /// 0: it is to be kept.
  static int record(void *native, void *workspace, void *data) {
    const auto &call = *static_cast<const VendorCall *>(data);
    return call.work({native, workspace, true}, call.data) ? 0 : 1;
  }
};

} // namespace

Given giveOrRecord(CUstream_st *stream, size_t workspaceSize,
                   bool (*work)(const VendorStream &, void *), void *data, int &error) {
  VendorCall call = {work, data};
  const Given enqueued = giveToVendor(stream, VendorCall::enqueue, &call, error);
  if (error != cudaErrorStreamCaptureUnsupported)
    return enqueued;
  return given(hetRecordNative(stream, workspaceSize, VendorCall::record, &call), error);
}

} // namespace het::libs
