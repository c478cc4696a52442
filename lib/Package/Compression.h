// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compresses package sections by zstd. Private to this library.

#ifndef HET_LIB_PACKAGE_COMPRESSION_H
#define HET_LIB_PACKAGE_COMPRESSION_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <memory>

struct ZSTD_CCtx_s;

namespace het {

/// Compresses many sections with one zstd context.
class Compressor {
public:
  Compressor();
  ~Compressor();

  /// One zstd frame that states its content size; nothing if compressing does
  /// not pay or would exceed the format's limit on expansion.
  std::optional<Bytes> compress(ByteView raw);

private:
  ZSTD_CCtx_s *context;
};

/// Decompresses exactly one frame that fills `stored` and holds exactly
/// `rawSize` bytes. The caller has checked rawSize against the limits; nothing
/// is allocated before the frame itself agrees with it. The message of a
/// failure is only the thing and its values.
Result<Bytes> decompress(ByteView stored, uint64_t rawSize);

/// The same, into memory that has room for `rawSize` bytes.
Status decompressTo(uint8_t *to, ByteView stored, uint64_t rawSize);

} // namespace het

#endif // HET_LIB_PACKAGE_COMPRESSION_H
