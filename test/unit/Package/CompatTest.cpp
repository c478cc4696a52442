// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages frozen when their format version was released load in every later
// version and say what they said then.

#include "GoldenPackages.h"
#include "SignedPackages.h"

#include "het/Base/File.h"
#include "het/Package/Package.h"
#include "het/Package/RelocatableCode.h"
#include "het/Package/Trust.h"

#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

static void expectSameArtifacts(const Package &frozen, const Package &built) {
  Result<std::vector<PackageLowering>> was = frozen.lowerings();
  Result<std::vector<PackageLowering>> is = built.lowerings();
  ASSERT_TRUE(was.ok()) << was.status().text();
  ASSERT_EQ(was->size(), is->size());
  for (size_t i = 0; i < is->size(); ++i) {
    EXPECT_EQ((*was)[i].kind, (*is)[i].kind);
    ASSERT_EQ((*was)[i].entries.size(), (*is)[i].entries.size());
    for (size_t k = 0; k < (*is)[i].entries.size(); ++k)
      EXPECT_EQ(*frozen.artifact((*was)[i].entries[k]),
                *built.artifact((*is)[i].entries[k]));
  }
}

static void expectSameRelocatable(const Package &frozen, const Package &built) {
  Result<std::optional<RelocatableCode>> was = findRelocatableCode(frozen.table());
  Result<std::optional<RelocatableCode>> is = findRelocatableCode(built.table());
  ASSERT_TRUE(was.ok()) << was.status().text();
  ASSERT_EQ(was->has_value(), is->has_value());
  if (is->has_value())
    EXPECT_EQ(writeRelocatableCode(**was), writeRelocatableCode(**is));
}

static void expectSame(const Package &frozen, const Package &built) {
  EXPECT_TRUE(frozen.verify().ok()) << frozen.verify().text();
  EXPECT_EQ(frozen.producer(), built.producer());
  ASSERT_EQ(frozen.kernelCount(), built.kernelCount());
  for (uint32_t i = 0; i < built.kernelCount(); ++i) {
    EXPECT_EQ(frozen.kernel(i)->name, built.kernel(i)->name);
    EXPECT_EQ(frozen.kernel(i)->architecture, built.kernel(i)->architecture);
    EXPECT_EQ(*frozen.kernelCode(i), *built.kernelCode(i));
  }
  expectSameArtifacts(frozen, built);
  expectSameRelocatable(frozen, built);
  Result<std::vector<VariableInfo>> was = frozen.variables();
  Result<std::vector<VariableInfo>> is = built.variables();
  ASSERT_EQ(was->size(), is->size());
  for (size_t i = 0; i < is->size(); ++i) {
    EXPECT_EQ((*was)[i].name, (*is)[i].name);
    EXPECT_EQ((*was)[i].initial, (*is)[i].initial);
  }
}

/// The bytes of a frozen package, which say what the golden one says.
static Bytes frozenAs(const GoldenPackage &golden) {
  const std::string path =
      HET_COMPAT_DIR "/hetpkg-" + golden.since + "/" + golden.name + ".hetpkg";
  Result<Bytes> bytes = readFile(path);
  EXPECT_TRUE(bytes.ok()) << bytes.status().text();
  if (!bytes.ok())
    return {};
  Result<Package> frozen = Package::open(*bytes, path);
  Result<Package> built = Package::open(golden.bytes, golden.name);
  EXPECT_TRUE(frozen.ok()) << frozen.status().text();
  if (frozen.ok())
    expectSame(*frozen, *built);
  return bytes.take();
}

TEST(Compat, FrozenPackagesSayWhatTheySaid) {
  for (const GoldenPackage &golden : goldenPackages())
    frozenAs(golden);
}

TEST(Compat, FrozenSignaturesFit) {
  const Bytes bytes = frozenAs(goldenSigned());
  Result<PackageSections> table = PackageSections::open(bytes, "frozen");
  ASSERT_TRUE(table.ok()) << table.status().text();
  for (uint8_t number : {1, 2}) {
    const PackageTrust trust({{SignatureLevel::Require,
                               {{keyNumber(number).publicKey(), ""}},
                               "test",
                               "do not"}});
    EXPECT_TRUE(trust.check(*table).ok()) << trust.check(*table).text();
  }
}
