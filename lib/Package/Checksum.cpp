// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles in the xxHash library's own code for checksums.

#include "Checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t het::xxh64(ByteView bytes) { return XXH64(bytes.data, bytes.size, 0); }
