// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel in a package to its artifact.

#include "core/code/Artifacts.h"
#include "core/Runtime.h"
#include "core/Worker.h"
#include "core/code/SlowLowering.h"
#include "het/Base/Cache.h"
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

static Result<Bytes> lowerInBackground(const Backend &backend,
                                       const HetLowerRequest &request,
                                       const CodeKeys &keys) {
  Result<Bytes> lowered = lowerBeside(backend.target(), request);
  if (!lowered.ok())
    return lowered;
  if (Worker::get().stops())
    return unavailable("the process ends");
  return keep(backend, request.kernel, std::move(lowered), keys.code);
}

static std::string precompiledKey(const Backend &backend, const KernelSource &kernel,
                                  const Precompiled::Found &found) {
  const HetDeviceProperties &facts = backend.properties();
  const Digest digest = kernel.package.section(found.entry->section).digest;
  return Cache::key({"precompiled", hex(digest), kernel.info.name,
                     backend.target().name(), facts.arch, facts.loweringVersion});
}

std::string cacheKey(const Backend &backend, const KernelSource &kernel,
                     const std::string &options) {
  std::optional<Precompiled::Found> found =
      kernel.precompiled.find(backend, kernel.info, kernel.index, options);
  return found ? precompiledKey(backend, kernel, *found)
               : artifactKey(backend, kernel.package, kernel.info, options);
}

std::optional<Artifact> findCached(const std::string &key) {
  std::optional<Bytes> cached = Cache::get().load(key);
  if (!cached)
    return std::nullopt;
  return Artifact{std::move(*cached),
                  "it is from the cache; remove " + Cache::get().pathOf(key)};
}

static std::string packageAdvice(const Backend &backend, const KernelSource &kernel,
                                 const Precompiled::Found &found) {
  return "it was precompiled for " + found.lowering->kind.text() + ", in " +
         kernel.package.origin() +
         "; run 'hetpkg precompile --for=" + backend.target().name() +
         "' on that again, or set HET_PRECOMPILED=0";
}

/// Code from the package, as the device wants it.
static Result<Artifact> takePrecompiled(const Backend &backend,
                                        const KernelSource &kernel,
                                        const Precompiled::Found &found) {
  const bool isFinished = backend.abi().finishArtifact;
  const std::string key = precompiledKey(backend, kernel, found);
  const char *name = kernel.info.name.c_str();
  if (isFinished)
    if (std::optional<Artifact> cached = findCached(key)) {
      log(Level::Debug, "kernel %s: precompiled, from the cache", name);
      return std::move(*cached);
    }
  Result<Bytes> artifact = kernel.package.artifact(*found.entry);
  if (!artifact.ok())
    return artifact.status();
  log(Level::Debug, "kernel %s: precompiled for %s", name,
      found.lowering->kind.text().c_str());
  std::string advice = packageAdvice(backend, kernel, found);
  if (!isFinished)
    return Artifact{artifact.take(), std::move(advice)};
  Result<Bytes> finished = backend.finish(artifact.take(), kernel.info.name);
  if (!finished.ok())
    return finished.status();
  Cache::get().store(key, *finished);
  return Artifact{finished.take(), std::move(advice)};
}

/// Why there is no code on a machine that can not make any; success where it can.
static Status canLower(const Backend &backend, const std::string &why,
                       const std::string &options) {
  Target &target = backend.target();
  if (target.canLower())
    return Status::success();
  return unsupported(foundExpected(
      "code for " + backend.name() + " (" + backend.properties().arch + ")",
      "none in the package that runs there" + (why.empty() ? "" : " (" + why + ")") +
          ", and no lowering " + target.loweringPlugin(),
      "one of them",
      "where hetcc is installed run 'hetpkg precompile --for=" + target.name() +
          (options.empty() ? "" : " --movable") +
          "' on the program or package, or install the lowering"));
}

static Result<Bytes> lowerNow(const Backend &backend, const KernelSource &kernel,
                              const std::string &options, const CodeKeys &keys,
                              LoweringThread thread,
                              std::unique_ptr<BetterCode> *better) {
  Result<Bytes> code = kernel.package.kernelCode(kernel.index);
  if (!code.ok())
    return code.status();
  const char *name = kernel.info.name.c_str();
  const std::string devicelib = devicelibPath();
  const HetLowerRequest request = {
      code->data(),    code->size(),     name, backend.properties().arch,
      options.c_str(), devicelib.c_str()};
  if (better)
    if (std::optional<Bytes> interim = takeInterim(backend, request, keys, better))
      return std::move(*interim);
  log(Level::Debug, "kernel %s: lowering for %s%s%s", name, backend.name().c_str(),
      options.empty() ? "" : ", ", options.c_str());
  return thread == LoweringThread::Background
             ? lowerInBackground(backend, request, keys)
             : lowerForLaunch(backend, request, keys, better);
}

Artifact loweredNow(const Backend &backend, Bytes bytes) {
  return {std::move(bytes), "it was lowered just now, so this is a fault of " +
                                backend.target().loweringPlugin() +
                                "; install the runtime and it from one build"};
}

Result<Artifact> obtainArtifact(const Backend &backend, const KernelSource &kernel,
                                const std::string &options, LoweringThread thread,
                                std::unique_ptr<BetterCode> *better) {
  const char *name = kernel.info.name.c_str();
  std::string why;
  if (std::optional<Precompiled::Found> found =
          kernel.precompiled.find(backend, kernel.info, kernel.index, options, &why)) {
    Result<Artifact> artifact = takePrecompiled(backend, kernel, *found);
    if (artifact.ok())
      return artifact;
    why = artifact.status().text();
    log(Level::Warn, "kernel %s: precompiled code is not used: %s", name, why.c_str());
  }
  const CodeKeys keys = {
      artifactKey(backend, kernel.package, kernel.info, options),
      artifactKey(backend, kernel.package, kernel.info, options + " interim")};
  if (std::optional<Artifact> cached = findCached(keys.code)) {
    log(Level::Debug, "kernel %s: from the cache", name);
    return std::move(*cached);
  }
  if (Status status = canLower(backend, why, options); !status.ok())
    return status;
  if (!why.empty())
    log(Level::Info, "kernel %s: no precompiled code: %s", name, why.c_str());
  Result<Bytes> lowered = lowerNow(backend, kernel, options, keys, thread, better);
  if (!lowered.ok())
    return lowered.status();
  return loweredNow(backend, lowered.take());
}

} // namespace het::core
