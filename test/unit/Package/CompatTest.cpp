// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages frozen when their format version was released load in every later
// version and say what they said then.

#include "GoldenPackages.h"

#include "het/Base/File.h"
#include "het/Package/Package.h"

#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

TEST(Compat, FrozenPackagesSayWhatTheySaid) {
  for (const GoldenPackage &golden : goldenPackages()) {
    std::string path = std::string(HET_COMPAT_DIR "/hetpkg-") + golden.since + "/" +
                       golden.name + ".hetpkg";
    Result<Bytes> bytes = readFile(path);
    ASSERT_TRUE(bytes.ok()) << bytes.status().text();
    Result<Package> frozen = Package::open(*bytes, path);
    Result<Package> built = Package::open(golden.bytes, golden.name);
    ASSERT_TRUE(frozen.ok()) << frozen.status().text();
    ASSERT_TRUE(built.ok());
    EXPECT_TRUE(frozen->verify().ok()) << frozen->verify().text();
    EXPECT_EQ(frozen->producer(), built->producer());
    ASSERT_EQ(frozen->kernelCount(), built->kernelCount());
    for (uint32_t i = 0; i < built->kernelCount(); ++i) {
      EXPECT_EQ(frozen->kernel(i)->name, built->kernel(i)->name);
      EXPECT_EQ(*frozen->kernelCode(i), *built->kernelCode(i));
    }
    Result<std::vector<PackageLowering>> oldArtifacts = frozen->lowerings();
    Result<std::vector<PackageLowering>> artifacts = built->lowerings();
    ASSERT_TRUE(oldArtifacts.ok()) << oldArtifacts.status().text();
    ASSERT_EQ(oldArtifacts->size(), artifacts->size());
    for (size_t i = 0; i < artifacts->size(); ++i) {
      EXPECT_EQ((*oldArtifacts)[i].kind, (*artifacts)[i].kind);
      ASSERT_EQ((*oldArtifacts)[i].entries.size(), (*artifacts)[i].entries.size());
      for (size_t k = 0; k < (*artifacts)[i].entries.size(); ++k)
        EXPECT_EQ(*frozen->artifact((*oldArtifacts)[i].entries[k]),
                  *built->artifact((*artifacts)[i].entries[k]));
    }
    Result<std::vector<VariableInfo>> was = frozen->variables();
    Result<std::vector<VariableInfo>> is = built->variables();
    ASSERT_EQ(was->size(), is->size());
    for (size_t i = 0; i < is->size(); ++i) {
      EXPECT_EQ((*was)[i].name, (*is)[i].name);
      EXPECT_EQ((*was)[i].initial, (*is)[i].initial);
    }
  }
}
