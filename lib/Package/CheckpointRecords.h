// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The records of a checkpoint: their bytes and what makes them valid. Reader
// and writer check the same rules. Private to this library.

#ifndef HET_LIB_PACKAGE_CHECKPOINTRECORDS_H
#define HET_LIB_PACKAGE_CHECKPOINTRECORDS_H

#include "het/Base/Status.h"
#include "het/Package/CheckpointContents.h"

namespace het {

Bytes writeDevices(const std::vector<CheckpointDevice> &devices);
Bytes writeModules(const std::vector<CheckpointModule> &modules);
Bytes writeLaunches(const std::vector<CheckpointLaunch> &launches);
Bytes writeRegions(const std::vector<CheckpointRegion> &regions, uint32_t chunkBytes);

/// Decode one section each, without the rules. The messages of failures lack
/// the section and the remedy.
Result<std::vector<CheckpointDevice>> readDevices(ByteView section);
Result<std::vector<CheckpointModule>> readModules(ByteView section);
Result<std::vector<CheckpointLaunch>> readLaunches(ByteView section);
Result<std::vector<CheckpointRegion>> readRegions(ByteView section, uint64_t &chunkBytes);

// The rules, in the order of the sections: each needs those before it.
Status checkDevices(const CheckpointContents &contents);
Status checkModules(const CheckpointContents &contents, uint32_t packages);
Status checkLaunches(const CheckpointContents &contents);
Status checkRegions(const CheckpointContents &contents);
Status checkChunkBytes(uint64_t chunkBytes);

/// Bytes of the states of a launch's parked blocks. The launch is checked.
uint64_t statesBytes(const CheckpointLaunch &launch);

} // namespace het

#endif // HET_LIB_PACKAGE_CHECKPOINTRECORDS_H
