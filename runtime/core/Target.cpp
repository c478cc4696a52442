// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds targets' plug-ins in the folders of the installation and opens them.

#include "core/Target.h"
#include "core/Shutdown.h"
#include "core/code/FileIdentity.h"
#include "het/Base/Environment.h"
#include "het/Base/File.h"
#include "het/Base/Log.h"

#include <dlfcn.h>
#include <memory>
#include <set>
#include <sys/auxv.h>
#include <unistd.h>

namespace het::core {

Status toStatus(const HetStatus &status, const std::string &origin) {
  switch (status.code) {
  case HET_OK:
    return Status::success();
  case HET_UNAVAILABLE:
    return unavailable(status.message, origin);
  case HET_UNSUPPORTED:
    return unsupported(status.message, origin);
  case HET_INVALID:
    return invalid(status.message, origin);
  default:
    return internal(status.message, origin);
  }
}

/// The folders in which targets are looked for.
static std::vector<std::string> targetFolders(const std::string &folder) {
  std::vector<std::string> folders = environment::list(Variable::TargetPath, ':');
  folders.push_back(folder + "/het/targets");
  return folders;
}

std::vector<std::string> Target::installed(const std::string &folder) {
  constexpr std::string_view prefix = "het-", suffix = "-device.so";
  std::set<std::string> names;
  for (const std::string &place : targetFolders(folder)) {
    Result<std::vector<std::string>> files = listFolder(place);
    if (!files.ok())
      continue; // a folder that is not there has no targets
    for (const std::string &name : *files) {
      if (name.size() <= prefix.size() + suffix.size() ||
          name.compare(0, prefix.size(), prefix) != 0)
        continue;
      size_t end = name.size() - suffix.size();
      if (name.compare(end, suffix.size(), suffix) == 0)
        names.insert(name.substr(prefix.size(), end - prefix.size()));
    }
  }
  return {names.begin(), names.end()};
}

template <typename ABI>
static Result<const ABI *> openPlugin(const std::string &path, const char *entry) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return unavailable(dlerror(), path);
  auto get = reinterpret_cast<const ABI *(*)()>(dlsym(library, entry));
  const ABI *abi = get ? get() : nullptr;
  if (!abi)
    return invalid(std::string("no function ") + entry + " that gives a table", path);
  if (abi->abiVersion != HET_TARGET_ABI_VERSION)
    return unsupported(foundExpected("target interface",
                                     "version " + std::to_string(abi->abiVersion),
                                     "version " + std::to_string(HET_TARGET_ABI_VERSION),
                                     "install the target that belongs to this "
                                     "runtime"),
                       path);
  return abi;
}

/// The folder with that target's plug-in of a kind.
static Result<std::string> findPlugin(const std::string &name, const char *kind,
                                      const std::string &folder) {
  std::string tried;
  for (const std::string &place : targetFolders(folder)) {
    std::string path = place + "/het-" + name + "-" + kind + ".so";
    if (!access(path.c_str(), R_OK))
      return place;
    tried += (tried.empty() ? "" : ", ") + path;
  }
  return unavailable("target '" + name + "': not found; looked for " + tried);
}

/// The program that opens a folder's plug-in in a process of its own: the one that
/// belongs to the plug-in, else to this runtime.
static std::string workerFor(const std::string &place, const std::string &folder) {
  const std::string name = "/het-lowering-worker", beside = place + "/.." + name;
  return access(beside.c_str(), X_OK) == 0 ? beside : folder + "/het" + name;
}

Result<bool> Target::readLoweringProcess() {
  return environment::flag(Variable::LoweringProcess);
}

void Target::setLowering(const std::string &place, const std::string &folder) {
  loweringPath = place + "/het-" + targetName + "-lowering.so";
  Result<bool> elsewhere = readLoweringProcess(); // the runtime checked it before
  // A worker would be the caller's, who could attach to it and answer in its place.
  isLoweredElsewhere = !getauxval(AT_SECURE) && (!elsewhere.ok() || *elsewhere);
  workerPath = workerFor(place, folder);
}

Result<std::shared_ptr<Target>> Target::open(const std::string &name,
                                             const std::string &folder) {
  Result<std::string> place = findPlugin(name, "device", folder);
  if (!place.ok())
    return place.status();
  Result<const HetDeviceABI *> abi =
      openPlugin<HetDeviceABI>(*place + "/het-" + name + "-device.so", "hetDeviceABI");
  if (!abi.ok())
    return abi.status();
  auto target = std::make_shared<Target>();
  target->targetName = name;
  target->deviceABI = *abi;
  target->setLowering(*place, folder);
  return target;
}

Result<std::shared_ptr<Target>> Target::openForLowering(const std::string &name,
                                                        const std::string &folder) {
  Result<std::string> place = findPlugin(name, "lowering", folder);
  if (!place.ok())
    return place.status();
  auto target = std::make_shared<Target>();
  target->targetName = name;
  target->setLowering(*place, folder);
  if (Status status = target->openLowering(); !status.ok())
    return status;
  return target;
}

const std::string &Target::loweringIdentity(const std::string &devicelibPath) {
  std::call_once(identified, [&] {
    identity = identityOfLibrary(loweringPath) + " " + identityOfContents(devicelibPath);
  });
  return identity;
}

Status Target::openLowering() {
  if (isLoweredElsewhere)
    return Status::success();
  std::lock_guard<std::mutex> lock(mutex);
  if (loweringABI)
    return Status::success();
  log(Level::Debug, "opening %s", loweringPath.c_str());
  Result<const HetLoweringABI *> abi =
      openPlugin<HetLoweringABI>(loweringPath, "hetLoweringABI");
  if (!abi.ok())
    return abi.status();
  loweringABI = *abi;
  Shutdown::beforeLibraries();
  return Status::success();
}

Result<Bytes> Target::lower(const HetLowerRequest &request) {
  if (isLoweredElsewhere)
    return lowerElsewhere({workerPath, loweringPath}, request);
  if (Status status = openLowering(); !status.ok())
    return status;
  HetLowering lowering = {};
  HetStatus status = {};
  if (loweringABI->lower(&request, &lowering, &status) != HET_OK)
    return toStatus(status, request.kernel);
  Bytes bytes(lowering.data, lowering.data + lowering.size);
  loweringABI->release(&lowering);
  return bytes;
}

std::optional<Result<OngoingLowering>>
Target::beginLowering(const HetLowerRequest &request) {
  if (!isLoweredElsewhere)
    return std::nullopt;
  return OngoingLowering::begin({workerPath, loweringPath}, request);
}

bool Target::canLower() const { return access(loweringPath.c_str(), R_OK) == 0; }

Result<NamedArch> Target::findArch(const std::string &name) {
  return findArchElsewhere({workerPath, loweringPath}, name);
}

Result<Bytes> Target::extractCode(ByteView artifact) {
  return extractCodeElsewhere({workerPath, loweringPath}, artifact);
}

Result<HetExplanation> Target::explain(const HetLowerRequest &request) {
  if (isLoweredElsewhere)
    return explainElsewhere({workerPath, loweringPath}, request);
  if (Status status = openLowering(); !status.ok())
    return status;
  HetExplanation explanation = {};
  HetStatus status = {};
  if (loweringABI->explain &&
      loweringABI->explain(&request, &explanation, &status) != HET_OK)
    return toStatus(status, request.kernel);
  return explanation;
}

} // namespace het::core
