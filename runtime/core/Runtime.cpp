// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process's devices: HET_DEVICES, or every accelerator there is, or the host.

#include "core/Runtime.h"
#include "core/OpenPackage.h"
#include "core/Shutdown.h"
#include "core/trace/Trace.h"
#include "het/Base/Cache.h"
#include "het/Base/Environment.h"
#include "het/Base/Log.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <set>

namespace het::core {

/// Null: there is none.
static RuntimeExtension *extension = nullptr;

void Runtime::extend(RuntimeExtension &added) { extension = &added; }

/// The folder of the shared object that holds this function. Links to it may lie
/// elsewhere.
static std::string ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&ownFolder), &info) || !info.dli_fname)
    return ".";
  std::string path = info.dli_fname;
  if (char *real = realpath(info.dli_fname, nullptr)) {
    path = real;
    std::free(real);
  }
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

static std::atomic<bool> isChild{false};

bool Runtime::isForked() { return isChild.load(std::memory_order_relaxed); }

OpenTargets OpenTargets::open() {
  OpenTargets opened = {ownFolder(), {}};
  std::set<std::string> names;
  const bool areNamed = environment::text(Variable::Devices).has_value();
  const bool hasPolicy = environment::text(Variable::Policy).has_value();
  for (const std::string &device : environment::list(Variable::Devices, ','))
    names.insert(device.substr(0, device.find(':')));
  if (!areNamed)
    for (std::string &name : Target::installed(opened.folder))
      names.insert(std::move(name));
  for (const std::string &name : names) {
    Result<std::shared_ptr<Target>> target = Target::open(name, opened.folder);
    if (!target.ok())
      continue;
    uint32_t count = 0;
    HetStatus status = {};
    if (areNamed || (!hasPolicy && (*target)->abi().role == HET_ROLE_ACCELERATOR))
      (void)(*target)->abi().probe(&count, &status);
    opened.targets.push_back(target.take());
  }
  return opened;
}

Result<Runtime *> Runtime::get(OpenTargets opened) {
  static Result<Runtime *> result = [&]() -> Result<Runtime *> {
    if (opened.folder.empty())
      opened = OpenTargets::open();
    Shutdown::beforeLibraries();
    pthread_atfork(nullptr, nullptr, [] { isChild = true; });
    if (Status status = setUpLog("het"); !status.ok())
      return status;
    auto *runtime = new Runtime(std::move(opened)); // lives as long as the process
    if (Status status = runtime->open(); !status.ok())
      return status;
    return runtime;
  }();
  return result;
}

/// With the mutex held.
std::shared_ptr<Target> Runtime::knownTarget(const std::string &name) const {
  for (auto &known : targets)
    if (known->name() == name)
      return known;
  return nullptr;
}

/// Opens it without the mutex: the loader's lock comes first (OpenTargets).
Result<std::shared_ptr<Target>> Runtime::target(const std::string &name) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (std::shared_ptr<Target> known = knownTarget(name))
      return known;
  }
  Result<std::shared_ptr<Target>> opened = Target::open(name, folder);
  std::lock_guard<std::mutex> lock(mutex);
  if (std::shared_ptr<Target> known = knownTarget(name)) // another thread's
    return known;
  if (opened.ok())
    targets.push_back(*opened);
  return opened;
}

/// "host" or "ptx:0": the target's name, and which of its devices.
static Result<std::pair<std::string, uint32_t>> parseName(const std::string &thing,
                                                          const std::string &name) {
  size_t colon = name.find(':');
  std::string target = name.substr(0, colon);
  bool valid = !target.empty() &&
               target.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") ==
                   std::string::npos;
  uint32_t ordinal = 0;
  if (colon != std::string::npos) {
    std::string digits = name.substr(colon + 1);
    valid &= !digits.empty() && digits.size() < 4 &&
             digits.find_first_not_of("0123456789") == std::string::npos;
    if (valid)
      ordinal = std::stoul(digits);
  }
  if (!valid)
    return invalid(foundExpected(thing, "'" + name + "'",
                                 "names like host, ptx:0 or spirv:1",
                                 "separate them by commas"));
  return std::make_pair(target, ordinal);
}

/// The device of a target that a name means. Where each mention is a device of its own,
/// this is the next.
Result<std::pair<std::shared_ptr<Target>, uint32_t>>
Runtime::find(const std::string &thing, const std::string &name, uint32_t next) {
  auto parsed = parseName(thing, name);
  if (!parsed.ok())
    return parsed.status();
  auto [targetName, ordinal] = *parsed;
  Result<std::shared_ptr<Target>> found = target(targetName);
  if (!found.ok())
    return found.status();
  uint32_t count = 0;
  HetStatus status = {};
  if ((*found)->abi().probe(&count, &status) != HET_OK)
    return toStatus(status, name);
  if (ordinal >= count)
    return unavailable("device '" + name + "': found " + std::to_string(count) +
                       " devices of this target");
  return std::make_pair(found.take(), count == UINT32_MAX ? next : ordinal);
}

Status Runtime::addDevice(const std::string &name) {
  if (devices.size() == maxDevices)
    return invalid("HET_DEVICES: more than " + std::to_string(maxDevices) + " devices");
  auto found = find("HET_DEVICES", name, devices.size());
  if (!found.ok())
    return found.status();
  Result<std::unique_ptr<Device>> device =
      Device::open(found->first, found->second, devices.size(), name, extension);
  if (!device.ok())
    return device.status();
  devices.push_back(device.take());
  return Status::success();
}

Result<std::unique_ptr<Backend>> Runtime::openBackend(const std::string &name,
                                                      const std::string &shown) {
  uint32_t next;
  {
    std::lock_guard<std::mutex> lock(mutex);
    next = maxDevices + furtherBackends++;
  }
  auto found = find("device", name, next);
  if (!found.ok())
    return found.status();
  return Backend::open(found->first, found->second, shown);
}

std::string Runtime::backendKey(const std::string &name) {
  auto parsed = parseName("", name);
  return parsed.ok() ? parsed->first + ":" + std::to_string(parsed->second) : name;
}

/// `name`: of the variable that asked for it.
static Status named(const char *name, Status status) {
  return status.ok() ? status : Status{status.code, name + (": " + status.text()), ""};
}

Status Runtime::open() {
  if (Result<uint64_t> size = Cache::readCapacity(); !size.ok())
    return size.status();
  if (Result<bool> process = Target::readLoweringProcess(); !process.ok())
    return process.status();
  if (Status status = readPackageTrust(); !status.ok())
    return status;
  Result<uint64_t> slow = environment::number(Variable::SlowLowering, 0, 1'000'000);
  if (!slow.ok())
    return slow.status();
  silentWait = static_cast<unsigned>(*slow);
  Result<size_t> choice = environment::choice(Variable::Specialise);
  if (!choice.ok())
    return choice.status();
  specialisations = static_cast<Specialise>(*choice);
  for (auto [variable, to] : {std::pair{Variable::Preload, &preload},
                              {Variable::Precompiled, &precompiled},
                              {Variable::TextureUnits, &textureUnits}}) {
    Result<bool> flag = environment::flag(variable);
    if (!flag.ok())
      return flag.status();
    *to = *flag;
  }
  std::optional<std::string> profile = environment::text(Variable::Profile);
  if (profile)
    if (Status status =
            named(environment::name(Variable::Profile), Trace::start(*profile));
        !status.ok())
      return status;
  Status status = extension ? extension->configure(*this) : Status::success();
  if (status.ok())
    status = openDevices();
  if (status.ok() && extension)
    status = extension->start();
  if (profile) // behind those of drivers that were opened
    Shutdown::beforeLibraries();
  return status;
}

Status Runtime::openDevices() {
  if (environment::text(Variable::Devices)) {
    std::vector<std::string> names = environment::list(Variable::Devices, ',');
    if (names.empty())
      return invalid("HET_DEVICES: found nothing, expected names of devices; "
                     "unset it to see all accelerators, or the host");
    for (const std::string &name : names)
      if (Status status = addDevice(name); !status.ok())
        return status;
    return Status::success();
  }
  const std::vector<std::string> preferred =
      extension ? extension->preferredDevices() : std::vector<std::string>();
  return preferred.empty() ? addDefaultDevices() : addPreferred(preferred);
}

/// Adds the first that opens.
Status Runtime::addPreferred(const std::vector<std::string> &names) {
  std::string reasons;
  for (const std::string &name : names) {
    Status status = addDevice(name);
    if (status.ok())
      return status;
    reasons += "; " + status.text();
  }
  return unavailable("devices: found none of those preferred" + reasons);
}

/// Adds all of the target's devices that can be used.
void Runtime::addAccelerators(const Target &target) {
  uint32_t count = 0;
  HetStatus status = {};
  if (target.abi().probe(&count, &status) != HET_OK)
    return;
  for (uint32_t i = 0; i < count; ++i)
    if (Status added = addDevice(target.name() + ":" + std::to_string(i)); !added.ok())
      log(Level::Warn, "%s", added.text().c_str());
}

Status Runtime::addDefaultDevices() {
  std::string fallback;
  for (const std::string &name : Target::installed(folder)) {
    Result<std::shared_ptr<Target>> found = target(name);
    if (!found.ok()) {
      log(Level::Warn, "%s", found.status().text().c_str());
      continue;
    }
    if ((*found)->abi().role == HET_ROLE_ACCELERATOR)
      addAccelerators(**found);
    else if ((*found)->abi().role == HET_ROLE_FALLBACK && fallback.empty())
      fallback = name;
  }
  if (!devices.empty())
    return Status::success();
  if (fallback.empty())
    return unavailable("devices: found none, and no target to fall back to; "
                       "looked for targets in " +
                       folder + "/het/targets and HET_TARGET_PATH");
  return addDevice(fallback);
}

Device *Runtime::ownerOf(const void *pointer) {
  uint64_t address = reinterpret_cast<uint64_t>(pointer);
  if (address < windowBase)
    return nullptr;
  uint64_t part = (address - windowBase) / partBytes;
  return part < devices.size() ? devices[part].get() : nullptr;
}

} // namespace het::core
