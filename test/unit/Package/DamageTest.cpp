// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Damage: every flipped bit, every truncation, every appended byte of the
// golden packages ends in an error that names the file and says what to do.

#include "GoldenPackages.h"
#include "Reseal.h"

#include "het/Package/Package.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>

using namespace het;
using namespace het::test;

/// Open and verify; the first failure.
static Status check(ByteView bytes) {
  Result<Package> package = Package::open(bytes, "damaged.hetpkg");
  return package.ok() ? package->verify() : package.status();
}

static void expectClear(const Status &status, const std::string &what) {
  ASSERT_FALSE(status.ok()) << what;
  EXPECT_EQ(status.origin, "damaged.hetpkg") << what;
  for (const char *part : {": found ", ", expected ", "; "})
    EXPECT_NE(status.message.find(part), std::string::npos)
        << what << ": " << status.message;
}

TEST(Damage, EveryBitFlipIsFound) {
  for (const GoldenPackage &golden : goldenPackages()) {
    ASSERT_TRUE(check(golden.bytes).ok());
    Bytes bytes = golden.bytes;
    for (size_t i = 0; i < bytes.size(); ++i)
      for (unsigned bit = 0; bit < 8; ++bit) {
        bytes[i] ^= static_cast<uint8_t>(1u << bit);
        expectClear(check(bytes), golden.name + ", byte " + std::to_string(i));
        bytes[i] = golden.bytes[i];
      }
  }
}

TEST(Damage, EveryTruncationIsFound) {
  for (const GoldenPackage &golden : goldenPackages())
    for (size_t size = 0; size < golden.bytes.size(); ++size) {
      // A block of exactly this size, so that a sanitizer sees each read past
      // its end.
      auto part = std::make_unique<uint8_t[]>(size);
      std::memcpy(part.get(), golden.bytes.data(), size);
      expectClear(check(ByteView(part.get(), size)),
                  golden.name + ", cut to " + std::to_string(size));
    }
}

TEST(Damage, AppendedBytesAreFound) {
  for (GoldenPackage &golden : goldenPackages()) {
    golden.bytes.push_back(0);
    expectClear(check(golden.bytes), golden.name);
  }
}

/// Single kernels are guarded too: use without verify() finds the damage.
TEST(Damage, UseWithoutVerifyFindsDamagedSections) {
  GoldenPackage golden = goldenPlain();
  Result<Package> whole = Package::open(golden.bytes, "whole");
  ASSERT_TRUE(whole.ok());
  for (uint32_t i = 0; i < whole->sectionCount(); ++i) {
    PackageSections::Info section = whole->section(i);
    Bytes bytes = golden.bytes;
    bytes[static_cast<size_t>(section.offset)] ^= 1;
    Result<Package> package = Package::open(bytes, "damaged.hetpkg");
    if (section.typeName == "kernel index") {
      expectClear(package.status(), section.typeName);
      continue;
    }
    ASSERT_TRUE(package.ok()) << "other sections are read when used";
    if (section.typeName == "kernel page")
      expectClear(package->kernel(0).status(), section.typeName);
    if (section.typeName == "hetIR")
      expectClear(package->kernelCode(0).status(), section.typeName);
    if (section.typeName == "variables")
      expectClear(package->variables().status(), section.typeName);
  }
}

TEST(Damage, NewerMajorVersionSaysWhatToDo) {
  Bytes bytes = goldenPlain().bytes;
  bytes[8] = 2;
  reseal(bytes);
  Status status = check(bytes);
  expectClear(status, "version");
  EXPECT_EQ(status.code, Code::Unsupported);
  EXPECT_NE(status.message.find("found 2.0, expected 1.x"), std::string::npos)
      << status.message;
  EXPECT_NE(status.message.find("at least as new"), std::string::npos);
}

TEST(Damage, NewerMinorVersionIsRead) {
  Bytes bytes = goldenPlain().bytes;
  bytes[10] = 7;
  reseal(bytes);
  EXPECT_TRUE(check(bytes).ok()) << check(bytes).text();
}

TEST(Damage, ForeignFilesAreNamed) {
  for (std::string_view text :
       {std::string_view(""),
        std::string_view("\x7f"
                         "ELF"),
        std::string_view("not a package, but long enough to be one, or so")})
    expectClear(check(ByteView(text)), std::string(text));
}
