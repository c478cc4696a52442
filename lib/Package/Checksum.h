// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XXH64, which finds damage in large data at the speed of memory; against
// intent it is no help. As the xxHash project's specification has it (RFC 8878
// refers to the same). Private to this library.

#ifndef HET_LIB_PACKAGE_CHECKSUM_H
#define HET_LIB_PACKAGE_CHECKSUM_H

#include "het/Base/Bytes.h"

namespace het {

/// With seed 0.
uint64_t xxh64(ByteView bytes);

} // namespace het

#endif // HET_LIB_PACKAGE_CHECKSUM_H
