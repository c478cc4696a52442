// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages inside other files.

#include "GoldenPackages.h"

#include "het/Package/Embedded.h"
#include "het/Package/PackageReference.h"

#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

static void append(Bytes &file, ByteView part) {
  file.insert(file.end(), part.begin(), part.end());
}

TEST(Embedded, FindsEveryPackageAtAnyOffset) {
  Bytes file(13, 0x89);
  GoldenPackage one = goldenPlain(), two = goldenVariables();
  append(file, one.bytes);
  append(file, Bytes(7, 'H'));
  append(file, two.bytes);
  append(file, Bytes(3, 0));
  EmbeddedPackages found = findPackages(file, "program");
  ASSERT_EQ(found.packages.size(), 2u);
  EXPECT_TRUE(found.damaged.empty());
  EXPECT_EQ(found.packages[0].offset, 13u);
  EXPECT_TRUE(sameBytes(found.packages[0].bytes, one.bytes));
  EXPECT_TRUE(sameBytes(found.packages[1].bytes, two.bytes));
}

TEST(Embedded, FindsReferences) {
  Bytes file(5, 0);
  append(file, *writePackageReference("app.hetpkg"));
  append(file, Bytes(5, 0));
  EmbeddedPackages found = findPackages(file, "program");
  EXPECT_EQ(found.references, std::vector<std::string>{"app.hetpkg"});
  EXPECT_TRUE(found.packages.empty());
}

TEST(Embedded, NothingInNothing) {
  EmbeddedPackages found = findPackages({}, "empty");
  EXPECT_TRUE(found.packages.empty() && found.damaged.empty());
}

TEST(Embedded, DamagedHeaderIsReported) {
  Bytes file(16, 0);
  append(file, goldenPlain().bytes);
  file[16 + 40] ^= 1;
  EmbeddedPackages found = findPackages(file, "program");
  EXPECT_TRUE(found.packages.empty());
  ASSERT_EQ(found.damaged.size(), 1u);
  EXPECT_EQ(found.damaged[0].origin, "program at offset 16");
}

TEST(Embedded, CutPackageIsReported) {
  for (size_t size : {size_t(9), size_t(100), size_t(200)}) {
    Bytes bytes = goldenPlain().bytes;
    bytes.resize(size);
    Bytes file(16, 0);
    append(file, bytes);
    EmbeddedPackages found = findPackages(file, "program");
    EXPECT_TRUE(found.packages.empty());
    EXPECT_EQ(found.damaged.size(), size > 10 ? 1u : 0u) << size;
  }
}

TEST(Embedded, MagicAsAConstantIsNotAPackage) {
  Bytes bytes = goldenPlain().bytes;
  bytes.resize(8);
  bytes.resize(300, 0xcc);
  EXPECT_TRUE(findPackages(bytes, "program").damaged.empty());
}

/// What a file of many magics makes of itself is not in proportion to the file.
TEST(Embedded, WhatIsFoundIsBounded) {
  Bytes file;
  for (int i = 0; i < 20000; ++i)
    append(file, Bytes{0x89, 'H', 'E', 'T', 'P', 'K', 'G', '\n', 1, 0, 0, 0});
  file.resize(file.size() + 200);
  EXPECT_LE(findPackages(file, "program").damaged.size(), 100u);
  Bytes references;
  for (int i = 0; i < 20000; ++i) {
    const Bytes one = *writePackageReference("p" + std::to_string(i) + ".hetpkg");
    for (int twice = 0; twice < 2; ++twice)
      append(references, one);
  }
  EXPECT_LE(findPackages(references, "program").references.size(), 1024u);
}
