// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the blocks of a suspendable launch stand, while it runs
// (docs/design/safe-points.md, State of a block).

#ifndef HET_LIB_TARGET_HOST_DEVICE_PARKING_H
#define HET_LIB_TARGET_HOST_DEVICE_PARKING_H

#include "../../Support/ParkedBlocks.h"
#include "Blocks.h"

namespace het::host {

class Parking {
public:
  /// The state stays until the launch is done.
  Parking(const Launch &launch, HetLaunchState &state);

  /// Whether blocks are to stop now.
  bool isOn() const {
    return launch.device->parking.load(std::memory_order_relaxed) != 0;
  }
  /// Whether blocks stop inside, or run to their end once they have begun.
  bool stopsInside() const { return kernel.layout != 0; }
  bool hasEnded(uint64_t index) const { return blocks.standOf(index) == HET_BLOCK_ENDED; }
  /// By this launch or one before.
  bool hasBegun(uint64_t index) const { return begun[index] || hasEnded(index); }

  /// Which blocks to go on with before all others, once: so that each has its turn, also
  /// where a launch is suspended before it could run all that were.
  std::vector<uint64_t> takeFirst();

  /// Makes a block ready to run from where it stands; false: it has ended, or there is
  /// no memory.
  bool prepare(BlockState &block);

  /// Takes note of a block that has ended or been suspended; false: it has done neither.
  bool settle(const BlockState &block);

  /// Puts what was noted into the launch's state. After the last block.
  void finish();

private:
  const Launch &launch;
  const HetHostKernel &kernel;
  target::ParkedBlocks blocks;
  std::vector<uint8_t> begun; ///< For each block, whether this launch has.
  bool hasTakenFirst = false;
};

/// How often each block is suspended by itself and resumed in other memory: for tests of
/// kernels' suspendable forms (HET_HOST_PARK); 0: never.
uint64_t parksByItself();
/// The same read anew, or what is wrong with HET_HOST_PARK.
Result<uint64_t> readParksByItself();

/// A block that has been suspended by itself: its state goes through other memory.
void takeUpElsewhere(const Launch &launch, BlockState &block);

/// The functions of TargetABI.h's table.
void fillInParking(HetDeviceABI &table);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_DEVICE_PARKING_H
