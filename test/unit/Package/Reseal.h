// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts right digests into a changed package, as an attacker would: what is
// tested then are the checks behind the digests.

#ifndef HET_TEST_UNIT_PACKAGE_RESEAL_H
#define HET_TEST_UNIT_PACKAGE_RESEAL_H

#include "het/Base/Bytes.h"

namespace het::test {

/// Recomputes every digest whose bytes lie inside; leaves the rest alone.
void reseal(Bytes &package);

/// Uses every part of the reader on these bytes. True if Package::open and
/// Package::verify accept them.
bool exercise(ByteView package);

} // namespace het::test

#endif // HET_TEST_UNIT_PACKAGE_RESEAL_H
