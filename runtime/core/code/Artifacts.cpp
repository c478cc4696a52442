// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel in a package to its artifact.

#include "core/code/Artifacts.h"
#include "core/Runtime.h"
#include "core/Worker.h"
#include "core/code/Cache.h"
#include "het/Base/Log.h"

namespace het::core {

std::string artifactKey(const Digest &code, const std::string &kernel,
                        const Backend &backend, const std::string &devicelibPath,
                        const std::string &options) {
  const HetDeviceProperties &facts = backend.properties();
  Target &target = backend.target();
  return Cache::key({hex(code), kernel, target.name(), facts.arch, facts.loweringVersion,
                     target.loweringIdentity(devicelibPath), options});
}

static std::string devicelibPath() {
  return (*Runtime::get())->libraryFolder() + "/het/devicelib.bc";
}

std::string artifactKey(const Backend &backend, const Package &package,
                        const KernelInfo &info, const std::string &options) {
  return artifactKey(package.codeDigest(info), info.name, backend, devicelibPath(),
                     options);
}

/// Beside the program's threads only LLVM works at low priority: what waits for a lock
/// of the driver's must not wait for a thread that gets no time.
static Result<Bytes> lowerBeside(Target &target, const HetLowerRequest &request) {
  if (Status status = target.openLowering(); !status.ok())
    return status;
  Result<Bytes> lowered = internal("not lowered");
  Worker::runAtLowPriority([&] { lowered = target.lower(request); });
  return lowered;
}

static Result<Bytes> lower(const Backend &backend, const HetLowerRequest &request,
                           LoweringThread thread) {
  Result<Bytes> lowered = thread == LoweringThread::Callers
                              ? backend.target().lower(request)
                              : lowerBeside(backend.target(), request);
  if (!lowered.ok())
    return lowered;
  if (thread == LoweringThread::Background && Worker::get().stops())
    return unavailable("the process ends");
  return backend.finish(lowered.take(), request.kernel);
}

Result<Bytes> obtainArtifact(const Backend &backend, const Package &package,
                             const KernelInfo &info, uint32_t index,
                             const std::string &options, LoweringThread thread) {
  std::string key = artifactKey(backend, package, info, options);
  if (std::optional<Bytes> cached = Cache::get().load(key)) {
    log(Level::Debug, "kernel %s: from the cache", info.name.c_str());
    return std::move(*cached);
  }
  Result<Bytes> code = package.kernelCode(index);
  if (!code.ok())
    return code.status();
  log(Level::Debug, "kernel %s: lowering for %s%s%s", info.name.c_str(),
      backend.name().c_str(), options.empty() ? "" : ", ", options.c_str());
  std::string devicelib = devicelibPath();
  HetLowerRequest request = {code->data(),      code->size(),
                             info.name.c_str(), backend.properties().arch,
                             options.c_str(),   devicelib.c_str()};
  Result<Bytes> artifact = lower(backend, request, thread);
  if (artifact.ok())
    Cache::get().store(key, {artifact->data(), artifact->size()});
  return artifact;
}

} // namespace het::core
