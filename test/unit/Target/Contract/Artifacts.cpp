// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artifacts: which are taken, and what is known of them.

#include "Contract.h"

namespace het::contract {
namespace {

class Artifacts : public LaunchTest {
protected:
  void expectRefusal(const Bytes &bytes, const std::vector<uint64_t> &variables = {}) {
    HetArtifact *loaded = nullptr;
    CONTRACT_FAILS(HET_INVALID, tryLoad(bytes, loaded, variables));
    EXPECT_EQ(loaded, nullptr);
  }
};

TEST_F(Artifacts, AreLoadedAgain) {
  for (int round = 0; round < 3; ++round)
    unload(load("store"));
}

TEST_F(Artifacts, AreLoadedTwiceAtOnce) {
  HetArtifact *first = load("store"), *second = load("store");
  EXPECT_NE(first, second);
  unload(first);
}

TEST_F(Artifacts, WhatIsNoneIsRefused) {
  expectRefusal({});
  expectRefusal({1, 2, 3});
  expectRefusal(Bytes(4096, 0));
  const std::string text = "this is the artifact of another target";
  expectRefusal(Bytes(text.begin(), text.end()));
  Bytes changed = artifactOf("store");
  for (size_t i = 0; i < 16 && i < changed.size(); ++i)
    changed[i] ^= 0xFF;
  expectRefusal(changed);
}

TEST_F(Artifacts, TakeTheVariablesOfTheirKernel) {
  const uint64_t memory = allocate(4096);
  load("variable", {memory});
  const Bytes bytes = artifactOf("variable");
  expectRefusal(bytes);
  expectRefusal(bytes, {memory, memory});
}

TEST_F(Artifacts, AreDescribed) {
  if (!abi->describeArtifact)
    GTEST_SKIP() << "nothing is known of them";
  HetArtifactInfo info = {};
  CONTRACT_OK(abi->describeArtifact(load("store"), &info, &status));
  EXPECT_LE(info.maxThreadsPerBlock, facts.maxThreadsPerBlock);
  EXPECT_EQ(info.reserved, 0u);
}

TEST_F(Artifacts, SayHowManyBlocksFit) {
  if (!abi->residentBlocks)
    GTEST_SKIP() << "the runtime estimates it";
  HetArtifact *artifact = load("store");
  uint32_t few = 0, many = 0;
  CONTRACT_OK(abi->residentBlocks(artifact, facts.maxThreadsPerBlock, 0, &few, &status));
  CONTRACT_OK(abi->residentBlocks(artifact, 32, 0, &many, &status));
  EXPECT_GE(few, 1u);
  EXPECT_GE(many, few);
}

} // namespace
} // namespace het::contract
