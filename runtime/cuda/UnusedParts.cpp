// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of zstd and libsodium that a program never reaches: stand-ins, by which the
// linker leaves a fifth of libhetrt.so in the archives (docs/design/size.md). They are
// weak: a release of those libraries that is made in another way links whole.

#include <cstdlib>

namespace {
[[noreturn]] void isUnreachable() { std::abort(); }
} // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are those of the libraries.
#define HET_UNUSED(name)                                                                 \
  extern "C" __attribute__((weak)) void name(void) { isUnreachable(); }

// Frames of zstd before version 0.8: packages and checkpoints have none, and such a one
// is refused by its first bytes (lib/Package/Compression.cpp).
#define HET_UNUSED_DECODER(version)                                                      \
  HET_UNUSED(ZBUFF##version##_createDCtx)                                                \
  HET_UNUSED(ZBUFF##version##_decompressContinue)                                        \
  HET_UNUSED(ZBUFF##version##_decompressInitDictionary)                                  \
  HET_UNUSED(ZBUFF##version##_freeDCtx)                                                  \
  HET_UNUSED(ZSTD##version##_createDCtx)                                                 \
  HET_UNUSED(ZSTD##version##_decompress_usingDict)                                       \
  HET_UNUSED(ZSTD##version##_findFrameSizeInfoLegacy)                                    \
  HET_UNUSED(ZSTD##version##_freeDCtx)                                                   \
  HET_UNUSED(ZSTD##version##_getFrameParams)
HET_UNUSED_DECODER(v05)
HET_UNUSED_DECODER(v06)
HET_UNUSED_DECODER(v07)

// Strategies of compression that are not the fastest, which is the one that checkpoints
// are written by (lib/Package/Chunks.cpp).
#define HET_UNUSED_STRATEGY(name)                                                        \
  HET_UNUSED(ZSTD_compressBlock_##name)                                                  \
  HET_UNUSED(ZSTD_compressBlock_##name##_dictMatchState)                                 \
  HET_UNUSED(ZSTD_compressBlock_##name##_extDict)
#define HET_UNUSED_ROW_STRATEGY(name)                                                    \
  HET_UNUSED_STRATEGY(name)                                                              \
  HET_UNUSED(ZSTD_compressBlock_##name##_dedicatedDictSearch)                            \
  HET_UNUSED(ZSTD_compressBlock_##name##_dedicatedDictSearch_row)                        \
  HET_UNUSED(ZSTD_compressBlock_##name##_dictMatchState_row)                             \
  HET_UNUSED(ZSTD_compressBlock_##name##_extDict_row)                                    \
  HET_UNUSED(ZSTD_compressBlock_##name##_row)
HET_UNUSED_STRATEGY(doubleFast)
HET_UNUSED_ROW_STRATEGY(greedy)
HET_UNUSED_ROW_STRATEGY(lazy)
HET_UNUSED_ROW_STRATEGY(lazy2)
HET_UNUSED_STRATEGY(btlazy2)
HET_UNUSED_STRATEGY(btopt)
HET_UNUSED_STRATEGY(btultra)
HET_UNUSED(ZSTD_compressBlock_btultra2)
HET_UNUSED(ZSTD_dedicatedDictSearch_lazy_loadDictionary)
HET_UNUSED(ZSTD_fillDoubleHashTable)
HET_UNUSED(ZSTD_insertAndFindFirstIndex)
HET_UNUSED(ZSTD_row_update)
HET_UNUSED(ZSTD_updateTree)

// Random numbers and the end of the process for a caller's fault, by which libsodium's
// ciphers and password hashes come along: the runtime makes no keys, and keeps the rules.
HET_UNUSED(randombytes_buf)
HET_UNUSED(sodium_misuse)
// NOLINTEND(readability-identifier-naming)
