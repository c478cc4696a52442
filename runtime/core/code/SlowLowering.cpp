// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two processes lower one kernel: the first as well as it can, the second, begun when the
// launch has waited for a while, with the word `interim`. The sooner code is taken.

#include "core/code/SlowLowering.h"
#include "core/Runtime.h"
#include "core/Worker.h"
#include "het/Base/Cache.h"
#include "het/Base/Log.h"

#include <mutex>
#include <set>

namespace het::core {

Result<Bytes> keep(const Backend &backend, const std::string &kernel,
                   Result<Bytes> lowered, const std::string &key) {
  if (!lowered.ok())
    return lowered;
  Result<Bytes> artifact = backend.finish(lowered.take(), kernel);
  if (artifact.ok())
    Cache::get().store(key, *artifact);
  return artifact;
}

/// How many processes make better code; one may.
static std::atomic<unsigned> ongoing{0};

BetterCode::BetterCode(const Backend &backend, const HetLowerRequest &request,
                       std::string key, std::optional<OngoingLowering> begun)
    : backend(backend), code(ByteView(request.code, request.codeSize).copy()),
      kernel(request.kernel), arch(request.arch), options(request.options),
      devicelib(request.devicelibPath), key(std::move(key)) {
  if (!begun)
    return;
  if (ongoing.fetch_add(1) == 0)
    lowering = std::move(begun);
  else
    --ongoing;
}

BetterCode::~BetterCode() {
  if (lowering)
    --ongoing;
}

Status BetterCode::begin() {
  std::optional<Result<OngoingLowering>> begun;
  Worker::runAtLowPriority([&] {
    begun = backend.target().beginLowering({code.data(), code.size(), kernel.c_str(),
                                            arch.c_str(), options.c_str(),
                                            devicelib.c_str()});
  });
  if (!begun || !begun->ok())
    return begun ? begun->status() : unavailable("kernels are lowered in this process");
  lowering = begun->take();
  ++ongoing;
  return Status::success();
}

Result<Bytes> BetterCode::wait() {
  if (!lowering) {
    // Another backend's may be the same.
    if (std::optional<Bytes> made = Cache::get().load(key))
      return std::move(*made);
    if (Status status = begin(); !status.ok())
      return status;
  }
  Result<Bytes> lowered =
      lowering->waitUnless([this] { return stopped || Worker::get().stops(); });
  lowering.reset();
  --ongoing;
  return keep(backend, kernel, std::move(lowered), key);
}

/// Once for each kernel.
static void warn(const Backend &backend, const std::string &kernel, unsigned patience) {
  static std::mutex mutex;
  static std::set<std::string> *warned = new std::set<std::string>; // until the very end
  std::lock_guard<std::mutex> lock(mutex);
  if (warned->insert(kernel).second)
    log(Level::Warn,
        "kernel %s: making its code for %s takes more than %g s; it is kept for later "
        "runs",
        kernel.c_str(), backend.name().c_str(), patience / 1000.0);
}

/// The request's words, and that the code is to be made soon.
static std::string interimOptions(const HetLowerRequest &request) {
  const std::string options = request.options;
  return options + (options.empty() ? "" : " ") + "interim";
}

/// Interim code, if it is there before the other.
static std::optional<Bytes> makeInterim(Target &target, const HetLowerRequest &request,
                                        const OngoingLowering &other) {
  HetLowerRequest interim = request;
  const std::string options = interimOptions(request);
  interim.options = options.c_str();
  std::optional<Result<OngoingLowering>> begun = target.beginLowering(interim);
  if (!begun || !begun->ok() || !(*begun)->answersBefore(other))
    return std::nullopt;
  Result<Bytes> code = (*begun)->wait();
  if (code.ok())
    return code.take();
  log(Level::Debug, "kernel %s: no interim code: %s", request.kernel,
      code.status().text().c_str());
  return std::nullopt;
}

Result<Bytes> lowerForLaunch(const Backend &backend, const HetLowerRequest &request,
                             const CodeKeys &keys, std::unique_ptr<BetterCode> *better) {
  Target &target = backend.target();
  std::optional<Result<OngoingLowering>> begun = target.beginLowering(request);
  if (!begun)
    return keep(backend, request.kernel, target.lower(request), keys.code);
  if (!begun->ok())
    return begun->status();
  OngoingLowering &lowering = **begun;
  const unsigned patience = (*Runtime::get())->slowLowering();
  std::optional<Bytes> interim;
  if (patience && !lowering.answersWithin(static_cast<int>(patience))) {
    warn(backend, request.kernel, patience);
    if (better)
      interim = makeInterim(target, request, lowering);
  }
  if (!interim)
    return keep(backend, request.kernel, lowering.wait(), keys.code);
  Result<Bytes> artifact =
      keep(backend, request.kernel, std::move(*interim), keys.interim);
  if (artifact.ok()) {
    log(Level::Info, "kernel %s: runs interim code", request.kernel);
    *better =
        std::make_unique<BetterCode>(backend, request, keys.code, std::move(lowering));
  }
  return artifact;
}

std::optional<Bytes> takeInterim(const Backend &backend, const HetLowerRequest &request,
                                 const CodeKeys &keys,
                                 std::unique_ptr<BetterCode> *better) {
  if (!(*Runtime::get())->slowLowering())
    return std::nullopt;
  std::optional<Bytes> interim = Cache::get().load(keys.interim);
  if (!interim)
    return std::nullopt;
  log(Level::Info, "kernel %s: runs interim code, from the cache", request.kernel);
  *better = std::make_unique<BetterCode>(backend, request, keys.code, std::nullopt);
  return interim;
}

} // namespace het::core
