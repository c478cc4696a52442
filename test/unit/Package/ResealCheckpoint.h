// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts right digests and checksums into a changed checkpoint, as an attacker
// would: what is tested then are the checks behind them.

#ifndef HET_TEST_UNIT_PACKAGE_RESEALCHECKPOINT_H
#define HET_TEST_UNIT_PACKAGE_RESEALCHECKPOINT_H

#include "het/Base/Bytes.h"

namespace het::test {

/// Recomputes every digest and checksum whose bytes lie inside; leaves the rest
/// alone.
void resealCheckpoint(Bytes &checkpoint);

/// Uses every part of the reader on these bytes. True if Checkpoint::open and
/// Checkpoint::verify accept them.
bool exerciseCheckpoint(ByteView checkpoint);

} // namespace het::test

#endif // HET_TEST_UNIT_PACKAGE_RESEALCHECKPOINT_H
