// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code in a package that was lowered ahead of time: which of it a device runs. It stands
// in for lowering, so the same things must agree that make a cached artifact the right
// one (Artifacts.h): the kernel's hetIR, the target, the lowering's version and the
// options. The architecture need not be the device's own; the device judges it
// (rankArch).

#ifndef HET_RUNTIME_CORE_CODE_PRECOMPILED_H
#define HET_RUNTIME_CORE_CODE_PRECOMPILED_H

#include "core/Backend.h"
#include "het/Package/Package.h"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace het::core {

/// Functions may be called from any thread.
class Precompiled {
public:
  /// `package` must outlive it. `isUsed`: HET_PRECOMPILED; else there is none.
  Precompiled(const Package &package, bool isUsed) : package(package), isUsed(isUsed) {}

  struct Found {
    const PackageLowering *lowering;
    const ArtifactEntry *entry;
  };
  /// The artifact of a kernel that suits a backend best; nothing where none runs there.
  /// `why` gets the reasons against each that is for the backend's target.
  std::optional<Found> find(const Backend &backend, const KernelInfo &info,
                            uint32_t index, const std::string &options,
                            std::string *why = nullptr) const;

private:
  const std::vector<PackageLowering> &lowerings() const;

  const Package &package;
  const bool isUsed;
  mutable std::once_flag isRead;
  mutable std::vector<PackageLowering> all;
  mutable std::string problem; ///< Why they could not be read.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_CODE_PRECOMPILED_H
