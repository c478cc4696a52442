// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code in a package that was lowered ahead of time (docs/spec/hetpkg.md, Artifacts): what
// each piece is for, which the index says without reading any of it.

#ifndef HET_PACKAGE_PACKAGEARTIFACTS_H
#define HET_PACKAGE_PACKAGEARTIFACTS_H

#include "het/Base/Hash.h"

#include <string>
#include <tuple>
#include <vector>

namespace het {

/// The device that artifacts are for, and how they were lowered.
struct ArtifactKind {
  std::string target, arch;
  std::string options; ///< HetLowerRequest's; empty for plain code.
  std::string version; ///< Of the lowering.

  auto key() const { return std::tie(target, arch, options, version); }
  bool operator<(const ArtifactKind &other) const { return key() < other.key(); }
  bool operator==(const ArtifactKind &other) const { return key() == other.key(); }
  /// Whether one takes the place of the other: only the version may differ.
  bool replaces(const ArtifactKind &other) const {
    return target == other.target && arch == other.arch && options == other.options;
  }
  /// "host x86-64-v3, parkable".
  std::string text() const {
    return target + " " + arch + (options.empty() ? "" : ", " + options);
  }
};

/// One kernel's artifact.
struct ArtifactEntry {
  uint32_t kernel = 0;  ///< Its number.
  uint32_t section = 0; ///< Where the artifact is.
  Digest code{}; ///< Of the hetIR section that it was made of, as Package::codeDigest.
};

/// All artifacts of a kind, in the order of their kernels.
struct PackageLowering {
  ArtifactKind kind;
  std::vector<ArtifactEntry> entries;

  /// That of a kernel; null: there is none.
  const ArtifactEntry *find(uint32_t kernel) const;
};

} // namespace het

#endif // HET_PACKAGE_PACKAGEARTIFACTS_H
