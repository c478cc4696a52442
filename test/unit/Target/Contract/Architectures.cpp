// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering ahead of time: names of architectures, which of them the device runs, and the
// code in artifacts.

#include "Contract.h"

#include <cstring>

namespace het::contract {
namespace {

class Architectures : public LaunchTest {
protected:
  void SetUp() override {
    LaunchTest::SetUp();
    if (!IsSkipped() && !lowering->findArch)
      GTEST_SKIP() << "the target has no names for architectures";
  }

  /// One that a user may name: the target's usual one, or the device's.
  HetArchitecture named() {
    HetArchitecture found = {};
    if (lowering->findArch("", &found, &status) != HET_OK) {
      expectReason(HET_INVALID);
      EXPECT_EQ(lowering->findArch(facts.arch, &found, &status), HET_OK)
          << status.message;
    }
    return found;
  }

  Bytes extracted(const Bytes &artifact) {
    HetLowering code = {};
    EXPECT_EQ(lowering->extractCode(artifact.data(), artifact.size(), &code, &status),
              HET_OK)
        << status.message;
    Bytes bytes(code.data, code.data + code.size);
    lowering->release(&code);
    return bytes;
  }
};

TEST_F(Architectures, HaveOneSpelling) {
  const HetArchitecture found = named();
  EXPECT_STRNE(found.arch, "");
  EXPECT_EQ(found.suffix[0], '.');
  HetArchitecture again = {};
  CONTRACT_OK(lowering->findArch(found.arch, &again, &status));
  EXPECT_STREQ(again.arch, found.arch);
  EXPECT_STREQ(again.suffix, found.suffix);
}

TEST_F(Architectures, AreRefusedByName) {
  HetArchitecture found = {};
  EXPECT_EQ(lowering->findArch("nonsense", &found, &status), HET_INVALID);
  EXPECT_NE(std::string(status.message).find("nonsense"), std::string::npos)
      << status.message;
  expectReason(HET_INVALID);
  if (!abi->rankArch)
    return;
  for (const char *arch : {"nonsense", "", ";", "+"}) {
    uint32_t rank = 7;
    CONTRACT_FAILS(HET_UNSUPPORTED, abi->rankArch(device, arch, &rank, &status));
    EXPECT_EQ(rank, 0u);
  }
}

/// The device runs what it says it runs, with the results of its own code.
TEST_F(Architectures, RunWhereTheDeviceSaysSo) {
  const HetArchitecture found = named();
  ASSERT_LT(std::strlen(found.arch), sizeof(facts.arch));
  uint32_t rank = 0;
  const bool isRun = abi->rankArch
                         ? abi->rankArch(device, found.arch, &rank, &status) == HET_OK
                         : !std::strcmp(found.arch, facts.arch);
  if (abi->rankArch) {
    EXPECT_EQ(rank > 0, isRun);
    if (!isRun)
      expectReason(HET_UNSUPPORTED);
  }
  std::strcpy(facts.arch, found.arch); // of what is lowered from here on
  Bytes artifact;
  CONTRACT_OK(lower("store", "", artifact));
  if (!isRun || !can(Capability::RunsCode))
    GTEST_SKIP() << "the device runs no code for " << found.arch << ": "
                 << status.message;
  const uint64_t memory = allocate(4096);
  launch(queue, shape(load("store"), 1, 1), StoreArguments{memory, 42});
  EXPECT_EQ(read<uint32_t>(memory, 1)[0], 42u);
  expectNoFault();
}

TEST_F(Architectures, CodeIsExtracted) {
  Bytes artifact;
  CONTRACT_OK(lower("store", "", artifact));
  const Bytes code = extracted(artifact);
  EXPECT_FALSE(code.empty());
  artifact.resize(artifact.size() / 2);
  HetLowering out = {};
  for (const Bytes &damaged : {artifact, Bytes{1, 2, 3}, Bytes()}) {
    if (lowering->extractCode(damaged.data(), damaged.size(), &out, &status) == HET_OK)
      lowering->release(&out); // an artifact without a header of its own
    else
      expectReason(HET_INVALID);
  }
}

} // namespace
} // namespace het::contract
