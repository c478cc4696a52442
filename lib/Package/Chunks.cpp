// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs memory into compressed chunks with checksums, and unpacks them.

#include "Chunks.h"

#include "CheckpointFormat.h"
#include "Checksum.h"
#include "Compression.h"

#include <cstdio>
#include <cstring>
#include <zstd.h>

using namespace het;

/// The fastest that still finds what repeats: a disk is not to wait for it.
static constexpr int compressionLevel = 1;

/// The runtime has no other strategy (runtime/cuda/UnusedParts.cpp).
static ZSTD_CCtx *createContext() {
  ZSTD_CCtx *context = ZSTD_createCCtx();
  if (context) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, compressionLevel);
    ZSTD_CCtx_setParameter(context, ZSTD_c_strategy, ZSTD_fast);
  }
  return context;
}

ChunkPacker::ChunkPacker(uint32_t chunkBytes, bool compress)
    : context(compress ? createContext() : nullptr),
      frame(context ? ZSTD_compressBound(chunkBytes) : 0) {}

ChunkPacker::~ChunkPacker() { ZSTD_freeCCtx(context); }

static bool allZero(ByteView bytes) {
  // Equal to itself, one byte further on.
  return bytes.empty() ||
         (bytes.data[0] == 0 && !std::memcmp(bytes.data, bytes.data + 1, bytes.size - 1));
}

PackedChunk ChunkPacker::pack(ByteView raw, bool ofState) {
  if (!ofState && allZero(raw))
    return {};
  PackedChunk packed{raw, 0};
  if (context) {
    size_t size = ZSTD_compress2(context, frame.data(), frame.size(), raw.data, raw.size);
    bool pays = !ZSTD_isError(size) && size < raw.size;
    if (pays && (!ofState || raw.size / checkpoint::maxStateRatio <= size))
      packed.stored = ByteView(frame.data(), size);
  }
  packed.checksum = xxh64(packed.stored);
  return packed;
}

static std::string checksumText(uint64_t checksum) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(checksum));
  return text;
}

Status het::unpackChunk(uint8_t *to, uint64_t rawSize, ByteView stored,
                        uint64_t checksum) {
  if (stored.empty()) {
    std::memset(to, 0, static_cast<size_t>(rawSize));
    return Status::success();
  }
  if (uint64_t found = xxh64(stored); found != checksum)
    return invalid("checksum: found " + checksumText(found) + ", expected " +
                   checksumText(checksum));
  if (stored.size != rawSize)
    return decompressTo(to, stored, rawSize);
  std::memcpy(to, stored.data, stored.size);
  return Status::success();
}
