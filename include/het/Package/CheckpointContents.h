// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of a .hetckpt (docs/spec/hetckpt.md), without the bytes of packages,
// memory and blocks' states.

#ifndef HET_PACKAGE_CHECKPOINTCONTENTS_H
#define HET_PACKAGE_CHECKPOINTCONTENTS_H

#include "het/Base/Bytes.h"
#include "het/DeviceABI/BlockStateLayout.h"

#include <array>
#include <string>
#include <vector>

namespace het {

/// A device as the program saw it.
struct CheckpointDevice {
  std::string name;               ///< As HET_DEVICES spells it.
  uint32_t propertiesVersion = 0; ///< The target interface's version.
  Bytes properties;               ///< As the program was told them.
};

/// Where a variable of a package lies.
struct CheckpointVariable {
  uint32_t variable = 0; ///< Its number in the package.
  uint64_t address = 0;
};

/// A package on a device.
struct CheckpointModule {
  uint32_t package = 0;
  uint32_t device = 0;
  std::vector<CheckpointVariable> variables; ///< Their numbers ascend.
};

/// Blocks that stand alike, one after another (x fastest).
struct BlockRun {
  uint8_t status = 0; ///< HET_BLOCK_...
  uint64_t count = 0;
};

/// A launch that has not ended.
struct CheckpointLaunch {
  uint32_t stream = 0;
  uint32_t module = 0;
  std::string kernel;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  bool cooperative = false;
  Bytes arguments; ///< Packed.
  // As in HetParkingInfo.
  uint64_t layout = 0;
  uint64_t threadBytes = 0;
  uint32_t sharedBytes = 0;
  std::vector<BlockRun> blocks;
};

/// Kind of a region's memory.
enum class RegionKind : uint8_t {
  Device = 0,  ///< In the window of addresses.
  Managed = 1, ///< The host and the device reach it at one address.
  Host = 2     ///< The host's, which the device reaches.
};

struct CheckpointAllocation {
  uint64_t address = 0;
  uint64_t size = 0; ///< As it was asked for.
};

/// Memory of one device, without gaps.
struct CheckpointRegion {
  uint64_t address = 0;
  uint64_t size = 0;
  uint32_t device = 0;
  RegionKind kind = RegionKind::Device;
  std::vector<CheckpointAllocation> allocations; ///< Their addresses ascend.
};

struct CheckpointContents {
  std::vector<CheckpointDevice> devices;
  std::vector<CheckpointModule> modules;
  std::vector<CheckpointLaunch> launches; ///< By stream, then in its order.
  std::vector<CheckpointRegion> regions;  ///< Their addresses ascend.
};

uint64_t threadsOfBlock(const CheckpointLaunch &launch);

/// Layout of a block's state, for a launch that keeps to the limits of the format.
BlockStateLayout blockStateLayout(const CheckpointLaunch &launch);

uint64_t parkedBlocks(const CheckpointLaunch &launch);

/// The runs of HetLaunchState::blocks.
std::vector<BlockRun> blockRuns(ByteView statuses);

} // namespace het

#endif // HET_PACKAGE_CHECKPOINTCONTENTS_H
