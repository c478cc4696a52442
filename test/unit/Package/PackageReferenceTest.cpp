// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record that names a package beside the program.

#include "het/Package/PackageReference.h"

#include <gtest/gtest.h>

using namespace het;

TEST(PackageReference, RoundTrip) {
  Result<Bytes> record = writePackageReference("app.hetpkg");
  ASSERT_TRUE(record.ok());
  EXPECT_TRUE(hasReferenceMagic(*record));
  EXPECT_EQ(record->size(), referenceHeaderSize + 10);
  EXPECT_EQ(*readPackageReference(*record), "app.hetpkg");
  EXPECT_EQ(*readPackageReference(record->data()), "app.hetpkg");
}

TEST(PackageReference, RefusesFolders) {
  for (std::string name : {"", ".", "..", "a/b", "/a", "../a"})
    EXPECT_FALSE(writePackageReference(name).ok()) << name;
  EXPECT_FALSE(writePackageReference(std::string(4096, 'x')).ok());
}

TEST(PackageReference, RefusesDamage) {
  Bytes record = *writePackageReference("app.hetpkg");
  for (size_t size = 0; size < record.size(); ++size)
    EXPECT_FALSE(readPackageReference(ByteView(record.data(), size)).ok());
  Bytes newer = record;
  newer[8] = 2;
  EXPECT_EQ(readPackageReference(newer).status().code, Code::Unsupported);
  Bytes slash = record;
  slash[16] = '/';
  EXPECT_FALSE(readPackageReference(slash).ok());
}
