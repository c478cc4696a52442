// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and signed packages for tests.

#ifndef HET_TEST_UNIT_PACKAGE_SIGNEDPACKAGES_H
#define HET_TEST_UNIT_PACKAGE_SIGNEDPACKAGES_H

#include "het/Base/Ed25519.h"
#include "het/Package/PackageSections.h"

namespace het::test {

/// A key that is always the same for the same number.
PrivateKey keyNumber(uint8_t number);

/// The package with a signature more; fails the test if it can not be signed.
Bytes signedBy(const Bytes &package, const PrivateKey &key);

/// A package that has been opened as far as its section table.
PackageSections tableOf(const Bytes &package);

} // namespace het::test

#endif // HET_TEST_UNIT_PACKAGE_SIGNEDPACKAGES_H
