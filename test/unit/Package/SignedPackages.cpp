// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making signed packages.

#include "SignedPackages.h"

#include "het/Package/Signatures.h"

#include <gtest/gtest.h>

using namespace het;

PrivateKey test::keyNumber(uint8_t number) {
  PrivateKey::Seed seed;
  seed.fill(number);
  return PrivateKey(seed);
}

PackageSections test::tableOf(const Bytes &package) {
  Result<PackageSections> sections = PackageSections::open(package, "test");
  EXPECT_TRUE(sections.ok()) << sections.status().text();
  return *sections;
}

Bytes test::signedBy(const Bytes &package, const PrivateKey &key) {
  Result<SignedPackage> made = signPackage(tableOf(package), key, true);
  EXPECT_TRUE(made.ok()) << made.status().text();
  return made->bytes;
}
