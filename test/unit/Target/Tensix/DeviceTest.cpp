// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device plug-in by its table, on the tile model: memory, copies, refusals. Kernels
// run on it in the conformance suite.

#include "LoweringVersion.h"
#include "TargetTest.h"
#include "Tensix/TensixABI.h"

#include <cstring>

namespace {

constexpr uint64_t window = 0x100000000000, granule = 1 << 20;

class TensixDevice : public TargetTest {
protected:
  void SetUp() override {
    setenv("HET_TTSIM_LIBRARY", HET_TEST_TILE_MODEL, 1);
    openTarget("tensix");
  }

  void copy(uint64_t to, uint64_t from, size_t size) {
    TARGET_OK(abi->enqueueCopy(queue, to, from, size, &status));
    abi->synchronize(queue);
  }

  /// An artifact whose image is never run.
  int32_t loadHeader(HetTensixArtifact header, size_t imageBytes) {
    header.nameBytes = 6;
    std::vector<uint8_t> bytes(sizeof(header) + 6 + imageBytes);
    std::memcpy(bytes.data(), &header, sizeof(header));
    std::memcpy(bytes.data() + sizeof(header), "kernel", 6);
    return abi->loadArtifact(device, bytes.data(), bytes.size(), nullptr, 0, &artifact,
                             &status);
  }

  static HetTensixArtifact header() {
    HetTensixArtifact header = {};
    header.magic = HET_TENSIX_MAGIC;
    header.imageBytes = 64;
    header.memoryBytes = 4096;
    return header;
  }
};

uint64_t addressOf(const void *memory) { return reinterpret_cast<uint64_t>(memory); }

TEST_F(TensixDevice, SaysWhatItIs) {
  HetDeviceProperties properties;
  TARGET_OK(abi->properties(device, &properties, &status));
  EXPECT_STREQ(properties.arch, "wormhole");
  EXPECT_STREQ(properties.loweringVersion, HET_LOWERING_VERSION);
  EXPECT_EQ(properties.processorCount, 64u);
  EXPECT_EQ(properties.sharesHostMemory, 0u);
  EXPECT_EQ(abi->fault(device, &status), HET_FAULT_NONE);
}

TEST_F(TensixDevice, IsOpenedOnce) {
  HetDevice *second = nullptr;
  EXPECT_EQ(abi->open(0, &second, &status), HET_UNAVAILABLE);
  EXPECT_NE(std::string(status.message).find("in use"), std::string::npos);
}

TEST_F(TensixDevice, CopiesBetweenHostAndChip) {
  // The second comes first, so that it does not lie behind the first on the chip.
  TARGET_OK(abi->mapMemory(device, window + granule, 2 * granule, &status));
  TARGET_OK(abi->mapMemory(device, window, granule, &status));
  std::vector<uint8_t> bytes(2 * granule + 77), back(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = i * 7 + (i >> 9);
  copy(window + 13, addressOf(bytes.data()), bytes.size());
  copy(window + granule - 5, window + 13, 1000); // between two ranges of the chip
  copy(addressOf(back.data()), window + granule - 5, 1000);
  EXPECT_TRUE(std::equal(back.begin(), back.begin() + 1000, bytes.begin()));
  copy(addressOf(back.data()), window + granule, 1000); // the second from its beginning
  EXPECT_TRUE(std::equal(back.begin(), back.begin() + 995, bytes.begin() + 5));
  TARGET_OK(abi->enqueueFill(queue, window + 2, 0xBEEF, 2, 1002, &status));
  copy(addressOf(back.data()), window, 1006);
  EXPECT_EQ(back[2], 0xEF);
  EXPECT_EQ(back[1003], 0xBE);
  EXPECT_NE(back[1004], 0xEF);
  TARGET_OK(abi->unmapMemory(device, window, granule, &status));
  TARGET_OK(abi->unmapMemory(device, window + granule, 2 * granule, &status));
}

TEST_F(TensixDevice, MapsNothingTwice) {
  TARGET_OK(abi->mapMemory(device, window, 2 * granule, &status));
  EXPECT_EQ(abi->mapMemory(device, window + granule, granule, &status), HET_UNAVAILABLE);
  EXPECT_EQ(abi->mapMemory(device, window + 8 * granule, uint64_t(64) << 30, &status),
            HET_UNAVAILABLE);
  EXPECT_EQ(abi->unmapMemory(device, window + granule, granule, &status), HET_INVALID);
  TARGET_OK(abi->unmapMemory(device, window, 2 * granule, &status));
  TARGET_OK(abi->mapMemory(device, window + granule, granule, &status));
  TARGET_OK(abi->unmapMemory(device, window + granule, granule, &status));
}

TEST_F(TensixDevice, ManagedMemoryIsTheHosts) {
  uint64_t address = 0;
  TARGET_OK(abi->allocateManaged(device, 5000, &address, &status));
  std::memset(reinterpret_cast<void *>(address), 3, 5000);
  std::vector<uint8_t> back(5000);
  copy(addressOf(back.data()), address, 5000);
  EXPECT_EQ(back[4999], 3);
  TARGET_OK(abi->freeManaged(device, address, &status));
}

TEST_F(TensixDevice, RefusesWhatIsNoArtifact) {
  const std::vector<uint8_t> nothing(10);
  EXPECT_EQ(abi->loadArtifact(device, nothing.data(), nothing.size(), nullptr, 0,
                              &artifact, &status),
            HET_INVALID);
  HetTensixArtifact bad = header();
  bad.magic ^= 1;
  EXPECT_EQ(loadHeader(bad, 64), HET_INVALID);
  EXPECT_EQ(loadHeader(header(), 63), HET_INVALID);
  bad = header();
  bad.memoryBytes = 2 << 20;
  EXPECT_EQ(loadHeader(bad, 64), HET_INVALID);
  bad = header();
  bad.variableCount = 1;
  EXPECT_EQ(loadHeader(bad, 64), HET_INVALID);
}

TEST_F(TensixDevice, RefusesBlocksThatDoNotFitWithTheNumbers) {
  HetTensixArtifact large = header();
  large.staticSharedBytes = 100000;
  large.frameBytesPerThread = 2000;
  TARGET_OK(loadHeader(large, 64));
  uint32_t blocks = 1;
  TARGET_OK(abi->residentBlocks(artifact, 1024, 0, &blocks, &status));
  EXPECT_EQ(blocks, 0u);
  TARGET_OK(abi->residentBlocks(artifact, 64, 0, &blocks, &status));
  EXPECT_EQ(blocks, 6u);
  HetLaunch launch = shape(1, 1024);
  EXPECT_EQ(abi->enqueueLaunch(queue, &launch, &status), HET_UNSUPPORTED);
  EXPECT_NE(std::string(status.message).find("a block needs 2148224 bytes"),
            std::string::npos)
      << status.message;
  launch = shape(64 * 6 + 1, 64);
  launch.cooperative = 1;
  EXPECT_EQ(abi->enqueueLaunch(queue, &launch, &status), HET_INVALID);
  EXPECT_NE(std::string(status.message).find("expected at most 384"), std::string::npos)
      << status.message;
  launch = shape(65 * 4, 64);
  launch.cooperative = 1;
  launch.cluster[0] = 4; // of the six places of a core
  launch.cluster[1] = launch.cluster[2] = 1;
  EXPECT_EQ(abi->enqueueLaunch(queue, &launch, &status), HET_INVALID);
  EXPECT_NE(std::string(status.message)
                .find("expected at most 256: the blocks of a cluster, 4, share a core"),
            std::string::npos)
      << status.message;
}

TEST_F(TensixDevice, RefusesLimitsThatItCanNotHave) {
  EXPECT_EQ(abi->setLimit(device, HET_LIMIT_STACK, 1 << 20, &status), HET_INVALID);
  TARGET_OK(abi->setLimit(device, HET_LIMIT_STACK, 8 << 10, &status));
}

TEST(TensixProbe, SaysWhatIsMissing) {
  setenv("HET_TTSIM_LIBRARY", "/nowhere.so", 1);
  setenv("HET_TARGET_PATH", HET_TEST_TARGETS, 1);
  auto target = het::core::Target::open("tensix", "");
  ASSERT_TRUE(target.ok());
  auto opened = target.take();
  uint32_t count = 7;
  HetStatus status = {};
  EXPECT_EQ(opened->abi().probe(&count, &status), HET_UNAVAILABLE);
  EXPECT_EQ(count, 0u);
  EXPECT_NE(std::string(status.message).find("/nowhere.so"), std::string::npos);
  unsetenv("HET_TTSIM_LIBRARY");
  EXPECT_EQ(opened->abi().probe(&count, &status), HET_UNAVAILABLE);
  EXPECT_NE(std::string(status.message).find("HET_TTSIM_LIBRARY"), std::string::npos);
}

} // namespace
