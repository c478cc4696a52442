// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of a kernel whose launches may move: for each backend that its device can be on,
// code that blocks can be suspended in, and cheaper code for launches that end soon.

#ifndef HET_RUNTIME_MIGRATION_MIGRATABLECODE_H
#define HET_RUNTIME_MIGRATION_MIGRATABLECODE_H

#include "core/Kernel.h"
#include "core/code/Specialisations.h"
#include "core/code/UpgradableCode.h"
#include "migration/CodeTiers.h"
#include "migration/PollIntervals.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace het::core {

class MigratableDevice;

class MigratableCode final : public KernelCode {
public:
  MigratableCode(Kernel &kernel, MigratableDevice &device);
  /// The code of a kernel of a migratable device.
  static MigratableCode &of(Kernel &kernel) {
    return static_cast<MigratableCode &>(kernel.code());
  }

  Status prepare() override;
  bool isPrepared() const override { return isUsed(); }
  uint64_t loadAhead() override;
  Result<HetArtifact *> load() override;
  void finish() override;
  void unload() override;

  /// Makes the kernel ready to launch on a backend of its device. A failure that will not
  /// pass stays.
  Result<HetArtifact *> loadOn(Backend &backend);
  bool isLoadedOn(Backend &backend);
  /// Plain code on a backend that suspends kernels: for launches that the other code can
  /// not be given to (`why`), since it takes more registers, shared memory or bytes of
  /// parameters. A failure that will not pass stays.
  Result<HetArtifact *> plainOn(Backend &backend, const std::string &why);
  /// Whether it has been prepared.
  bool isUsed() const { return wasPrepared.load(std::memory_order_acquire); }
  /// Layout hash of a suspended block's state on `backend`; 0 if blocks that run can not
  /// be suspended.
  uint64_t layoutOn(Backend &backend);
  /// Reason the kernel can not be replayed; empty if it can.
  std::string replayBlocker();

  /// Launches that were given to a stream and have not ended.
  void noteGiven(uint32_t dynamicSharedBytes);
  void noteEnded() { --underWay; }
  bool isUnderWay() const { return underWay.load() != 0; }
  /// The shared memory of a block in the largest launch so far.
  uint64_t maxSharedBytes() const { return kernel.sharedBytes(maxDynamicShared.load()); }

  /// Null: it has none.
  CodeTiers *tiers() const { return codeTiers.get(); }
  /// Null: it gets none.
  Specialisations *special() const { return specialisations.get(); }
  PollIntervals &pollIntervals() { return intervals; }

private:
  /// Code on a backend that is not the primary, or why there is none.
  struct CodeElsewhere {
    std::unique_ptr<UpgradableCode> code;
    Status failure;
    Result<HetArtifact *> artifact() const;
  };

  Result<HetArtifact *> makeFor(Backend &backend, UpgradableCode &code);

  Kernel &kernel;
  MigratableDevice &device;
  std::unique_ptr<CodeTiers> codeTiers;
  std::unique_ptr<Specialisations> specialisations;
  PollIntervals intervals;

  std::mutex loading; ///< Held while the primary's code is made. Taken before `mutex`.
  UpgradableCode primaryCode;
  Status failure; ///< Result of the latest load(); guarded by `loading`.

  std::mutex mutex; ///< Guards what follows.
  std::map<Backend *, CodeElsewhere> elsewhere;
  std::map<Backend *, Result<HetArtifact *>> plain; ///< Made by plainOn().

  std::atomic<uint64_t> underWay{0};
  std::atomic<uint32_t> maxDynamicShared{0};
  std::atomic<bool> wasPrepared{false};
  std::once_flag codeIsKnown;
  bool prints = false;
};

/// The module's kernels that have been prepared.
std::vector<std::shared_ptr<Kernel>> usedKernels(Module &module);

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MIGRATABLECODE_H
