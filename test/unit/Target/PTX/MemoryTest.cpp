// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the window, managed memory, pinned memory, peers.

#include "PTXDeviceTest.h"

#include <sys/mman.h>

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

class PTXMemoryTest : public PTXDeviceTest {
protected:
  void SetUp() override {
    PTX_NEEDS_WINDOW();
    PTXDeviceTest::SetUp();
    fake->deviceCount = 2;
    openDevice();
  }
};

TEST_F(PTXMemoryTest, TexturesAreTheDrivers) {
  HetTexture texture = {};
  texture.base = 0x1000, texture.pitch = 256, texture.width = 64, texture.rows = 4;
  texture.bits = 32, texture.channels = 1, texture.kind = HET_TEXTURE_FLOAT;
  uint64_t handle = 0;
  PTX_OK(abi->createTexture(device, &texture, &handle, &status));
  EXPECT_NE(handle, 0u);
  EXPECT_EQ(fake->alive(), "1 context, 1 stream, 1 event, 1 texture");
  abi->destroyTexture(device, handle);
  texture.pitch = 60; // which the unit can not have
  EXPECT_EQ(abi->createTexture(device, &texture, &handle, &status), HET_UNSUPPORTED);
  texture.rows = 0; // a line has none
  PTX_OK(abi->createTexture(device, &texture, &handle, &status));
  abi->destroyTexture(device, handle);
  EXPECT_EQ(fake->alive(), "1 context, 1 stream, 1 event");
}

TEST_F(PTXMemoryTest, LiesWhereItIsAskedFor) {
  PTX_OK(abi->mapMemory(device, windowAddress, granule, &status));
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("cuMemAddressReserve", "cuMemCreate", "cuMemMap",
                          "cuMemRelease", "cuMemSetAccess"));
  uint32_t value = 17, back = 0;
  PTX_OK(abi->enqueueCopy(queue, windowAddress, addressOf(&value), 4, &status));
  PTX_OK(abi->enqueueCopy(queue, addressOf(&back), windowAddress, 4, &status));
  abi->synchronize(queue);
  EXPECT_EQ(back, 17u);
  fake->takeCalls();
  PTX_OK(abi->unmapMemory(device, windowAddress, granule, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuMemUnmap"));
  // The addresses can be used again.
  PTX_OK(abi->mapMemory(device, windowAddress, 2 * granule, &status));
  PTX_OK(abi->unmapMemory(device, windowAddress, 2 * granule, &status));
}

TEST_F(PTXMemoryTest, AddressesAreTaken) {
  void *taken = mmap(reinterpret_cast<void *>(windowAddress + granule), 4096,
                     PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_NE(taken, MAP_FAILED);
  *static_cast<int *>(taken) = 5;
  EXPECT_EQ(abi->mapMemory(device, windowAddress, granule, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("something of the process lies there"));
  EXPECT_EQ(*static_cast<int *>(taken), 5);
  munmap(taken, 4096);
}

TEST_F(PTXMemoryTest, OutOfMemory) {
  EXPECT_EQ(abi->mapMemory(device, windowAddress, 2 * fake->memoryBytes, &status),
            HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("found 1073741824 bytes free of 1073741824, "
                                   "expected 2147483648 bytes"));
  uint64_t address = 0;
  EXPECT_EQ(abi->allocateManaged(device, 2 * fake->memoryBytes, &address, &status),
            HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("managed memory: found 1073741824 bytes free"));
}

TEST_F(PTXMemoryTest, OverlapFailsAndLeavesWhatIsThere) {
  PTX_OK(abi->mapMemory(device, windowAddress, granule, &status));
  *reinterpret_cast<int *>(windowAddress) = 3;
  EXPECT_EQ(abi->mapMemory(device, windowAddress, granule, &status), HET_UNAVAILABLE);
  EXPECT_EQ(*reinterpret_cast<int *>(windowAddress), 3);
  PTX_OK(abi->unmapMemory(device, windowAddress, granule, &status));
  EXPECT_EQ(abi->unmapMemory(device, windowAddress, granule, &status), HET_INVALID);
}

TEST_F(PTXMemoryTest, Managed) {
  uint64_t address = 0;
  PTX_OK(abi->allocateManaged(device, 4096, &address, &status));
  *reinterpret_cast<int *>(address) = 3;
  PTX_OK(abi->freeManaged(device, address, &status));
  EXPECT_EQ(abi->freeManaged(device, address, &status), HET_INVALID);
}

TEST_F(PTXMemoryTest, Pinned) {
  std::vector<char> memory(8192);
  const uint64_t address = addressOf(memory.data());
  PTX_OK(abi->pinMemory(device, address, 4096, &status));
  EXPECT_EQ(abi->pinMemory(device, address + 100, 4096, &status), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("pinned already"));
  PTX_OK(abi->unpinMemory(device, address, &status));
  EXPECT_EQ(abi->unpinMemory(device, address, &status), HET_INVALID);
}

TEST_F(PTXMemoryTest, PinnedElsewhere) {
  fake->pinsElsewhere = true;
  char memory[64];
  EXPECT_EQ(abi->pinMemory(device, addressOf(memory), sizeof(memory), &status),
            HET_UNSUPPORTED);
  EXPECT_THAT(message(), HasSubstr("expected the same address"));
}

TEST_F(PTXMemoryTest, PeersReachWhatIsThereAndWhatComes) {
  PTX_OK(abi->mapMemory(device, windowAddress, granule, &status));
  EXPECT_THAT(fake->reaching(windowAddress), ElementsAre(10));
  HetDevice *other = nullptr;
  PTX_OK(abi->open(1, &other, &status));
  EXPECT_THAT(fake->reaching(windowAddress), ElementsAre(10, 11));
  PTX_OK(abi->mapMemory(device, windowAddress + granule, granule, &status));
  EXPECT_THAT(fake->reaching(windowAddress + granule), ElementsAre(10, 11));
  PTX_OK(abi->mapMemory(other, otherWindow, granule, &status));
  EXPECT_THAT(fake->reaching(otherWindow), ElementsAre(10, 11));
  PTX_OK(abi->unmapMemory(other, otherWindow, granule, &status));
  abi->close(other);
  PTX_OK(abi->mapMemory(device, windowAddress + 2 * granule, granule, &status));
  EXPECT_THAT(fake->reaching(windowAddress + 2 * granule), ElementsAre(10));
  for (int i = 0; i < 3; ++i)
    PTX_OK(abi->unmapMemory(device, windowAddress + i * granule, granule, &status));
}

/// The driver reserves addresses for the process: memory moves between devices.
TEST_F(PTXMemoryTest, OneDeviceAfterTheOtherHasMemoryAtAnAddress) {
  HetDevice *other = nullptr;
  PTX_OK(abi->open(1, &other, &status));
  PTX_OK(abi->mapMemory(device, windowAddress, granule, &status));
  EXPECT_EQ(abi->mapMemory(other, windowAddress, granule, &status), HET_UNAVAILABLE);
  PTX_OK(abi->unmapMemory(device, windowAddress, granule, &status));
  PTX_OK(abi->mapMemory(other, windowAddress, granule, &status));
  EXPECT_THAT(fake->reaching(windowAddress), ElementsAre(10, 11));
  PTX_OK(abi->unmapMemory(other, windowAddress, granule, &status));
  fake->takeCalls();
  abi->close(other);
  EXPECT_THAT(fake->takeCalls(), Not(Contains("cuMemAddressFree")));
  PTX_OK(abi->mapMemory(device, windowAddress, granule, &status));
  PTX_OK(abi->unmapMemory(device, windowAddress, granule, &status));
}

TEST_F(PTXMemoryTest, PeersThatCanNot) {
  fake->peersReach = false;
  HetDevice *other = nullptr;
  PTX_OK(abi->open(1, &other, &status));
  PTX_OK(abi->mapMemory(device, windowAddress, granule, &status));
  EXPECT_THAT(fake->reaching(windowAddress), ElementsAre(10));
  PTX_OK(abi->unmapMemory(device, windowAddress, granule, &status));
  abi->close(other);
}

TEST_F(PTXMemoryTest, PeerThatRefusesIsLeftOut) {
  HetDevice *other = nullptr;
  PTX_OK(abi->open(1, &other, &status));
  fake->failures["cuMemSetAccess"] = {2, CUDA_ERROR_OUT_OF_MEMORY};
  PTX_OK(abi->mapMemory(device, windowAddress, granule, &status));
  EXPECT_THAT(fake->reaching(windowAddress), ElementsAre(10));
  PTX_OK(abi->unmapMemory(device, windowAddress, granule, &status));
  abi->close(other);
}

} // namespace
