// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compresses and decompresses package sections by zstd.

#include "Compression.h"

#include "Format.h"

#include <zstd.h>

using namespace het;

/// Fixed, as the output must not depend on who writes.
static constexpr int compressionLevel = 6;

Compressor::Compressor() : context(ZSTD_createCCtx()) {}
Compressor::~Compressor() { ZSTD_freeCCtx(context); }

std::optional<Bytes> Compressor::compress(ByteView raw) {
  Bytes frame(ZSTD_compressBound(raw.size));
  size_t size = context ? ZSTD_compressCCtx(context, frame.data(), frame.size(), raw.data,
                                            raw.size, compressionLevel)
                        : 0;
  bool pays = size != 0 && !ZSTD_isError(size) && size < raw.size;
  if (!pays || !format::allowedExpansion(size, raw.size))
    return std::nullopt;
  frame.resize(size);
  frame.shrink_to_fit();
  return frame;
}

/// Whether it is one frame that fills its bytes and says that it holds `rawSize`. zstd's
/// decoders of frames before RFC 8878 are for nobody here.
static Status checkFrame(ByteView stored, uint64_t rawSize) {
  if (const uint32_t magic = ByteReader(stored).u32(); magic != ZSTD_MAGICNUMBER)
    return invalid("zstd frame: found " + std::to_string(magic) +
                   " at its start, expected " + std::to_string(ZSTD_MAGICNUMBER));
  size_t frameSize = ZSTD_findFrameCompressedSize(stored.data, stored.size);
  unsigned long long content = ZSTD_getFrameContentSize(stored.data, stored.size);
  if (ZSTD_isError(frameSize) || content == ZSTD_CONTENTSIZE_ERROR)
    return invalid("zstd frame: found damaged data, expected one frame");
  if (frameSize != stored.size)
    return invalid("zstd frame: found " + std::to_string(frameSize) +
                   " bytes, expected " + std::to_string(stored.size));
  if (content != rawSize)
    return invalid("size inside the zstd frame: found " +
                   (content == ZSTD_CONTENTSIZE_UNKNOWN ? std::string("none")
                                                        : std::to_string(content)) +
                   ", expected " + std::to_string(rawSize));
  return Status::success();
}

/// Decompresses a frame that was checked.
static Status fill(uint8_t *to, ByteView stored, uint64_t rawSize) {
  size_t size =
      ZSTD_decompress(to, static_cast<size_t>(rawSize), stored.data, stored.size);
  if (ZSTD_isError(size))
    return invalid(std::string("zstd frame: found damaged data (") +
                   ZSTD_getErrorName(size) + "), expected " + std::to_string(rawSize) +
                   " bytes");
  if (size != rawSize)
    return invalid("zstd frame: found " + std::to_string(size) + " bytes, expected " +
                   std::to_string(rawSize));
  return Status::success();
}

Status het::decompressTo(uint8_t *to, ByteView stored, uint64_t rawSize) {
  Status status = checkFrame(stored, rawSize);
  return status.ok() ? fill(to, stored, rawSize) : status;
}

Result<Bytes> het::decompress(ByteView stored, uint64_t rawSize) {
  if (Status status = checkFrame(stored, rawSize); !status.ok())
    return status;
  Bytes raw(static_cast<size_t>(rawSize));
  if (Status status = fill(raw.data(), stored, rawSize); !status.ok())
    return status;
  return raw;
}
