// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was written is what is read.

#include "GoldenPackages.h"

#include "het/Package/Package.h"

#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

namespace {
/// An open golden package with the bytes that it borrows.
struct Opened {
  explicit Opened(GoldenPackage golden)
      : bytes(std::move(golden.bytes)), since(golden.since),
        result(Package::open(bytes, golden.name + ".hetpkg")) {
    EXPECT_TRUE(result.ok()) << result.status().text();
  }
  const Package &operator*() const { return *result; }
  const Package *operator->() const { return &*result; }

  Bytes bytes;
  std::string since;
  Result<Package> result;
};
} // namespace

TEST(RoundTrip, AllGoldenPackagesVerify) {
  for (GoldenPackage &golden : goldenPackages()) {
    Opened package(std::move(golden));
    EXPECT_TRUE(package->verify().ok()) << package->verify().text();
    EXPECT_EQ(package->totalSize(), package.bytes.size());
    EXPECT_EQ(*Package::sizeOf(package.bytes.data()), package.bytes.size());
    EXPECT_EQ(package->versionMajor(), 1);
    EXPECT_EQ("1." + std::to_string(package->versionMinor()), package.since);
  }
}

TEST(RoundTrip, KernelAttributes) {
  Opened package(goldenAttributes());
  const uint32_t architectures[] = {75, defaultArchitecture, 86};
  for (uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(package->kernel(i)->architecture, architectures[i]);
}

TEST(RoundTrip, Kernel) {
  Opened package(goldenVariables());
  EXPECT_EQ(package->producer(), "golden 2");
  ASSERT_EQ(package->kernelCount(), 3u);
  Result<uint32_t> index = package->findKernel("reduce");
  ASSERT_TRUE(index.ok());
  Result<KernelInfo> kernel = package->kernel(*index);
  ASSERT_TRUE(kernel.ok());
  EXPECT_EQ(kernel->name, "reduce");
  EXPECT_EQ(kernel->displayName, "reduce(int*)");
  ASSERT_EQ(kernel->parameters.size(), 3u);
  EXPECT_EQ(kernel->parameters[2].offset, 12u);
  EXPECT_EQ(kernel->parameters[2].size, 12u);
  EXPECT_EQ(kernel->parameters[2].alignment, 4u);
  EXPECT_EQ(kernel->staticSharedBytes, 1024u);
  EXPECT_TRUE(kernel->dynamicShared);
  EXPECT_FALSE(kernel->cooperative);
  EXPECT_EQ(kernel->maxThreadsPerBlock, 256u);
  EXPECT_EQ(kernel->minBlocksPerMultiprocessor, 2u);
  EXPECT_EQ(kernel->capabilities, (std::vector<std::string>{"float64", "int64-atomics"}));
  ASSERT_EQ(kernel->safePoints.size(), 3u);
  EXPECT_EQ(kernel->safePoints[1].id, 1u);
  EXPECT_EQ(kernel->safePoints[1].reason, SafePointReason::Barrier);
  EXPECT_EQ(kernel->safePoints[1].slots, 2u);
  EXPECT_EQ(kernel->safePoints[1].location, "reduce.cu:7:3");
  ASSERT_EQ(kernel->slots.size(), 4u);
  EXPECT_EQ(kernel->slots[1].id, 1u);
  EXPECT_EQ(kernel->slots[1].size, 8u);
  EXPECT_EQ(kernel->slots[1].alignment, 8u);
  EXPECT_EQ(kernel->slots[1].level, SlotLevel::Block);
  EXPECT_EQ(kernel->localBytes, 64u);
  EXPECT_EQ(kernel->variables, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(kernel->unparkable, "");
  EXPECT_EQ(*package->kernelCode(*index), sampleCode(2, 300));
}

TEST(RoundTrip, FlagsAndReasons) {
  Opened package(goldenVariables());
  Result<KernelInfo> kernel = package->kernel(*package->findKernel("grid_reduce"));
  ASSERT_TRUE(kernel.ok());
  EXPECT_TRUE(kernel->cooperative);
  EXPECT_FALSE(kernel->dynamicShared);
  EXPECT_EQ(kernel->unparkable, "it waits on a lock");
  EXPECT_TRUE(kernel->parameters.empty());
}

TEST(RoundTrip, IdenticalCodeIsShared) {
  Opened package(goldenVariables());
  uint32_t one = *package->findKernel("reduce");
  uint32_t two = *package->findKernel("grid_reduce");
  uint32_t other = *package->findKernel("tiny");
  EXPECT_EQ(package->kernel(one)->section, package->kernel(two)->section);
  EXPECT_EQ(*package->codeDigest(one), *package->codeDigest(two));
  EXPECT_NE(*package->codeDigest(one), *package->codeDigest(other));
}

TEST(RoundTrip, Variables) {
  Opened package(goldenVariables());
  Result<std::vector<VariableInfo>> variables = package->variables();
  ASSERT_TRUE(variables.ok());
  ASSERT_EQ(variables->size(), 3u);
  const VariableInfo &table = (*variables)[0];
  EXPECT_EQ(table.name, "table");
  EXPECT_EQ(table.size, 24u);
  EXPECT_EQ(table.alignment, 8u);
  EXPECT_EQ(table.kind, VariableKind::Constant);
  EXPECT_TRUE(table.external);
  EXPECT_EQ(table.initial, Bytes(24, 0x5a));
  ASSERT_EQ(table.relocations.size(), 2u);
  EXPECT_EQ(table.relocations[1].offset, 16u);
  EXPECT_EQ(table.relocations[1].variable, 2u);
  EXPECT_EQ(table.relocations[1].addend, -8);
  EXPECT_TRUE((*variables)[1].initial.empty());
  EXPECT_FALSE((*variables)[1].external);
  EXPECT_EQ((*variables)[2].kind, VariableKind::Managed);
  EXPECT_EQ((*variables)[2].alignment, 256u);
  EXPECT_EQ((*variables)[2].initial, Bytes(4096, 1));
}

// Packages that were made before hold these numbers.
TEST(RoundTrip, KernelsHaveTheNumbersOfTheirNames) {
  EXPECT_EQ(kernelNumber("_Z5childPi"), 18291362817611710775u);
  EXPECT_NE(kernelNumber("_Z5childPj"), kernelNumber("_Z5childPi"));
}

TEST(RoundTrip, DebugInfo) {
  Opened package(goldenVariables());
  Result<std::vector<Bytes>> info = package->debugInfo();
  ASSERT_TRUE(info.ok());
  ASSERT_EQ(info->size(), 1u);
  EXPECT_EQ(ByteView(info->front()).text(), "lines");
}

TEST(RoundTrip, KernelsComeInTheOrderOfTheirNames) {
  Opened package(goldenPages());
  Result<std::vector<KernelInfo>> kernels = package->kernels();
  ASSERT_TRUE(kernels.ok());
  ASSERT_EQ(kernels->size(), 33u);
  for (uint32_t i = 0; i < kernels->size(); ++i) {
    if (i > 0)
      EXPECT_LT((*kernels)[i - 1].name, (*kernels)[i].name);
    EXPECT_EQ(*package->findKernel((*kernels)[i].name), i);
    EXPECT_EQ(package->kernel(i)->name, (*kernels)[i].name);
  }
}

TEST(RoundTrip, MissingKernelIsNamed) {
  Opened package(goldenPlain());
  Result<uint32_t> index = package->findKernel("nothing");
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.status().code, Code::Unavailable);
  EXPECT_NE(index.status().text().find("'nothing'"), std::string::npos);
  EXPECT_NE(index.status().text().find("plain.hetpkg"), std::string::npos);
  EXPECT_FALSE(package->kernel(1).ok());
  EXPECT_FALSE(package->kernelCode(UINT32_MAX).ok());
}
