// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches are alike, and whether they are short.

#include "ShortLaunches.h"
#include "Artifacts.h"
#include "Background.h"
#include "Cache.h"
#include "LaunchConstants.h"
#include "Movement.h"
#include "het/Base/Log.h"
#include "het/Runtime/Module.h"
#include "het/Runtime/Runtime.h"

#include <algorithm>
#include <string_view>

namespace het::core {

/// One launch in so many is timed, beside the first two of a kind.
static constexpr uint64_t launchesBetweenTimes = 256;
/// Where so many kinds of a group were short, others of no more blocks are taken to be
/// short, too: programs that count their launches have one kind for each. Where they were
/// not, only some of those that come are timed.
static constexpr unsigned enoughKinds = 8;
static constexpr uint64_t launchesBetweenKinds = 16;
/// That are remembered: kinds of a group, and groups.
static constexpr size_t mostKinds = 1024, mostGroups = 64;

std::unique_ptr<ShortLaunches> ShortLaunches::create(Kernel &kernel) {
  Movement *movement = kernel.owner.movement();
  const Time most = movement ? movement->runtime().shortLaunch() : Time(0);
  if (most == Time(0))
    return nullptr;
  return std::unique_ptr<ShortLaunches>(new ShortLaunches(kernel, most));
}

/// Other kinds may have the same number: it only says what to expect.
uint64_t ShortLaunches::kindOf(const LaunchShape &shape, const Bytes &arguments) const {
  Bytes like = arguments;
  constexpr uint32_t word = sizeof(uint64_t);
  for (const Parameter &parameter : kernel.info().parameters)
    for (uint32_t at = 0; at + word <= parameter.size; at += word)
      if (uint64_t(parameter.offset) + at + word <= like.size() &&
          mayBeAddress(like.data() + parameter.offset + at, word))
        std::fill_n(like.data() + parameter.offset + at, word, 0);
  auto *grid = reinterpret_cast<const uint8_t *>(shape.grid);
  like.insert(like.end(), grid, grid + sizeof(shape.grid));
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char *>(like.data()), like.size()});
}

ShortLaunches::Choice ShortLaunches::choose(Backend &backend, const LaunchShape &shape,
                                            const Bytes &arguments) {
  Choice choice;
  if (shape.cooperative || !backend.parks())
    return choice;
  choice.group = {&backend, {shape.block[0], shape.block[1], shape.block[2],
                             shape.dynamicSharedBytes}};
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
  const bool isLikeOthers = areManyKnown && group.longest <= most &&
                            choice.blocks <= group.mostBlocks;
  const uint64_t between = isKnown || isLikeOthers ? launchesBetweenTimes
                           : areManyKnown          ? launchesBetweenKinds
                                                   : 1;
  choice.isTimed = group.launches++ % between == 0;
  if (!isKnown && !isLikeOthers)
    return choice;
  choice.expected =
      isKnown ? std::max(kind.latest[0], kind.latest[1]) : group.longest;
  if (choice.expected <= most)
    choice.plain = plainOn(backend);
  return choice;
}

void ShortLaunches::noteTime(const Choice &choice, Time taken) {
  std::lock_guard<std::mutex> lock(mutex);
  Group &group = groups[choice.group];
  Kind &kind = group.kinds[choice.kind];
  group.kindsTimed += kind.times == 0;
  group.mostBlocks = std::max(group.mostBlocks, choice.blocks);
  group.longest = std::max(group.longest, taken);
  kind.latest[kind.times++ % kind.latest.size()] = taken;
}

void ShortLaunches::prepare(Backend &backend) {
  std::lock_guard<std::mutex> lock(mutex);
  if (backend.parks())
    (void)plainOn(backend);
}

uint64_t ShortLaunches::loadAhead(Backend &backend) {
  std::optional<Bytes> bytes =
      Cache::get().load(artifactKey(backend, kernel.module.package, kernel.info()));
  if (!bytes ||
      !backend.abi().loadsAhead(backend.handle(), bytes->data(), bytes->size()))
    return 0;
  Result<HetArtifact *> loaded = kernel.loadBytes(backend, *bytes);
  if (!loaded.ok())
    return 0;
  keep(backend, *loaded);
  return bytes->size();
}

/// With the mutex held.
HetArtifact *ShortLaunches::plainOn(Backend &backend) {
  auto [known, isNew] = plain.emplace(&backend, nullptr);
  if (isNew && !Background::get().add(this, [this, &backend] { make(backend); }))
    plain.erase(known); // too many wait: later
  else if (!isNew)
    return known->second;
  return nullptr;
}

void ShortLaunches::make(Backend &backend) {
  Result<HetArtifact *> made = kernel.make(backend, "", LoweringThread::Background);
  if (!made.ok()) {
    log(Level::Info, "kernel %s: no plain code on %s: %s", kernel.info().name.c_str(),
        backend.name().c_str(), made.status().text().c_str());
    return;
  }
  log(Level::Info, "kernel %s: plain code for short launches on %s",
      kernel.info().name.c_str(), backend.name().c_str());
  keep(backend, *made);
}

/// Both a thread that loads ahead and the one beside the program's may make it.
void ShortLaunches::keep(Backend &backend, HetArtifact *made) {
  std::lock_guard<std::mutex> lock(mutex);
  HetArtifact *&kept = plain[&backend];
  if (kept)
    backend.abi().unloadArtifact(made);
  else
    kept = made;
}

void ShortLaunches::finish() { Background::get().forget(this); }

void ShortLaunches::unload() {
  for (auto &[backend, artifact] : plain)
    if (artifact)
      backend->abi().unloadArtifact(artifact);
}

} // namespace het::core
