// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pieces that a checkpoint keeps memory and states in. Private to this
// library.

#ifndef HET_LIB_PACKAGE_CHUNKS_H
#define HET_LIB_PACKAGE_CHUNKS_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <memory>

struct ZSTD_CCtx_s;

namespace het {

/// A chunk as it is stored: nothing, where all its bytes are 0; as it is; or as
/// one zstd frame that is smaller.
struct PackedChunk {
  ByteView stored;
  uint64_t checksum = 0; ///< Computed over what is stored; 0 where nothing is.
};

/// Packs chunks, one after another.
class ChunkPacker {
public:
  /// `compress`: where it pays.
  ChunkPacker(uint32_t chunkBytes, bool compress);
  ~ChunkPacker();

  /// Borrows `raw` or memory of its own until the next call. Chunks of states
  /// are never left out, and keep to the limit on expansion.
  PackedChunk pack(ByteView raw, bool ofState);

private:
  ZSTD_CCtx_s *context; ///< Null: nothing is compressed.
  Bytes frame;
};

/// Checks a chunk and fills `to` with its `rawSize` bytes. What is stored is
/// not larger than that. The message of a failure is only the thing and its
/// values.
Status unpackChunk(uint8_t *to, uint64_t rawSize, ByteView stored, uint64_t checksum);

} // namespace het

#endif // HET_LIB_PACKAGE_CHUNKS_H
