// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artifacts in packages: what the writer adds the reader finds, and an index that is
// wrong behind right digests is refused.

#include "GoldenPackages.h"
#include "Reseal.h"

#include "het/Package/Package.h"
#include "het/Package/PackageWriter.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

namespace {

const ArtifactKind plain = {"host", "x86-64-v3", "", "v1"};
const ArtifactKind movable = {"host", "x86-64-v3", "parkable", "v1"};

/// A package of the kernels `a` and `b`; artifacts are added by `add`.
template <typename Add> Bytes packageWith(Add add) {
  PackageWriter writer("artifacts");
  for (const char *name : {"b", "a"}) {
    KernelInfo kernel;
    kernel.name = name;
    EXPECT_TRUE(writer.addKernel(kernel, sampleCode(*name, 50)).ok());
  }
  add(writer);
  Result<Bytes> bytes = writer.finish();
  EXPECT_TRUE(bytes.ok()) << bytes.status().text();
  return bytes.ok() ? bytes.take() : Bytes();
}

Result<Package> open(const Bytes &bytes) { return Package::open(bytes, "p.hetpkg"); }

Status verify(const Bytes &bytes) {
  Result<Package> package = open(bytes);
  return package.ok() ? package->verify() : package.status();
}

/// Where the section of that type begins.
size_t offsetOf(const Bytes &bytes, const char *type) {
  Result<Package> package = open(bytes);
  for (uint32_t i = 0; i < package->sectionCount(); ++i)
    if (package->section(i).typeName == type)
      return static_cast<size_t>(package->section(i).offset);
  ADD_FAILURE() << "no section " << type;
  return 0;
}

} // namespace

TEST(Artifacts, AreFoundAgain) {
  const Bytes code = sampleCode(3, 5000);
  const Bytes bytes = packageWith([&](PackageWriter &writer) {
    EXPECT_TRUE(writer.addArtifact(movable, "b", sampleCode(4, 10)).ok());
    EXPECT_TRUE(writer.addArtifact(plain, "b", sampleCode(5, 10)).ok());
    EXPECT_TRUE(writer.addArtifact(plain, "b", code).ok()) << "in place of the other";
  });
  EXPECT_TRUE(verify(bytes).ok()) << verify(bytes).text();
  Result<Package> package = open(bytes);
  EXPECT_TRUE(package->hasArtifacts());
  Result<std::vector<PackageLowering>> all = package->lowerings();
  ASSERT_TRUE(all.ok()) << all.status().text();
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[0].kind, plain);
  EXPECT_EQ((*all)[1].kind, movable);
  const uint32_t a = *package->findKernel("a"), b = *package->findKernel("b");
  EXPECT_EQ((*all)[0].find(a), nullptr);
  const ArtifactEntry *found = (*all)[0].find(b);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->code, *package->codeDigest(b));
  EXPECT_EQ(*package->artifact(*found), code);
}

TEST(Artifacts, OrderDoesNotMatter) {
  const Bytes one = packageWith([](PackageWriter &writer) {
    EXPECT_TRUE(writer.addArtifact(plain, "a", sampleCode(1, 10)).ok());
    EXPECT_TRUE(writer.addArtifact(movable, "b", sampleCode(2, 10)).ok());
  });
  const Bytes two = packageWith([](PackageWriter &writer) {
    EXPECT_TRUE(writer.addArtifact(movable, "b", sampleCode(2, 10)).ok());
    EXPECT_TRUE(writer.addArtifact(plain, "a", sampleCode(1, 10)).ok());
  });
  EXPECT_EQ(one, two);
}

TEST(Artifacts, APackageHasNone) {
  const Bytes bytes = packageWith([](PackageWriter &) {});
  EXPECT_FALSE(open(bytes)->hasArtifacts());
  EXPECT_TRUE(open(bytes)->lowerings()->empty());
}

TEST(Artifacts, TheWriterRefusesWhatReadersWould) {
  PackageWriter writer("artifacts");
  EXPECT_EQ(writer.addArtifact({"", "x", "", "v"}, "a", sampleCode(1, 1)).code,
            Code::Invalid);
  EXPECT_EQ(writer.addArtifact({"host", "a\n", "", "v"}, "a", sampleCode(1, 1)).code,
            Code::Invalid);
  EXPECT_EQ(writer.addArtifact(plain, "a", {}).code, Code::Invalid);
  EXPECT_TRUE(writer.addArtifact(plain, "nobody", sampleCode(1, 1)).ok());
  Result<Bytes> bytes = writer.finish();
  ASSERT_FALSE(bytes.ok());
  EXPECT_NE(bytes.status().message.find("found kernel 'nobody'"), std::string::npos)
      << bytes.status().text();
}

TEST(Artifacts, ANewerIndexSaysWhatToDo) {
  Bytes bytes = goldenPrecompiled().bytes;
  bytes[offsetOf(bytes, "artifact index")] = 2;
  reseal(bytes);
  const Status status = verify(bytes);
  EXPECT_EQ(status.code, Code::Unsupported);
  EXPECT_NE(status.message.find("artifact index: version: found 2, expected 1; use a "),
            std::string::npos)
      << status.text();
  // Kernels can be lowered all the same.
  EXPECT_TRUE(open(bytes)->kernelCode(0).ok());
}

TEST(Artifacts, DamageIsNoCode) {
  Bytes bytes = goldenPrecompiled().bytes;
  bytes[offsetOf(bytes, "artifact")] ^= 1;
  Result<Package> package = open(bytes);
  ASSERT_TRUE(package.ok()) << "it is read when it is used";
  Result<Bytes> artifact = package->artifact((*package->lowerings())[0].entries[0]);
  ASSERT_FALSE(artifact.ok());
  EXPECT_NE(artifact.status().message.find("(artifact): SHA-256: found"),
            std::string::npos)
      << artifact.status().text();
}

TEST(Artifacts, AnIndexOutOfOrderIsRefused) {
  const Bytes golden = goldenPrecompiled().bytes;
  // The first kind's first entry: behind version, count, four texts and the count.
  const size_t entry =
      offsetOf(golden, "artifact index") + 8 + (4 + 4) + (4 + 9) + 4 + (4 + 16) + 4;
  struct {
    size_t offset;
    uint32_t value;
    const char *part;
  } changes[] = {{entry, 1, "found kernel 1 out of order"},
                 {entry, 9, "found kernel 9 out of order or range"},
                 {entry + 4, 0, "found section 0, expected rising numbers of artifacts"},
                 {entry + 4, 999, "found section 999"},
                 {entry + 8, 77, "found code of other hetIR"},
                 {entry - 4, 1000, "that do not form its records"}};
  for (const auto &change : changes) {
    Bytes bytes = golden;
    std::memcpy(bytes.data() + change.offset, &change.value, sizeof(change.value));
    reseal(bytes);
    exercise(bytes);
    const Status status = verify(bytes);
    ASSERT_FALSE(status.ok()) << change.part;
    EXPECT_NE(status.message.find(change.part), std::string::npos) << status.text();
  }
}
