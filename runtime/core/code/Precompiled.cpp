// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice among a package's artifacts.

#include "core/code/Precompiled.h"
#include "het/Base/Log.h"

namespace het::core {

/// Read once: a package may have many.
const std::vector<PackageLowering> &Precompiled::lowerings() const {
  std::call_once(isRead, [this] {
    if (!isUsed || !package.hasArtifacts())
      return;
    Result<std::vector<PackageLowering>> read = package.lowerings();
    if (read.ok()) {
      all = read.take();
      return;
    }
    problem = read.status().text();
    log(Level::Warn, "precompiled code is not used: %s", problem.c_str());
  });
  return all;
}

/// How well a backend runs such code, from 1 on; 0, with the reason: not.
static uint32_t rank(const Backend &backend, const ArtifactKind &kind,
                     const std::string &options, std::string &why) {
  const HetDeviceProperties &facts = backend.properties();
  auto refuse = [&](const std::string &reason) {
    why = "code for " + kind.text() + ": " + reason;
    return 0;
  };
  if (kind.options != options)
    return refuse("found options '" + kind.options + "', expected '" + options + "'");
  if (kind.version != facts.loweringVersion)
    return refuse("found lowering " + kind.version + ", expected " +
                  facts.loweringVersion + ", this installation's");
  if (!backend.abi().rankArch)
    return kind.arch == facts.arch ? 1
                                   : refuse("this device is " + std::string(facts.arch));
  uint32_t rank = 0;
  HetStatus status = {};
  if (backend.abi().rankArch(backend.handle(), kind.arch.c_str(), &rank, &status) ==
      HET_OK)
    return rank;
  why = status.message;
  return 0;
}

std::optional<Precompiled::Found>
Precompiled::find(const Backend &backend, const KernelInfo &info, uint32_t index,
                  const std::string &options, std::string *why) const {
  std::optional<Found> best;
  uint32_t bestRank = 0;
  auto note = [&](const std::string &reason) {
    if (why)
      *why += (why->empty() ? "" : "; ") + reason;
  };
  for (const PackageLowering &lowering : lowerings()) {
    const ArtifactEntry *entry = lowering.find(index);
    if (lowering.kind.target != backend.target().name() || !entry || !backend.handle())
      continue;
    std::string reason;
    const uint32_t found = rank(backend, lowering.kind, options, reason);
    if (!found)
      note(reason);
    else if (entry->code != package.codeDigest(info))
      note("code for " + lowering.kind.text() + ": found that of other hetIR");
    else if (found > bestRank) {
      best = Found{&lowering, entry};
      bestRank = found;
    }
  }
  if (!problem.empty())
    note(problem);
  return best;
}

} // namespace het::core
