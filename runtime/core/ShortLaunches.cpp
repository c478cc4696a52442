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
/// Where so many kinds of one shape were short, those that come are taken to be short,
/// too: programs that count their launches have one kind for each. Where they were not,
/// only some of those that come are timed.
static constexpr unsigned enoughKinds = 8;
static constexpr uint64_t launchesBetweenKinds = 16;
/// That are remembered of one shape.
static constexpr size_t mostKinds = 1024;

std::unique_ptr<ShortLaunches> ShortLaunches::create(Kernel &kernel) {
  Movement *movement = kernel.owner.movement();
  const Time most = movement ? movement->runtime().shortLaunch() : Time(0);
  if (most == Time(0))
    return nullptr;
  return std::unique_ptr<ShortLaunches>(new ShortLaunches(kernel, most));
}

/// Other launches may have the same number: it only says what to expect.
uint64_t ShortLaunches::hashOf(const Bytes &arguments) const {
  Bytes like = arguments;
  constexpr uint32_t word = sizeof(uint64_t);
  for (const Parameter &parameter : kernel.info().parameters)
    for (uint32_t at = 0; at + word <= parameter.size; at += word)
      if (uint64_t(parameter.offset) + at + word <= like.size() &&
          mayBeAddress(like.data() + parameter.offset + at, word))
        std::fill_n(like.data() + parameter.offset + at, word, 0);
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char *>(like.data()), like.size()});
}

ShortLaunches::Key ShortLaunches::keyOf(Backend &backend, const LaunchShape &shape) {
  return {&backend,
          {shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0], shape.block[1],
           shape.block[2], shape.dynamicSharedBytes}};
}

ShortLaunches::Choice ShortLaunches::choose(Backend &backend, const LaunchShape &shape,
                                            const Bytes &arguments) {
  Choice choice;
  if (shape.cooperative || !backend.parks())
    return choice;
  std::lock_guard<std::mutex> lock(mutex);
  Group &group = groups[keyOf(backend, shape)];
  if (group.kinds.size() == mostKinds)
    group.kinds.clear();
  Kind &kind = group.kinds[hashOf(arguments)];
  const bool isKnown = kind.times >= kind.latest.size();
  const bool areManyKnown = group.kindsTimed >= enoughKinds;
  const uint64_t between = isKnown || (areManyKnown && group.longest <= most)
                               ? launchesBetweenTimes
                           : areManyKnown ? launchesBetweenKinds
                                          : 1;
  choice.isTimed = group.launches++ % between == 0;
  if (!isKnown && !areManyKnown)
    return choice;
  choice.expected =
      isKnown ? std::max(kind.latest[0], kind.latest[1]) : group.longest;
  if (choice.expected <= most)
    choice.plain = plainOn(backend);
  return choice;
}

void ShortLaunches::noteTime(Backend &backend, const LaunchShape &shape,
                             const Bytes &arguments, Time taken) {
  std::lock_guard<std::mutex> lock(mutex);
  Group &group = groups[keyOf(backend, shape)];
  Kind &kind = group.kinds[hashOf(arguments)];
  group.kindsTimed += kind.times == 0;
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
  std::lock_guard<std::mutex> lock(mutex);
  plain[&backend] = *loaded;
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
  std::lock_guard<std::mutex> lock(mutex);
  plain[&backend] = *made;
}

void ShortLaunches::finish() { Background::get().forget(this); }

void ShortLaunches::unload() {
  for (auto &[backend, artifact] : plain)
    if (artifact)
      backend->abi().unloadArtifact(artifact);
}

} // namespace het::core
