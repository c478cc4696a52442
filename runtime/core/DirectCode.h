// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of a kernel for one backend: the general code, and specialisations of it.

#ifndef HET_RUNTIME_CORE_DIRECTCODE_H
#define HET_RUNTIME_CORE_DIRECTCODE_H

#include "core/Kernel.h"
#include "core/code/Specialisations.h"
#include "core/code/UpgradableCode.h"

#include <memory>
#include <mutex>

namespace het::core {

class DirectCode final : public KernelCode {
public:
  explicit DirectCode(Kernel &kernel);
  /// A kernel's, on a device with a DirectExecutor.
  static DirectCode &of(const Kernel &kernel) {
    return static_cast<DirectCode &>(kernel.code());
  }

  Status prepare() override;
  bool isPrepared() const override { return code.get() != nullptr; }
  uint64_t loadAhead() override;
  Result<HetArtifact *> load() override;
  void finish() override;
  void unload() override;

  bool specialises() const { return specialisations != nullptr; }
  /// Code for launches like this one; null: the general code.
  HetArtifact *choose(const LaunchShape &shape, const void *arguments,
                      size_t argumentBytes) {
    return specialisations ? specialisations->choose(shape, arguments, argumentBytes)
                           : nullptr;
  }
  /// Chooses this code no more: it could not be launched.
  void drop(const HetArtifact *special) { specialisations->drop(special); }

private:
  Kernel &kernel;
  UpgradableCode code;
  std::unique_ptr<Specialisations> specialisations; ///< Null: it gets none.
  std::mutex mutex;                                 ///< Guards what follows, and loading.
  Status failure;                                   ///< Result of the latest load().
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_DIRECTCODE_H
