// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of processors and what they have, by LLVM's tables.

#include "Machine.h"
#include "../../Support/Lowering/PluginTable.h"
#include "../HostABI.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;

namespace het::host {

static constexpr StringRef defaultLevel = "x86-64-v3";

static constexpr StringRef levels[] = {
#define HET_HOST_LEVEL(name) name,
#include "Features.def"
};

static constexpr StringRef knownFeatures[] = {
#define HET_HOST_FEATURE(name) name,
#include "Features.def"
};

static Error invalid(const Twine &what) {
  return make_error<target::InvalidRequest>(what.str());
}

/// Those of a processor that a device can look for.
static StringSet<> featuresOf(StringRef cpu) {
  SmallVector<StringRef> all;
  X86::getFeaturesForCPU(cpu, all);
  StringSet<> known;
  for (StringRef feature : all)
    if (is_contained(knownFeatures, feature))
      known.insert(feature);
  return known;
}

static StringSet<> nativeFeatures() {
  StringSet<> known;
  for (const auto &[name, has] : sys::getHostCPUFeatures())
    if (has && is_contained(knownFeatures, name))
      known.insert(name);
  return known;
}

static std::string spell(const StringSet<> &features, StringRef tune) {
  StringRef level = levels[0];
  for (StringRef higher : levels)
    if (all_of(featuresOf(higher).keys(),
               [&](StringRef feature) { return features.contains(feature); }))
      level = higher;
  const StringSet<> inLevel = featuresOf(level);
  std::string arch = level.str();
  for (StringRef feature : knownFeatures)
    if (features.contains(feature) && !inLevel.contains(feature))
      arch += "+" + feature.str();
  return arch == tune || tune.empty() ? arch : arch + ";" + tune.str();
}

static bool isProcessor(StringRef name) {
  return X86::parseArchX86(name, /*Only64Bit=*/true) != X86::CK_None;
}

static Error unknownProcessor(StringRef name) {
  SmallVector<StringRef> valid;
  X86::fillValidCPUArchList(valid, /*Only64Bit=*/true);
  return invalid("architecture '" + name +
                 "': found no processor of this name, expected " + "native or one of " +
                 join(valid, ", "));
}

/// "x86-64-v3+aes;haswell" taken apart.
static Expected<std::string> findSpelled(StringRef name) {
  auto [text, tune] = name.split(';');
  SmallVector<StringRef> words;
  text.split(words, '+');
  if (!is_contained(levels, words.front()))
    return unknownProcessor(words.front());
  StringSet<> features = featuresOf(words.front());
  for (StringRef word : drop_begin(words)) {
    if (!is_contained(knownFeatures, word))
      return invalid("architecture '" + name + "': found feature '" + word +
                     "', expected of " + join(ArrayRef(knownFeatures), ", "));
    features.insert(word);
  }
  if (!tune.empty() && !isProcessor(tune))
    return unknownProcessor(tune);
  return spell(features, tune);
}

Expected<std::string> findArch(StringRef name) {
  if (name.empty())
    return defaultLevel.str();
  if (name == "native")
    return spell(nativeFeatures(), sys::getHostCPUName());
  if (name.contains('+') || name.contains(';') || is_contained(levels, name))
    return findSpelled(name);
  if (!isProcessor(name))
    return unknownProcessor(name);
  return spell(featuresOf(name), name);
}

/// All that this processor has.
static Machine thisMachine() {
  std::string features;
  for (const auto &[name, has] : sys::getHostCPUFeatures())
    features += (features.empty() ? "" : ",") + std::string(has ? "+" : "-") + name.str();
  return {sys::getHostCPUName().str(), features, "", false};
}

Expected<Machine> Machine::parse(StringRef arch) {
  if (arch.empty() || arch.starts_with(HET_HOST_NATIVE)) {
    Machine machine = thisMachine();
    machine.schedule = arch.ends_with(HET_HOST_SCRATCH_TEAMS);
    return machine;
  }
  Expected<std::string> spelled = findArch(arch);
  if (!spelled)
    return spelled.takeError();
  Machine machine;
  auto [text, tune] = StringRef(*spelled).split(';');
  machine.tune = tune.str();
  SmallVector<StringRef> words;
  text.split(words, '+');
  machine.cpu = words.front().str();
  for (StringRef word : drop_begin(words))
    machine.features += (machine.features.empty() ? "+" : ",+") + word.str();
  return machine;
}

} // namespace het::host
