// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the blocks of a suspendable launch stand, while it runs
// (docs/design/safe-points.md, State of a block).
// Cores are given those that have not ended, with their states; what parks stays in its
// core's memory until that core is done.

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_PARKING_H
#define HET_LIB_TARGET_TENSIX_DEVICE_PARKING_H

#include "../../Support/ParkedBlocks.h"
#include "TensixDevice.h"

#include <set>

namespace het::tensix {

HetParkingInfo describe(const HetArtifact &artifact);

class Parking {
public:
  /// The state was checked; it stays until the launch is done. `byItself`: it parks soon
  /// after a block has begun, whether it is asked to or not.
  Parking(HetDevice &device, const HetArtifact &artifact, const HetLaunch &shape,
          HetLaunchState &state, bool byItself);

  /// Puts what cores are to be given into the chip's memory. False: no block is to run.
  bool prepare();
  uint64_t blocksLeft() const { return left; }
  /// Blocks that have run and been suspended; those that stay suspended are none.
  uint64_t parkedNow() const { return collected; }
  void fillIn(HetTensixMailbox &mailbox) const;

  // With the chip's mutex held:

  /// Tells cores whether to park. True: they have just been told to.
  bool tell(const std::vector<uint32_t> &running);
  /// Whether cores that are idle stay so.
  bool endsIdle() const { return told; }
  /// Takes the blocks that have been suspended from a core that has been stopped.
  void collect(const HetTensixMailbox &mailbox);

  /// Puts what was noted into the launch's state. After the last block; with the mutex
  /// not held.
  void finish();

private:
  uint32_t parks() const;
  uint64_t blockOf(uint64_t item) const;
  uint64_t taken();

  HetDevice &device;
  const HetArtifact &artifact;
  const HetLaunch shape;
  const bool byItself;
  const BlockStateLayout layout;
  target::ParkedBlocks blocks;
  const uint32_t pollInterval;
  const uint64_t parkedCount; ///< States that were given.
  const uint8_t *const states;
  std::vector<HetTensixRun> runs; ///< Empty: all blocks are to begin.
  uint64_t left;                  ///< Blocks that have not ended.
  uint64_t collected = 0;         ///< States taken from cores.
  std::set<uint64_t> notEnded;    ///< Blocks that have been suspended, or were kept.
  bool hasBegun = false;          ///< A block; only where it parks by itself.
  bool hasRun = false, isStaged = false, told = false, wasTold = false;
};

/// Parts of TargetABI.h's table.
void fillInParking(HetDeviceABI &table);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_DEVICE_PARKING_H
