// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixed parts of .hetckpt in numbers (docs/spec/hetckpt.md is the norm).
// The header and the section table are those of Format.h. Private to this
// library.

#ifndef HET_LIB_PACKAGE_CHECKPOINTFORMAT_H
#define HET_LIB_PACKAGE_CHECKPOINTFORMAT_H

#include <cstddef>
#include <cstdint>

namespace het::checkpoint {

constexpr uint16_t versionMajor = 1;
constexpr uint16_t versionMinor = 0;

enum SectionType : uint32_t {
  Devices = 1,
  Package = 2,
  Modules = 3,
  Launches = 4,
  Memory = 5,
  ChunkData = 6,
  ChunkTable = 7,
};

enum LaunchFlags : uint32_t { Cooperative = 1 };

constexpr uint32_t threadEnded = 0xffffffff; ///< Instead of a thread's pc.

/// A chunk in its table: u32 stored size, u64 checksum.
constexpr size_t chunkEntrySize = 12;

// Limits: what a reader refuses and a writer must not exceed.
constexpr uint32_t leastChunkBytes = 1u << 12;
constexpr uint32_t mostChunkBytes = 1u << 24;
constexpr uint32_t maxDevices = 4096;
constexpr uint32_t maxPropertiesBytes = 1u << 16;
constexpr uint64_t maxBlocks = uint64_t(1) << 32;
constexpr uint64_t maxThreads = uint64_t(1) << 16; ///< In a block.
constexpr uint64_t maxThreadBytes = uint64_t(1) << 32;
constexpr uint64_t maxStates = uint64_t(1) << 48; ///< Bytes of a launch's states.
constexpr uint64_t maxMemory = uint64_t(1) << 56; ///< Bytes of all regions.
/// Largest growth of blocks' states when they are decompressed.
constexpr uint64_t maxStateRatio = 1024;

} // namespace het::checkpoint

#endif // HET_LIB_PACKAGE_CHECKPOINTFORMAT_H
