// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The null target does everything but run kernels.

#include "TargetTest.h"

#include "Null/Artifact.h"

#include <vector>

namespace {

class NullTest : public TargetTest {
protected:
  void SetUp() override { openTarget("null"); }

  /// An artifact without code.
  het::Bytes empty() {
    HetNullArtifact head = {};
    head.magic = HET_NULL_MAGIC;
    const auto *bytes = reinterpret_cast<const uint8_t *>(&head);
    return het::Bytes(bytes, bytes + sizeof(head));
  }
};

TEST_F(NullTest, LaunchFailsAndSaysWhy) {
  het::Bytes bytes = empty();
  TARGET_OK(abi->loadArtifact(device, bytes.data(), bytes.size(), nullptr, 0, &artifact,
                              &status));
  HetLaunch launch = shape(1, 32);
  EXPECT_EQ(abi->enqueueLaunch(queue, &launch, &status), HET_UNSUPPORTED);
  EXPECT_NE(std::string(status.message).find("runs no kernels"), std::string::npos);
  EXPECT_EQ(abi->fault(device, &status), HET_FAULT_NONE);
}

TEST_F(NullTest, RefusesForeignArtifacts) {
  het::Bytes bytes = empty();
  bytes[0] ^= 1;
  EXPECT_EQ(abi->loadArtifact(device, bytes.data(), bytes.size(), nullptr, 0, &artifact,
                              &status),
            HET_INVALID);
  EXPECT_EQ(abi->loadArtifact(device, bytes.data(), 3, nullptr, 0, &artifact, &status),
            HET_INVALID);
}

TEST_F(NullTest, RefusesArtifactsThatAreCutOff) {
  het::Bytes bytes = empty();
  bytes.push_back(0);
  EXPECT_EQ(abi->loadArtifact(device, bytes.data(), bytes.size(), nullptr, 0, &artifact,
                              &status),
            HET_INVALID);
}

TEST_F(NullTest, LoweringRefusesWhatIsNotHetIR) {
  const uint8_t code[] = {1, 2, 3};
  HetLowerRequest request = {code, sizeof(code), "kernel", "null", "", ""};
  het::Result<het::Bytes> lowered = target->lower(request);
  ASSERT_FALSE(lowered.ok());
  EXPECT_FALSE(lowered.status().text().empty());
}

TEST_F(NullTest, MemoryHoldsWhatIsCopied) {
  const uint64_t address = 0x1200000000;
  HetDeviceProperties facts;
  TARGET_OK(abi->properties(device, &facts, &status));
  TARGET_OK(abi->mapMemory(device, address, facts.memoryGranularity, &status));
  std::vector<int> in = {1, 2, 3, 4}, out(4);
  auto bytes = [](const void *p) { return reinterpret_cast<uint64_t>(p); };
  TARGET_OK(abi->enqueueCopy(queue, address, bytes(in.data()), 16, &status));
  TARGET_OK(abi->enqueueFill(queue, address + 4, 0x01020304, 4, 4, &status));
  TARGET_OK(abi->enqueueCopy(queue, bytes(out.data()), address, 16, &status));
  abi->synchronize(queue);
  EXPECT_EQ(out, (std::vector<int>{1, 0x01020304, 3, 4}));
  EXPECT_NE(abi->mapMemory(device, address, facts.memoryGranularity, &status), HET_OK);
  TARGET_OK(abi->unmapMemory(device, address, facts.memoryGranularity, &status));
}

} // namespace
