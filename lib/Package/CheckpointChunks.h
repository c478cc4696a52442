// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chunks of a .hetckpt: where each lies in the file, which belong to a launch's
// states and to a region's memory, and what they hold. Private to this library.

#ifndef HET_LIB_PACKAGE_CHECKPOINTCHUNKS_H
#define HET_LIB_PACKAGE_CHECKPOINTCHUNKS_H

#include "CheckpointSections.h"

#include "het/Package/Checkpoint.h"

namespace het {

class CheckpointChunks {
public:
  /// A sequence of bytes: its chunks follow one another.
  struct Extent {
    uint64_t firstChunk = 0;
    uint64_t size = 0;
  };

  CheckpointChunks(std::shared_ptr<const CheckpointSections> sections, uint64_t chunkSize)
      : sections(std::move(sections)), chunkSize(chunkSize) {}
  /// Reads the table of chunks, which must be those that the contents need.
  Status read(const CheckpointContents &contents);

  uint64_t chunkBytes() const { return chunkSize; }
  const Extent &statesOf(size_t launch) const { return states[launch]; }
  const Extent &memoryOf(size_t region) const { return memory[region]; }

  /// Copies a part of an extent.
  Status readExtent(const Extent &extent, uint64_t offset, uint8_t *to,
                    uint64_t size) const;
  /// Whether the file has nothing but zeros for the chunk that begins there.
  bool isZero(const Extent &extent, uint64_t offset) const;
  /// As Checkpoint::visitMemory.
  Status visitMemory(const Checkpoint::Visitor &visitor, unsigned threads) const;
  /// Checks every byte of the launches' states.
  Status verifyStates() const;

private:
  struct Chunk {
    uint64_t offset = 0; ///< In the file.
    uint32_t storedSize = 0;
    uint64_t checksum = 0;
  };

  Status layOutExtents(const CheckpointContents &contents, uint64_t chunkTotal);
  Status readEntries(ByteView table);
  Status checkStateChunks() const;
  uint64_t rawSize(const Extent &extent, uint64_t index) const;
  Status loadChunk(uint64_t chunk, uint8_t *to, uint64_t rawSize) const;
  Status damagedChunk(uint64_t chunk, const std::string &what) const;

  std::shared_ptr<const CheckpointSections> sections;
  uint64_t chunkSize;
  std::vector<Chunk> chunks;
  std::vector<Extent> states, memory; ///< By launch and region.
};

} // namespace het

#endif // HET_LIB_PACKAGE_CHECKPOINTCHUNKS_H
