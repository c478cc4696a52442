// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches are alike, and whether they or their blocks are short.

#include "migration/CodeTiers.h"
#include "core/Device.h"
#include "core/Runtime.h"
#include "core/Worker.h"
#include "core/code/Artifacts.h"
#include "core/code/LaunchConstants.h"
#include "core/code/Specialisations.h"
#include "het/Base/Log.h"
#include "het/Base/Passing.h"
#include "migration/MigratableCode.h"
#include "migration/MigratableDevice.h"
#include "migration/MigrationExtension.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace het::core {

/// One launch in so many is timed, beside the first two of a kind.
static constexpr uint64_t launchesBetweenTimes = 256;
/// Where so many kinds of a group were short, others of no more blocks are taken to be
/// short, too: programs that count their launches have one kind for each. Where they were
/// not, only some of those that come are timed.
static constexpr unsigned enoughKinds = 8;
static constexpr uint64_t launchesBetweenKinds = 16;
/// Blocks that end within this time are not worth a poll.
static constexpr CodeTiers::Time shortBlock = std::chrono::microseconds(100);
/// That are remembered: kinds of a group, and groups.
static constexpr size_t mostKinds = 1024, mostGroups = 64;

std::unique_ptr<CodeTiers> CodeTiers::create(Kernel &kernel, MigratableCode &own,
                                             MigratableDevice &device) {
  const Time most = device.extension().settings().shortLaunch;
  // Plain code may have another heap (docs/spec/target-abi.md, Heap).
  if (most == Time(0) || kernel.usesHeap())
    return nullptr;
  return std::unique_ptr<CodeTiers>(new CodeTiers(kernel, own, most));
}

/// Other kinds may have the same number: it only says what to expect.
uint64_t CodeTiers::kindOf(const LaunchShape &shape, const Bytes &arguments) const {
  uint64_t number = 0;
  auto add = [&](const uint8_t *bytes, uint32_t size) {
    const std::string_view word(reinterpret_cast<const char *>(bytes), size);
    number = number * 31 + std::hash<std::string_view>()(word);
  };
  constexpr uint32_t word = sizeof(uint64_t);
  for (const Parameter &parameter : kernel.info().parameters)
    for (uint32_t at = 0; at < parameter.size; at += word) {
      const uint32_t size = std::min(word, parameter.size - at);
      const uint8_t *bytes = arguments.data() + parameter.offset + at;
      if (uint64_t(parameter.offset) + at + size <= arguments.size() &&
          !mayBeAddress(bytes, size))
        add(bytes, size);
    }
  add(reinterpret_cast<const uint8_t *>(shape.grid), sizeof(shape.grid));
  return number;
}

CodeTiers::Choice CodeTiers::choose(Backend &backend, const LaunchShape &shape,
                                    const Bytes &arguments) {
  Choice choice;
  if (shape.cooperative || !backend.parks())
    return choice;
  choice.group = {
      &backend,
      {shape.block[0], shape.block[1], shape.block[2], shape.dynamicSharedBytes}};
  choice.kind = kindOf(shape, arguments);
  choice.blocks = uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  std::lock_guard<std::mutex> lock(mutex);
  if (groups.size() == mostGroups && !groups.count(choice.group))
    groups.clear();
  Group &group = groups[choice.group];
  if (group.kinds.size() == mostKinds && !group.kinds.count(choice.kind))
    group.kinds.clear();
  const Kind &kind = group.kinds[choice.kind];
  const bool isKnown = kind.times >= kind.latest.size();
  const bool areManyKnown = group.kindsTimed >= enoughKinds;
  const bool isLikeOthers =
      areManyKnown && group.longest <= most && choice.blocks <= group.mostBlocks;
  const uint64_t between = isKnown || isLikeOthers ? launchesBetweenTimes
                           : areManyKnown          ? launchesBetweenKinds
                                                   : 1;
  choice.isTimed = group.launches++ % between == 0;
  if (!isKnown && !isLikeOthers)
    return choice;
  choice.expected = isKnown ? std::max(kind.latest[0], kind.latest[1]) : group.longest;
  choice.isShort = choice.expected <= most;
  choice.code = choice.isShort                                  ? Code::Plain
                : hasShortBlocks(group, backend, shape, choice) ? Code::BetweenBlocks
                                                                : Code::Parkable;
  if (choice.code != Code::Parkable)
    choice.artifact = codeOn(backend, choice.code);
  if (!choice.artifact)
    choice.code = Code::Parkable;
  if (choice.code == Code::Plain && own.special() &&
      &backend == &kernel.device().primary())
    if (HetArtifact *variant =
            own.special()->choose(shape, arguments.data(), arguments.size()))
      choice.general = std::exchange(choice.artifact, variant);
  return choice;
}

/// How many blocks of this shape a backend runs at once; 0: it does not say.
uint64_t CodeTiers::residentOn(Backend &backend, const LaunchShape &shape) {
  const HetDeviceABI &abi = backend.abi();
  HetParkingInfo info = {};
  HetStatus status = {};
  uint32_t perProcessor = 0;
  Result<HetArtifact *> parkable = own.loadOn(backend);
  // Where blocks are not suspended inside anyway there is no better code.
  if (!parkable.ok() || !abi.residentBlocks ||
      abi.describeParking(*parkable, &info, &status) != HET_OK || !info.layout ||
      abi.residentBlocks(*parkable, shape.block[0] * shape.block[1] * shape.block[2],
                         shape.dynamicSharedBytes, &perProcessor, &status) != HET_OK)
    return 0;
  return uint64_t(perProcessor) * backend.properties().processorCount;
}

/// By the average. With the mutex held.
bool CodeTiers::hasShortBlocks(Group &group, Backend &backend, const LaunchShape &shape,
                               const Choice &choice) {
  if (!group.resident)
    group.resident = residentOn(backend, shape);
  if (*group.resident == 0)
    return false;
  const uint64_t rounds = (choice.blocks + *group.resident - 1) / *group.resident;
  return choice.expected / std::max<uint64_t>(rounds, 1) <= shortBlock;
}

void CodeTiers::noteTime(const Choice &choice, Time taken) {
  log(Level::Debug, "kernel %s: %llu blocks took %llu ns with %s code",
      kernel.info().name.c_str(), (unsigned long long)choice.blocks,
      (unsigned long long)taken.count(),
      choice.code == Code::Plain           ? "plain"
      : choice.code == Code::BetweenBlocks ? "entry-only"
                                           : "parkable");
  std::lock_guard<std::mutex> lock(mutex);
  Group &group = groups[choice.group];
  if (!std::exchange(group.hasBegun, true) && taken > most)
    return; // perhaps only for what comes with the first one
  Kind &kind = group.kinds[choice.kind];
  group.kindsTimed += kind.times == 0;
  group.mostBlocks = std::max(group.mostBlocks, choice.blocks);
  group.longest = std::max(group.longest, taken);
  kind.latest[kind.times++ % kind.latest.size()] = taken;
}

void CodeTiers::prepare(Backend &backend) {
  std::lock_guard<std::mutex> lock(mutex);
  if (backend.parks())
    (void)codeOn(backend, Code::Plain);
}

uint64_t CodeTiers::loadAhead(Backend &backend) {
  uint64_t size = 0;
  HetArtifact *loaded = kernel.loadCached(backend, "", size);
  if (loaded)
    keep(backend, Code::Plain, loaded);
  return size;
}

static const char *nameOf(CodeTiers::Code code) {
  return code == CodeTiers::Code::Plain ? "plain code for short launches"
                                        : "code without polls for short blocks";
}

/// With the mutex held.
HetArtifact *CodeTiers::codeOn(Backend &backend, Code code) {
  auto [known, isNew] = codes.try_emplace({&backend, code});
  if (isNew) {
    if (!Worker::get().add(this, [this, &backend, code] { make(backend, code); }))
      codes.erase(known); // too many wait: later
    return nullptr;
  }
  Made &made = known->second;
  if (!made.unloaded.bytes.empty())
    made.artifact = loadOn(backend, code, std::exchange(made.unloaded, {}));
  return made.artifact;
}

void CodeTiers::make(Backend &backend, Code code) {
  Result<Artifact> artifact = kernel.obtain(
      backend, code == Code::Plain ? "" : "parkable=entry", LoweringThread::Background);
  if (!artifact.ok()) {
    log(Level::Info, "kernel %s: no %s on %s: %s", kernel.info().name.c_str(),
        nameOf(code), backend.name().c_str(), artifact.status().text().c_str());
    if (mayPass(artifact.status())) {
      std::lock_guard<std::mutex> lock(mutex);
      codes.erase({&backend, code}); // another launch tries again
    }
    return;
  }
  const HetDeviceABI &abi = backend.abi();
  if (abi.loadsAhead &&
      abi.loadsAhead(backend.handle(), artifact->bytes.data(), artifact->bytes.size()))
    return keep(backend, code, loadOn(backend, code, *artifact));
  std::lock_guard<std::mutex> lock(mutex);
  codes[{&backend, code}].unloaded = artifact.take();
}

/// Null where it can not be loaded, or is not of the kind that it should be.
HetArtifact *CodeTiers::loadOn(Backend &backend, Code code, const Artifact &artifact) {
  Result<HetArtifact *> loaded = kernel.load(backend, artifact);
  if (!loaded.ok()) {
    log(Level::Info, "kernel %s: no %s on %s: %s", kernel.info().name.c_str(),
        nameOf(code), backend.name().c_str(), loaded.status().text().c_str());
    return nullptr;
  }
  HetParkingInfo info = {};
  HetStatus status = {};
  // Blocks that wait for others have to be suspended inside.
  if (code == Code::BetweenBlocks &&
      (backend.abi().describeParking(*loaded, &info, &status) != HET_OK || info.layout)) {
    backend.abi().unloadArtifact(*loaded);
    return nullptr;
  }
  log(Level::Info, "kernel %s: %s on %s", kernel.info().name.c_str(), nameOf(code),
      backend.name().c_str());
  return *loaded;
}

/// Both a thread that loads ahead and the background thread may make it.
void CodeTiers::keep(Backend &backend, Code code, HetArtifact *loaded) {
  std::lock_guard<std::mutex> lock(mutex);
  HetArtifact *&kept = codes[{&backend, code}].artifact;
  if (kept && loaded)
    backend.abi().unloadArtifact(loaded);
  else if (loaded)
    kept = loaded;
}

void CodeTiers::drop(const Choice &choice) { own.special()->drop(choice.artifact); }

HetArtifact *CodeTiers::plain(Backend &backend) {
  std::lock_guard<std::mutex> lock(mutex);
  auto known = codes.find({&backend, Code::Plain});
  return known == codes.end() ? nullptr : known->second.artifact;
}

void CodeTiers::finish() { Worker::get().forget(this); }

void CodeTiers::unload() {
  for (auto &[key, made] : codes)
    if (made.artifact)
      key.first->abi().unloadArtifact(made.artifact);
}

} // namespace het::core
