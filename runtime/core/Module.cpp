// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package on a device: variables placed, kernels lowered when they are first used.

#include "het/Runtime/Module.h"
#include "Artifacts.h"
#include "Background.h"
#include "Cache.h"
#include "Heap.h"
#include "Movement.h"
#include "PollIntervals.h"
#include "ShortLaunches.h"
#include "Variants.h"
#include "het/Base/Log.h"
#include "het/Base/Passing.h"
#include "het/Runtime/Runtime.h"

#include <algorithm>
#include <cstring>

namespace het::core {

Result<std::shared_ptr<Module>> Module::open(Device &device, ByteView bytes,
                                             const std::string &origin,
                                             const Placement &place) {
  Result<Package> package = Package::open(bytes, origin);
  if (!package.ok())
    return package.status();
  std::shared_ptr<Module> module(new Module(device, package.take()));
  Result<std::vector<VariableInfo>> infos = module->package.variables();
  if (!infos.ok())
    return infos.status();
  module->infos = infos.take();
  if (Status status = module->placeVariables(place); !status.ok())
    return std::move(status).from(origin);
  if (Movement *movement = device.movement())
    movement->add(*module);
  return module;
}

/// Gives every variable its memory.
Status Module::placeVariables(const Placement &place) {
  std::vector<bool> given(infos.size());
  for (size_t i = 0; i < infos.size(); ++i) {
    void *address = place ? place(infos[i]) : nullptr;
    if (infos[i].kind == VariableKind::Heap) {
      if (address)
        owner.heap().adopt(address);
      Result<void *> heap = owner.heap().variable();
      if (!heap.ok())
        return heap.status();
      address = *heap;
    }
    given[i] = address != nullptr;
    if (address && !owner.memory().find(address)) // in the host's memory
      if (Status status = owner.pinPages(address, infos[i].size); !status.ok())
        return status;
    if (!address) {
      Result<void *> memory = owner.memory().allocate(
          std::max<uint64_t>(infos[i].size, 1),
          infos[i].kind == VariableKind::Managed);
      if (!memory.ok())
        return memory.status();
      allocated.push_back(address = *memory);
    }
    addresses.push_back(address);
  }
  // What the caller gave, the caller has initialised.
  return allocated.empty() ? Status::success() : initialise(given);
}

/// Gives the variables their values, but those that the caller has given. Nothing else
/// knows of their memory yet, so that waits for no work of the program's.
Status Module::initialise(const std::vector<bool> &given) {
  std::vector<Bytes> values(infos.size()); // until the stream has read them
  Result<std::shared_ptr<Stream>> stream =
      Stream::create(owner, StreamKind::NonBlocking);
  if (!stream.ok())
    return stream.status();
  for (size_t i = 0; i < infos.size(); ++i)
    if (!given[i])
      if (Status status = initialise(**stream, i, values[i]); !status.ok())
        return status;
  (*stream)->synchronize();
  return Status::success();
}

/// Puts a variable's initial value, with the addresses in it, on its way. It is
/// read from `value`.
Status Module::initialise(Stream &stream, size_t variable, Bytes &value) {
  const VariableInfo &info = infos[variable];
  if (info.initial.empty())
    return stream.fill(addresses[variable], 0, 1, info.size);
  value = info.initial;
  for (const Relocation &relocation : info.relocations) {
    uint64_t number =
        reinterpret_cast<uint64_t>(addresses[relocation.variable]) +
        relocation.addend;
    std::memcpy(value.data() + relocation.offset, &number, sizeof(number));
  }
  return stream.copy(addresses[variable], value.data(), value.size());
}

Module::~Module() {
  for (auto &[name, kernel] : kernels) {
    if (kernel->variants)
      kernel->variants->finish();
    if (kernel->brief)
      kernel->brief->finish();
  }
  owner.synchronize();
  if (Movement *movement = owner.movement())
    movement->remove(*this); // a move looks at kernels that are under way
  for (auto &[name, kernel] : kernels) {
    if (kernel->variants)
      kernel->variants->unload();
    if (kernel->brief)
      kernel->brief->unload();
    kernel->unload();
  }
  for (void *address : allocated)
    (void)owner.memory().free(address);
}

Result<std::shared_ptr<Kernel>> Module::kernel(const std::string &name) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = kernels.find(name);
  if (it != kernels.end())
    return it->second;
  Result<uint32_t> index = package.findKernel(name);
  if (!index.ok())
    return index.status();
  Result<KernelInfo> info = package.kernel(*index);
  if (!info.ok())
    return info.status();
  std::shared_ptr<Kernel> kernel(new Kernel(*this, owner, info.take(), *index));
  kernel->variants = Variants::create(
      *kernel, package.section(kernel->description.section).rawSize);
  kernel->brief = ShortLaunches::create(*kernel);
  if (Movement *movement = owner.movement())
    kernel->polls =
        std::make_unique<PollIntervals>(movement->runtime().workBetweenPolls());
  kernels[name] = kernel;
  return kernel;
}

std::vector<std::shared_ptr<Kernel>> Module::usedKernels() {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::shared_ptr<Kernel>> used;
  for (auto &[name, kernel] : kernels)
    if (kernel->isUsed())
      used.push_back(kernel);
  return used;
}

Result<VariableAddress> Module::variable(const std::string &name) {
  for (size_t i = 0; i < infos.size(); ++i)
    if (infos[i].name == name)
      return VariableAddress{addresses[i], infos[i].size};
  return unavailable("there is no variable '" + name + "' in the package");
}

static bool namesHeap(const KernelInfo &kernel, const std::vector<VariableInfo> &all) {
  for (uint32_t variable : kernel.variables)
    if (all[variable].kind == VariableKind::Heap)
      return true;
  return false;
}

Kernel::Kernel(Module &module, Device &device, KernelInfo info, uint32_t index)
    : module(module), owner(device), description(std::move(info)), index(index),
      heapIsUsed(namesHeap(description, module.infos)) {}

Kernel::~Kernel() = default;

size_t Kernel::argumentBytes() const {
  if (description.parameters.empty())
    return 0;
  const Parameter &last = description.parameters.back();
  return last.offset + last.size;
}

Status Kernel::prepare() {
  if (heapIsUsed && owner.usesOwnHeap())
    if (Status status = owner.heap().start(); !status.ok())
      return status;
  if (!owner.movement())
    return artifact.load(std::memory_order_acquire) ? Status::success()
                                                    : load().status();
  if (isUsed())
    return Status::success();
  Status status = owner.home().isLost() ? loadOn(owner.movement()->present()).status()
                                        : load().status();
  wasPrepared = status.ok();
  if (!status.ok() || owner.home().isLost())
    return status;
  if (brief)
    brief->prepare(owner.home());
  const std::vector<Backend *> destinations = owner.movement()->destinations();
  // What fails there, a move will say.
  for (Backend *backend : destinations)
    (void)loadOn(*backend);
  // A driver's compiler may have objects of its own from any use on.
  if (!destinations.empty())
    Background::endBeforeLibraries();
  return status;
}

bool Kernel::isPrepared() const {
  if (heapIsUsed && owner.usesOwnHeap() && !owner.heap().hasStarted())
    return false;
  return owner.movement() ? isUsed() : artifact.load(std::memory_order_acquire) != nullptr;
}

Result<HetArtifactInfo> Kernel::describe() {
  HetArtifactInfo info = {};
  if (!owner.abi().describeArtifact)
    return info;
  Result<HetArtifact *> loaded = load();
  if (!loaded.ok())
    return loaded.status();
  HetStatus status = {};
  if (owner.abi().describeArtifact(*loaded, &info, &status) != HET_OK)
    return toStatus(status, description.name);
  return info;
}

bool Kernel::knowsResidentBlocks() const { return owner.abi().residentBlocks; }

Result<std::optional<uint32_t>>
Kernel::residentBlocks(uint32_t threads, uint32_t dynamicSharedBytes) {
  if (!owner.abi().residentBlocks)
    return std::optional<uint32_t>();
  Result<HetArtifact *> loaded = load();
  if (!loaded.ok())
    return loaded.status();
  uint32_t blocks = 0;
  HetStatus status = {};
  if (owner.abi().residentBlocks(*loaded, threads, dynamicSharedBytes, &blocks,
                                 &status) != HET_OK)
    return toStatus(status, description.name);
  return std::optional<uint32_t>(blocks);
}

Result<HetArtifact *> Kernel::load() {
  if (HetArtifact *ready = artifact.load(std::memory_order_acquire))
    return ready;
  std::lock_guard<std::mutex> lock(mutex);
  if (HetArtifact *ready = artifact.load())
    return ready;
  if (!failure.ok() && !mayPass(failure))
    return failure;
  Result<HetArtifact *> made = makeFor(owner.home());
  if (!made.ok()) {
    const bool isSaid = failure.message == made.status().message;
    failure = made.status();
    if (!isSaid)
      log(Level::Error, "kernel %s: %s", description.name.c_str(),
          failure.message.c_str());
    return failure;
  }
  artifact.store(*made, std::memory_order_release);
  return made;
}

Result<HetArtifact *> Kernel::make(Backend &backend, const std::string &options,
                                   LoweringThread thread) {
  Result<Bytes> bytes =
      obtainArtifact(backend, module.package, description, index, options, thread);
  if (!bytes.ok())
    return bytes.status();
  return loadBytes(backend, *bytes);
}

Result<HetArtifact *> Kernel::makeFor(Backend &backend) {
  const std::string options = loweringOptions(owner, backend);
  Result<HetArtifact *> made = make(backend, options, LoweringThread::Callers);
  // Plain code may have another heap (docs/spec/target-abi.md, Heap).
  if (made.ok() || options.empty() || heapIsUsed || mayPass(made.status()))
    return made;
  Result<HetArtifact *> plain = make(backend, "", LoweringThread::Callers);
  if (!plain.ok())
    return made;
  log(Level::Info, "kernel %s: is not parked on %s: %s", description.name.c_str(),
      backend.name().c_str(), made.status().text().c_str());
  return plain;
}

Result<HetArtifact *> Kernel::plainOn(Backend &backend, const std::string &why) {
  if (HetArtifact *known = brief ? brief->plain(backend) : nullptr)
    return known;
  std::lock_guard<std::mutex> lock(mutex);
  if (auto known = plain.find(&backend); known != plain.end())
    return known->second;
  Result<HetArtifact *> made = unsupported(why, backend.name());
  if (!heapIsUsed)
    made = make(backend, "", LoweringThread::Callers);
  if (made.ok())
    log(Level::Info, "kernel %s: launches are not parked on %s: %s",
        description.name.c_str(), backend.name().c_str(), why.c_str());
  else if (mayPass(made.status()))
    return made;
  return plain.emplace(&backend, made).first->second;
}

Result<HetArtifact *> Kernel::loadOn(Backend &backend) {
  if (&backend == &owner.home())
    return load();
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto known = elsewhere.find(&backend); known != elsewhere.end())
      return known->second;
  }
  // Without the lock: launches on another backend do not wait for this one's code.
  Result<HetArtifact *> made = makeFor(backend);
  if (!made.ok() && mayPass(made.status()))
    return made;
  std::lock_guard<std::mutex> lock(mutex);
  auto [known, isNew] = elsewhere.emplace(&backend, made);
  if (!isNew && made.ok())
    backend.abi().unloadArtifact(*made);
  return known->second;
}

void Kernel::noteGiven(uint32_t dynamicSharedBytes) {
  ++underWay;
  uint32_t most = mostDynamicShared.load();
  while (dynamicSharedBytes > most &&
         !mostDynamicShared.compare_exchange_weak(most, dynamicSharedBytes)) {
  }
}

bool Kernel::isLoadedOn(Backend &backend) {
  if (&backend == &owner.home())
    return isUsed();
  std::lock_guard<std::mutex> lock(mutex);
  auto known = elsewhere.find(&backend);
  return known != elsewhere.end() && known->second.ok();
}

uint64_t Kernel::layoutOn(Backend &backend) {
  Result<HetArtifact *> loaded = loadOn(backend);
  HetParkingInfo info = {};
  HetStatus status = {};
  if (!loaded.ok() || !backend.parks() ||
      backend.abi().describeParking(*loaded, &info, &status) != HET_OK)
    return 0;
  return info.layout;
}

/// An operation's name stands in the code of every kernel that has it. So may another
/// word that is like it: that is taken for one, too.
std::string Kernel::whyNotAgain() {
  std::call_once(codeIsKnown, [&] {
    Result<Bytes> code = module.package.kernelCode(index);
    const std::string_view operation = "printf";
    prints = !code.ok() || std::search(code->begin(), code->end(), operation.begin(),
                                       operation.end()) != code->end();
  });
  return prints ? "kernel '" + description.displayName + "' prints" : "";
}

/// With nothing running.
void Kernel::unload() {
  if (HetArtifact *loaded = artifact.load())
    owner.abi().unloadArtifact(loaded);
  for (auto *others : {&elsewhere, &plain})
    for (auto &[backend, loaded] : *others)
      if (loaded.ok())
        backend->abi().unloadArtifact(*loaded);
}

uint64_t Kernel::loadAhead() {
  std::lock_guard<std::mutex> lock(mutex); // a launch waits for this load
  if (artifact.load() || (!failure.ok() && !mayPass(failure)))
    return 0;
  std::optional<Bytes> bytes =
      Cache::get().load(artifactKey(owner.home(), module.package, description,
                                    loweringOptions(owner, owner.home())));
  if (!bytes || !owner.abi().loadsAhead(owner.handle(), bytes->data(), bytes->size()))
    return 0;
  Result<HetArtifact *> loaded = loadBytes(owner.home(), *bytes);
  if (!loaded.ok())
    return 0;
  artifact.store(*loaded, std::memory_order_release);
  return bytes->size() + (brief ? brief->loadAhead(owner.home()) : 0);
}

Result<HetArtifact *> Kernel::loadBytes(Backend &backend, const Bytes &bytes) {
  std::vector<uint64_t> variables;
  for (uint32_t variable : description.variables)
    variables.push_back(reinterpret_cast<uint64_t>(module.addresses[variable]));
  HetArtifact *loaded = nullptr;
  HetStatus status;
  if (backend.abi().loadArtifact(backend.handle(), bytes.data(), bytes.size(),
                               variables.data(), variables.size(), &loaded,
                               &status) != HET_OK)
    return toStatus(status, description.name);
  return loaded;
}

} // namespace het::core
