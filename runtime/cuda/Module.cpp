// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening packages on devices, and finding kernels and variables in them.

#include "Module.h"
#include "Memory.h"

#include "core/OpenPackage.h"
#include "core/code/Preload.h"
#include "het/Base/Log.h"
#include "het/Base/Passing.h"

#include <algorithm>
#include <cstring>

namespace het::cuda {

/// Finds the bytes of the package, once. With the lock of the binary held.
static Status findSource(Binary &binary) {
  if (binary.source)
    return Status::success();
  Result<PackageSource> source =
      binary.size ? sourceFromBytes(binary.data, binary.size, binary.origin)
                  : findPackage(binary.data);
  if (source.ok()) {
    binary.source = std::make_shared<PackageSource>(source.take());
    if (!binary.size)
      keepIfInLibrary(*binary.source);
  }
  return source.ok() ? Status::success() : source.status();
}

/// A managed variable lies where the host has it.
static core::Module::Placement placementOf(const Binary &binary) {
  return [&binary](const VariableInfo &variable) -> void * {
    return variable.kind == VariableKind::Managed ? findStorage(binary, variable.name)
                                                  : nullptr;
  };
}

/// With the lock of the binary held.
static Result<std::shared_ptr<core::Module>> tryToOpen(Binary &binary, Device &device) {
  if (Status status = findSource(binary); !status.ok())
    return status;
  auto found = binary.modules.find(device.ordinal);
  if (found != binary.modules.end())
    return found->second;
  unloadLeft();
  Result<std::shared_ptr<core::Module>> opened = core::Module::open(
      device.device, binary.source->bytes, binary.source->origin, placementOf(binary));
  if (opened.ok())
    binary.modules[device.ordinal] = *opened;
  return opened;
}

/// Translates a failure to open, and logs it unless it was the last one logged. A failure
/// that may pass is not kept; a package that is there lacks memory then. With the lock of
/// the binary held.
static cudaError_t fail(Binary &binary, const Status &status) {
  if (std::string text = status.text(); text != binary.said) {
    log(Level::Error, "%s", text.c_str());
    binary.said = std::move(text);
  }
  if (!mayPass(status))
    return binary.failure = cudaErrorInvalidKernelImage;
  return binary.source ? cudaErrorMemoryAllocation : cudaErrorInvalidKernelImage;
}

static cudaError_t open(Binary &binary, Device &device,
                        std::shared_ptr<core::Module> &module) {
  std::lock_guard<std::mutex> lock(binary.mutex);
  if (binary.failure)
    return binary.failure;
  Result<std::shared_ptr<core::Module>> opened = tryToOpen(binary, device);
  if (!opened.ok())
    return fail(binary, opened.status());
  module = opened.take();
  return cudaSuccess;
}

/// With the lock of the binary held.
static void loadCached(Binary &binary, Device &device) {
  if (binary.failure || !binary.data || !findSource(binary).ok())
    return; // a launch will say so
  Result<Package> package =
      core::openPackage(binary.source->bytes, binary.source->origin);
  if (!package.ok())
    return;
  core::CachedKernels kernels = core::CachedKernels::find(device.device, *package);
  if (kernels.empty())
    return;
  Result<std::shared_ptr<core::Module>> opened = tryToOpen(binary, device);
  if (opened.ok())
    kernels.load(**opened);
}

/// Who closes a library has the loader's lock and waits for the binary's; here the loader
/// is called with the binary's. So it stays open from before that is taken.
HeldLibrary loadAhead(Binary &binary, Device &device) {
  const void *data = nullptr;
  {
    std::lock_guard<std::mutex> lock(binary.mutex);
    data = binary.data;
  }
  HeldLibrary library = holdLibraryOf(data);
  std::lock_guard<std::mutex> lock(binary.mutex);
  loadCached(binary, device);
  return library;
}

/// Reads which variables are managed. With the lock of the binary held.
static void readManaged(Binary &binary) {
  binary.managed.emplace();
  if (Status status = findSource(binary); !status.ok()) {
    log(Level::Error, "%s", status.text().c_str());
    // Every launch fails: the variables could not get their values later.
    binary.failure = cudaErrorInvalidKernelImage;
    return;
  }
  Result<Package> package =
      core::openPackage(binary.source->bytes, binary.source->origin);
  if (!package.ok())
    return; // a launch will say so
  Result<std::vector<VariableInfo>> variables = package->variables();
  if (!variables.ok())
    return;
  for (VariableInfo &variable : *variables)
    if (variable.kind == VariableKind::Managed)
      binary.managed->push_back(std::move(variable));
}

void initialiseManaged(Binary &binary) {
  std::lock_guard<std::mutex> lock(binary.mutex);
  if (!binary.managed)
    readManaged(binary);
  std::vector<VariableInfo> &waiting = *binary.managed;
  auto isDone = [&](const VariableInfo &variable) {
    void *storage = findStorage(binary, variable.name);
    if (!storage)
      return false;
    if (!variable.initial.empty())
      std::memcpy(storage, variable.initial.data(), variable.initial.size());
    addManagedVariable(storage, variable.size);
    return true;
  };
  waiting.erase(std::remove_if(waiting.begin(), waiting.end(), isDone), waiting.end());
}

cudaError_t open(Binary &binary, Device &device) {
  std::shared_ptr<core::Module> module;
  return open(binary, device, module);
}

void unload(Binary &binary, cudaError_t why) {
  std::shared_ptr<PackageSource> source; // goes after the modules
  decltype(binary.modules) modules;      // go without the lock: each waits for its device
  std::lock_guard<std::mutex> lock(binary.mutex);
  modules.swap(binary.modules);
  source.swap(binary.source);
  binary.failure = why;
}

void close(Binary &binary) {
  std::lock_guard<std::mutex> lock(binary.mutex);
  binary.data = nullptr;
}

namespace {

/// Modules of libraries that are closed, kept until their work can be waited for.
struct ClosedModules {
  std::atomic<bool> areThere{false};
  std::mutex mutex; ///< Guards the list.
  std::vector<std::pair<std::shared_ptr<PackageSource>, std::shared_ptr<core::Module>>>
      list;
};

ClosedModules &closedModules() {
  static auto *closed = new ClosedModules;
  return *closed;
}

} // namespace

void leave(Binary &binary) {
  std::lock_guard<std::mutex> lock(binary.mutex);
  ClosedModules &closed = closedModules();
  std::lock_guard<std::mutex> listLock(closed.mutex);
  for (auto &[device, module] : binary.modules)
    closed.list.emplace_back(binary.source, std::move(module));
  closed.areThere = !closed.list.empty();
  binary.modules.clear();
  binary.data = nullptr; // about to go
}

void unloadLeft() {
  ClosedModules &closed = closedModules();
  if (!closed.areThere.load(std::memory_order_acquire))
    return;
  decltype(closed.list) list;
  {
    std::lock_guard<std::mutex> lock(closed.mutex);
    list.swap(closed.list);
    closed.areThere = false;
  }
  for (auto &[source, module] : list)
    module.reset(); // waits for its device; before the bytes
}

void forget(Binary &binary, int device) {
  decltype(binary.modules)::node_type module; // goes without the lock: it waits
  std::lock_guard<std::mutex> lock(binary.mutex);
  module = binary.modules.extract(device);
}

void forget(Function &function, int device) {
  for (LoadedKernel *kernel = function.loaded.load(); kernel; kernel = kernel->next)
    if (kernel->device == device)
      kernel->device = -1; // it stays: a launch may look at it
}

void forget(Function &function) {
  for (LoadedKernel *kernel = function.loaded.load(); kernel; kernel = kernel->next)
    kernel->device = -1;
}

std::shared_ptr<Function> keep(Function *function) {
  if (!function)
    return nullptr;
  return {function->binary->owner.lock(), function};
}

static std::atomic<uint64_t> unloads{0};

void markGone(Binary &binary) {
  binary.isGone.store(true, std::memory_order_release);
  unloads.fetch_add(1, std::memory_order_release);
}

uint64_t unloadCount() { return unloads.load(std::memory_order_acquire); }

/// A kernel that is launched, by a graph, after its binary was unloaded.
static cudaError_t refuseGone(const Function &function) {
  const LoadedKernel *known = function.loaded.load();
  log(Level::Error,
      "kernel %s: its module was unloaded, or its library closed; destroy graphs that "
      "launch it first, or give their nodes another kernel",
      known ? known->info().displayName.c_str() : "of a graph");
  return cudaErrorInvalidResourceHandle;
}

/// The kernel, if it was found on this device before.
static LoadedKernel *findLoaded(const Function &function, int device) {
  LoadedKernel *kernel = function.loaded.load(std::memory_order_acquire);
  while (kernel && kernel->device != device)
    kernel = kernel->next;
  return kernel;
}

/// The kernel's place in the function's list on a device: one that another thread has
/// made, one that a reset has left, or a new one.
static LoadedKernel *publish(Function &function, int device,
                             std::shared_ptr<core::Kernel> kernel) {
  static std::mutex *mutex = new std::mutex;
  std::lock_guard<std::mutex> lock(*mutex);
  if (LoadedKernel *first = findLoaded(function, device))
    return first;
  LoadedKernel *place = findLoaded(function, -1);
  std::unique_ptr<LoadedKernel> made;
  if (!place)
    place = (made = std::make_unique<LoadedKernel>()).get();
  place->kernel = std::move(kernel);
  place->description = &place->kernel->info();
  place->optInShared = -1;
  place->ready = false;
  place->said = 0;
  place->device.store(device, std::memory_order_release);
  if (made) {
    place->next = function.loaded.load(std::memory_order_relaxed);
    function.loaded.store(made.release(), std::memory_order_release);
  }
  return place;
}

cudaError_t load(Function &function, Device &device, LoadedKernel *&kernel) {
  kernel = findLoaded(function, device.ordinal);
  if (kernel)
    return cudaSuccess;
  if (function.binary->isGone.load(std::memory_order_acquire))
    return refuseGone(function);
  std::shared_ptr<core::Module> module;
  if (cudaError_t error = open(*function.binary, device, module))
    return error;
  Result<std::shared_ptr<core::Kernel>> found = module->kernel(function.name);
  if (!found.ok()) {
    bool missing = found.status().code == Code::Unavailable;
    log(missing ? Level::Warn : Level::Error, "%s", found.status().text().c_str());
    return missing ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidKernelImage;
  }
  kernel = publish(function, device.ordinal, found.take());
  return cudaSuccess;
}

cudaError_t kernelNames(Binary &binary, Device &device, std::vector<std::string> &names) {
  std::shared_ptr<core::Module> module;
  if (cudaError_t error = open(binary, device, module))
    return error;
  Result<std::vector<std::string>> found = module->kernelNames();
  if (!found.ok())
    return translate(found.status(), cudaErrorInvalidKernelImage);
  names = found.take();
  return cudaSuccess;
}

static cudaError_t prepareSlowly(LoadedKernel &kernel) {
  Status status = kernel.kernel->prepare();
  if (status.ok()) {
    kernel.ready.store(kernel.kernel->isPrepared(), std::memory_order_release);
    return cudaSuccess;
  }
  if (const size_t hash = std::hash<std::string>()(status.message);
      kernel.said.exchange(hash) != hash)
    log(Level::Error, "kernel %s: %s", kernel.info().displayName.c_str(),
        status.message.c_str());
  return status.code == Code::Invalid ? cudaErrorInvalidKernelImage
                                      : cudaErrorNoKernelImageForDevice;
}

cudaError_t prepare(LoadedKernel &kernel) {
  return kernel.ready.load(std::memory_order_acquire) ? cudaSuccess
                                                      : prepareSlowly(kernel);
}

cudaError_t addressOf(Variable &variable, Device &device, void *&address) {
  std::shared_ptr<core::Module> module;
  if (cudaError_t error = open(*variable.binary, device, module))
    return error;
  Result<core::VariableAddress> found = module->variable(variable.name);
  if (!found.ok())
    return translate(found.status(), cudaErrorInvalidSymbol);
  address = found->address;
  variable.size = found->size;
  return cudaSuccess;
}

} // namespace het::cuda
