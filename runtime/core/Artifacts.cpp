// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel in a package to its artifact.

#include "Artifacts.h"
#include "Background.h"
#include "Cache.h"
#include "het/Base/Log.h"
#include "het/Runtime/Runtime.h"

namespace het::core {

std::string artifactKey(const Digest &code, const std::string &kernel,
                        const Device &device, const std::string &devicelibPath,
                        const std::string &options) {
  const HetDeviceProperties &facts = device.properties();
  Target &target = device.target();
  return Cache::key({hex(code), kernel, target.name(), facts.arch,
                     facts.loweringVersion, target.loweringIdentity(devicelibPath),
                     options});
}

static std::string devicelibPath() {
  return (*Runtime::get())->libraryFolder() + "/het/devicelib.bc";
}

std::string artifactKey(Device &device, const Package &package, const KernelInfo &info,
                        const std::string &options) {
  return artifactKey(package.codeDigest(info), info.name, device, devicelibPath(),
                     options);
}

/// Beside the program's threads only LLVM works at low priority: what waits for a lock
/// of the driver's must not wait for a thread that gets no time.
static Result<Bytes> lowerBeside(Target &target, const HetLowerRequest &request) {
  if (Status status = target.openLowering(); !status.ok())
    return status;
  Result<Bytes> lowered = internal("not lowered");
  Background::runAtLowPriority([&] { lowered = target.lower(request); });
  return lowered;
}

static Result<Bytes> lower(Device &device, const HetLowerRequest &request,
                           LoweringThread thread) {
  Result<Bytes> lowered = thread == LoweringThread::Callers
                              ? device.target().lower(request)
                              : lowerBeside(device.target(), request);
  if (!lowered.ok())
    return lowered;
  if (thread == LoweringThread::Background && Background::get().stops())
    return unavailable("the process ends");
  return device.finish(lowered.take(), request.kernel);
}

Result<Bytes> obtainArtifact(Device &device, const Package &package,
                             const KernelInfo &info, uint32_t index,
                             const std::string &options, LoweringThread thread) {
  std::string key = artifactKey(device, package, info, options);
  if (std::optional<Bytes> cached = Cache::get().load(key)) {
    log(Level::Debug, "kernel %s: from the cache", info.name.c_str());
    return std::move(*cached);
  }
  Result<Bytes> code = package.kernelCode(index);
  if (!code.ok())
    return code.status();
  log(Level::Debug, "kernel %s: lowering for %s%s%s", info.name.c_str(),
      device.name().c_str(), options.empty() ? "" : ", ", options.c_str());
  std::string devicelib = devicelibPath();
  HetLowerRequest request = {code->data(),      code->size(),
                             info.name.c_str(), device.properties().arch,
                             options.c_str(),   devicelib.c_str()};
  Result<Bytes> artifact = lower(device, request, thread);
  if (artifact.ok())
    Cache::get().store(key, {artifact->data(), artifact->size()});
  return artifact;
}

} // namespace het::core
