// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making and keeping a kernel's code for each backend.

#include "migration/MigratableCode.h"
#include "core/Device.h"
#include "core/Module.h"
#include "core/Shutdown.h"
#include "core/code/Artifacts.h"
#include "het/Base/Log.h"
#include "het/Base/Passing.h"
#include "migration/MigratableDevice.h"
#include "migration/MigrationExtension.h"

#include <algorithm>
#include <string_view>

namespace het::core {

std::vector<std::shared_ptr<Kernel>> usedKernels(Module &module) {
  std::vector<std::shared_ptr<Kernel>> used;
  for (std::shared_ptr<Kernel> &kernel : module.knownKernels())
    if (MigratableCode::of(*kernel).isUsed())
      used.push_back(std::move(kernel));
  return used;
}

MigratableCode::MigratableCode(Kernel &kernel, MigratableDevice &device)
    : kernel(kernel), device(device), codeTiers(CodeTiers::create(kernel, *this, device)),
      specialisations(Specialisations::create(
          kernel,
          [this]() -> HetArtifact * {
            return codeTiers ? codeTiers->plain(this->kernel.device().primary())
                             : primaryCode.get();
          })),
      intervals(device.extension().settings().pollInterval),
      primaryCode(kernel, kernel.device().primary()) {}

Status MigratableCode::prepare() {
  if (isUsed())
    return Status::success();
  Backend &primary = kernel.device().primary();
  const bool isLost = primary.isLost();
  Status status = isLost ? loadOn(device.active()).status() : load().status();
  wasPrepared = status.ok();
  if (!status.ok() || isLost)
    return status;
  if (codeTiers)
    codeTiers->prepare(primary);
  const std::vector<Backend *> destinations = device.backends.destinations();
  // A failure there is reported by the move.
  for (Backend *backend : destinations)
    (void)loadOn(*backend);
  // A driver's compiler may have objects of its own from any use on.
  if (!destinations.empty())
    Shutdown::beforeLibraries();
  return status;
}

Result<HetArtifact *> MigratableCode::load() {
  if (HetArtifact *ready = primaryCode.get())
    return ready;
  std::lock_guard<std::mutex> lock(loading);
  if (HetArtifact *ready = primaryCode.get())
    return ready;
  if (!failure.ok() && !mayPass(failure))
    return failure;
  Result<HetArtifact *> made = makeFor(kernel.device().primary(), primaryCode);
  failure = made.status();
  return made;
}

Result<HetArtifact *> MigratableCode::makeFor(Backend &backend, UpgradableCode &code) {
  const std::string options = device.loweringOptions(backend);
  Result<HetArtifact *> made = code.make(options);
  // Plain code may have another heap (docs/spec/target-abi.md, Heap).
  if (made.ok() || options.empty() || kernel.usesHeap() || mayPass(made.status()))
    return made;
  Result<HetArtifact *> plain = code.make("");
  if (!plain.ok())
    return made;
  log(Level::Info, "kernel %s: is not parked on %s: %s", kernel.info().name.c_str(),
      backend.name().c_str(), made.status().text().c_str());
  return plain;
}

Result<HetArtifact *> MigratableCode::plainOn(Backend &backend, const std::string &why) {
  if (HetArtifact *known = codeTiers ? codeTiers->plain(backend) : nullptr)
    return known;
  std::lock_guard<std::mutex> lock(mutex);
  if (auto known = plain.find(&backend); known != plain.end())
    return known->second;
  Result<HetArtifact *> made = unsupported(why, backend.name());
  if (!kernel.usesHeap())
    made = kernel.make(backend, "", LoweringThread::Callers);
  if (made.ok())
    log(Level::Info, "kernel %s: launches are not parked on %s: %s",
        kernel.info().name.c_str(), backend.name().c_str(), why.c_str());
  else if (mayPass(made.status()))
    return made;
  return plain.emplace(&backend, made).first->second;
}

Result<HetArtifact *> MigratableCode::loadOn(Backend &backend) {
  if (&backend == &kernel.device().primary())
    return load();
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto known = elsewhere.find(&backend); known != elsewhere.end())
      return known->second.artifact();
  }
  // Without the lock: launches on another backend do not wait for this one's code.
  auto code = std::make_unique<UpgradableCode>(kernel, backend);
  Result<HetArtifact *> made = makeFor(backend, *code);
  if (!made.ok() && mayPass(made.status()))
    return made;
  std::unique_lock<std::mutex> lock(mutex);
  auto [known, isNew] =
      elsewhere.try_emplace(&backend, CodeElsewhere{nullptr, made.status()});
  if (isNew)
    known->second.code.swap(code);
  Result<HetArtifact *> kept = known->second.artifact();
  lock.unlock();
  if (code) { // another thread was sooner
    code->finish();
    code->unload();
  }
  return kept;
}

Result<HetArtifact *> MigratableCode::CodeElsewhere::artifact() const {
  return failure.ok() ? Result<HetArtifact *>(code->get()) : failure;
}

bool MigratableCode::isLoadedOn(Backend &backend) {
  if (&backend == &kernel.device().primary())
    return isUsed();
  std::lock_guard<std::mutex> lock(mutex);
  auto known = elsewhere.find(&backend);
  return known != elsewhere.end() && known->second.failure.ok();
}

uint64_t MigratableCode::layoutOn(Backend &backend) {
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
std::string MigratableCode::replayBlocker() {
  std::call_once(codeIsKnown, [&] {
    Result<Bytes> code = kernel.hetIR();
    const std::string_view operation = "printf";
    prints = !code.ok() || std::search(code->begin(), code->end(), operation.begin(),
                                       operation.end()) != code->end();
  });
  return prints ? "kernel '" + kernel.info().displayName + "' prints" : "";
}

void MigratableCode::noteGiven(uint32_t dynamicSharedBytes) {
  ++underWay;
  uint32_t most = maxDynamicShared.load();
  while (dynamicSharedBytes > most &&
         !maxDynamicShared.compare_exchange_weak(most, dynamicSharedBytes)) {
  }
}

uint64_t MigratableCode::loadAhead() {
  std::lock_guard<std::mutex> lock(loading); // a launch waits for this load
  if (primaryCode.get() || (!failure.ok() && !mayPass(failure)))
    return 0;
  Backend &primary = kernel.device().primary();
  uint64_t size = 0;
  HetArtifact *loaded = kernel.loadCached(primary, device.loweringOptions(primary), size);
  if (!loaded)
    return 0;
  primaryCode.set(loaded);
  return size + (codeTiers ? codeTiers->loadAhead(primary) : 0);
}

void MigratableCode::finish() {
  if (specialisations)
    specialisations->finish();
  if (codeTiers)
    codeTiers->finish();
  primaryCode.finish();
  for (auto &[backend, other] : elsewhere)
    other.code->finish();
}

void MigratableCode::unload() {
  if (specialisations)
    specialisations->unload();
  if (codeTiers)
    codeTiers->unload();
  primaryCode.unload();
  for (auto &[backend, other] : elsewhere)
    other.code->unload();
  for (auto &[backend, loaded] : plain)
    if (loaded.ok())
      backend->abi().unloadArtifact(*loaded);
}

} // namespace het::core
