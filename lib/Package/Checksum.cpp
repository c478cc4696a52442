// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The xxHash library's own, compiled in.

#include "Checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t het::xxh64(ByteView bytes) { return XXH64(bytes.data, bytes.size, 0); }
