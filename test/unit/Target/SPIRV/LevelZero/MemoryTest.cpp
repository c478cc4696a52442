// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory in the window, managed and pinned memory, copies and fills.

#include "LevelZeroTest.h"

#include <numeric>
#include <sys/mman.h>

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class LevelZeroMemoryTest : public LevelZeroTest {
protected:
  void SetUp() override {
    LevelZeroTest::SetUp();
    openDevice();
  }
  void copy(uint64_t to, uint64_t from, size_t size) {
    SPIRV_OK(abi->enqueueCopy(queue, to, from, size, &status));
    abi->synchronize(queue);
    EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
  }
};

TEST_F(LevelZeroMemoryTest, LiesWhereTheRuntimeSays) {
  SPIRV_OK(abi->mapMemory(device, zeWindow, zeGranule, &status));
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("zeVirtualMemQueryPageSize", "zeVirtualMemReserve",
                          "zePhysicalMemCreate", "zeVirtualMemMap"));
  EXPECT_EQ(fake->usedMemory, zeGranule);
  SPIRV_OK(abi->unmapMemory(device, zeWindow, zeGranule, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("zeVirtualMemUnmap", "zePhysicalMemDestroy",
                                             "zeVirtualMemFree"));
}

/// Drivers may want pages that grow with the size: then a range is made of pieces.
TEST_F(LevelZeroMemoryTest, ARangeMayBeOfPieces) {
  fake->pagesGrow = true;
  map(5 * zeGranule);
  EXPECT_THAT(fake->alive(), HasSubstr("reservation, mapping, reservation, mapping"));
  const uint64_t edge = zeWindow + 4 * zeGranule; // of 4 + 1 granules
  std::vector<uint32_t> words = {1, 2, 3, 4};
  copy(edge - 8, zeAddress(words.data()), 16);
  EXPECT_EQ(word(edge - 4), 2u);
  EXPECT_EQ(word(edge), 3u);
}

TEST_F(LevelZeroMemoryTest, PiecesAreAlignedAsTheirPagesAre) {
  fake->pagesGrow = true;
  const uint64_t odd = zeWindow + zeGranule;
  SPIRV_OK(abi->mapMemory(device, odd, 4 * zeGranule, &status));
  SPIRV_OK(abi->unmapMemory(device, odd, 4 * zeGranule, &status));
}

TEST_F(LevelZeroMemoryTest, LargeRangesKeepToTheLargestAllocation) {
  fake->maxMemory = 3 * zeGranule;
  closeAll();
  openDevice();
  map(8 * zeGranule);
  EXPECT_EQ(fake->usedMemory, 8 * zeGranule);
}

TEST_F(LevelZeroMemoryTest, WhatLiesInTheWindowStays) {
  void *wanted = reinterpret_cast<void *>(zeWindow);
  void *other = mmap(wanted, zeGranule, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(other, wanted);
  *static_cast<int *>(other) = 42;
  EXPECT_EQ(abi->mapMemory(device, zeWindow, zeGranule, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(), AllOf(HasSubstr("the addresses 0x580000000000 to"),
                               HasSubstr("instead; something of the process")));
  EXPECT_EQ(*static_cast<int *>(other), 42);
  munmap(other, zeGranule);
}

TEST_F(LevelZeroMemoryTest, NoMemoryIsLeft) {
  fake->totalMemory = 2 * zeGranule;
  EXPECT_EQ(abi->mapMemory(device, zeWindow, 4 * zeGranule, &status), HET_UNAVAILABLE);
  EXPECT_THAT(message(), AllOf(HasSubstr("memory of 8388608 bytes"),
                               HasSubstr("ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY")));
  EXPECT_EQ(fault(), HET_FAULT_NONE); // the device goes on
  map();
}

TEST_F(LevelZeroMemoryTest, OnlyWholeRangesAreGivenBack) {
  map(2 * zeGranule);
  EXPECT_EQ(abi->unmapMemory(device, zeWindow, zeGranule, &status), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("found no memory of 2097152 bytes"));
  EXPECT_EQ(abi->unmapMemory(device, zeWindow + zeGranule, zeGranule, &status),
            HET_INVALID);
}

/// The host's memory goes through memory that the device reaches.
TEST_F(LevelZeroMemoryTest, CopiesOfAnyMemory) {
  map(8 * zeGranule);
  const size_t size = 9 << 20; // more than is copied at a time
  std::vector<uint8_t> from(size), to(size);
  std::iota(from.begin(), from.end(), 7);
  copy(zeWindow, zeAddress(from.data()), size);
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("zeMemAllocHost", "zeCommandListAppendMemoryCopy",
                          "zeCommandListHostSynchronize", "zeCommandListAppendMemoryCopy",
                          "zeCommandListHostSynchronize", "zeCommandListAppendMemoryCopy",
                          "zeCommandListHostSynchronize"));
  copy(zeWindow + 3, zeWindow, 64);
  EXPECT_THAT(fake->takeCalls(), ElementsAre("zeCommandListAppendMemoryCopy",
                                             "zeCommandListHostSynchronize"));
  copy(zeAddress(to.data()), zeWindow, size);
  EXPECT_EQ(to[2], 9);
  EXPECT_EQ(to[3], 7);
  EXPECT_TRUE(std::equal(from.begin() + 67, from.end(), to.begin() + 67));
  copy(zeAddress(to.data()), zeAddress(from.data()), size);
  EXPECT_EQ(from, to);
}

/// Rows of 5 bytes, 8 apart on the host and 16 on the device, and back; one wait each.
TEST_F(LevelZeroMemoryTest, CopiesOfRows) {
  map();
  std::vector<uint8_t> from(24), to(24, 9);
  std::iota(from.begin(), from.end(), 1);
  SPIRV_OK(abi->enqueueFill(queue, zeWindow, 0, 4, 128, &status));
  SPIRV_OK(abi->enqueueCopyRows(queue, zeWindow, 16, zeAddress(from.data()), 8, 5, 3,
                                &status));
  abi->synchronize(queue);
  EXPECT_EQ(word(zeWindow), 0x04030201u);
  EXPECT_EQ(word(zeWindow + 4), 5u);
  EXPECT_EQ(word(zeWindow + 32), 0x14131211u);
  fake->takeCalls();
  SPIRV_OK(abi->enqueueCopyRows(queue, zeWindow + 64, 5, zeWindow, 16, 5, 3, &status));
  abi->synchronize(queue);
  EXPECT_THAT(fake->takeCalls(), ElementsAre("zeCommandListAppendMemoryCopy",
                                             "zeCommandListAppendMemoryCopy",
                                             "zeCommandListAppendMemoryCopy",
                                             "zeCommandListHostSynchronize"));
  SPIRV_OK(abi->enqueueCopyRows(queue, zeAddress(to.data()), 8, zeWindow + 64, 5, 5, 3,
                                &status));
  abi->synchronize(queue);
  EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
  for (size_t i = 0; i < to.size(); ++i)
    EXPECT_EQ(to[i], i % 8 < 5 ? from[i] : 9) << i;
}

TEST_F(LevelZeroMemoryTest, RowsLongerThanWhatIsCopiedAtATime) {
  map(16 * zeGranule);
  const size_t width = 5 << 20, pitch = 6 << 20;
  std::vector<uint8_t> from(2 * width), to(2 * width);
  std::iota(from.begin(), from.end(), 3);
  SPIRV_OK(abi->enqueueCopyRows(queue, zeWindow, pitch, zeAddress(from.data()), width,
                                width, 2, &status));
  SPIRV_OK(abi->enqueueCopyRows(queue, zeAddress(to.data()), width, zeWindow, pitch,
                                width, 2, &status));
  abi->synchronize(queue);
  EXPECT_EQ(fault(), HET_FAULT_NONE) << message();
  EXPECT_TRUE(from == to);
}

/// What is in the list already uses the memory, so it is waited for.
TEST_F(LevelZeroMemoryTest, ARowMayFail) {
  map();
  fake->failingCall = fake->callCount + 2;
  fake->result = 0x70000003;
  SPIRV_OK(abi->enqueueCopyRows(queue, zeWindow + 64, 5, zeWindow, 16, 5, 3, &status));
  abi->synchronize(queue);
  EXPECT_THAT(fake->takeCalls(), ElementsAre("zeCommandListAppendMemoryCopy",
                                             "zeCommandListAppendMemoryCopy",
                                             "zeCommandListHostSynchronize"));
  EXPECT_EQ(fault(), HET_FAULT_LOST);
  EXPECT_THAT(message(), AllOf(HasSubstr("copy of rows"),
                               HasSubstr("ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY")));
}

TEST_F(LevelZeroMemoryTest, CopiesOfNothing) {
  map();
  copy(zeWindow, zeWindow + 64, 0);
  SPIRV_OK(abi->enqueueCopyRows(queue, zeWindow, 8, zeWindow + 64, 8, 8, 0, &status));
  SPIRV_OK(abi->enqueueFill(queue, zeWindow, 1, 1, 0, &status));
  abi->synchronize(queue);
  EXPECT_THAT(fake->takeCalls(), ElementsAre());
}

TEST_F(LevelZeroMemoryTest, Fills) {
  map();
  SPIRV_OK(abi->enqueueFill(queue, zeWindow, 0x1234, 2, 8, &status));
  SPIRV_OK(abi->enqueueFill(queue, zeWindow + 8, 0xAB, 1, 4, &status));
  SPIRV_OK(abi->enqueueFill(queue, zeWindow + 12, 7, 4, 4, &status));
  uint32_t host = 0;
  SPIRV_OK(abi->enqueueFill(queue, zeAddress(&host), 9, 4, 4, &status));
  abi->synchronize(queue);
  EXPECT_EQ(word(zeWindow), 0x12341234u);
  EXPECT_EQ(word(zeWindow + 4), 0x12341234u);
  EXPECT_EQ(word(zeWindow + 8), 0xABABABABu);
  EXPECT_EQ(word(zeWindow + 12), 7u);
  EXPECT_EQ(host, 9u);
}

TEST_F(LevelZeroMemoryTest, ManagedMemory) {
  uint64_t address = 0;
  SPIRV_OK(abi->allocateManaged(device, 100, &address, &status));
  EXPECT_THAT(fake->alive(), HasSubstr("shared memory"));
  auto *memory = reinterpret_cast<uint32_t *>(address);
  SPIRV_OK(abi->enqueueFill(queue, address, 5, 4, 100, &status));
  abi->synchronize(queue);
  EXPECT_EQ(memory[24], 5u);
  EXPECT_EQ(abi->freeManaged(device, address + 4, &status), HET_INVALID);
  SPIRV_OK(abi->freeManaged(device, address, &status));
}

TEST_F(LevelZeroMemoryTest, ManagedMemoryOfTheHost) {
  fake->sharedMemory = 0;
  closeAll();
  openDevice();
  uint64_t address = 0;
  SPIRV_OK(abi->allocateManaged(device, 100, &address, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("zeMemAllocHost"));
  SPIRV_OK(abi->freeManaged(device, address, &status));
}

TEST_F(LevelZeroMemoryTest, PinnedMemoryIsReached) {
  map();
  alignas(4096) static uint8_t pages[2 * 4096];
  const uint64_t address = zeAddress(pages) + 100;
  SPIRV_OK(abi->pinMemory(device, address, 4096, &status));
  fake->takeCalls();
  pages[100] = 77;
  copy(zeWindow, address, 4);
  EXPECT_THAT(fake->takeCalls(), ElementsAre("zeCommandListAppendMemoryCopy",
                                             "zeCommandListHostSynchronize"));
  EXPECT_EQ(word(zeWindow), 77u);
  EXPECT_EQ(abi->unpinMemory(device, address + 1, &status), HET_INVALID);
  SPIRV_OK(abi->unpinMemory(device, address, &status));
}

TEST_F(LevelZeroMemoryTest, PagesArePinnedOnce) {
  alignas(4096) static uint8_t pages[3 * 4096];
  const uint64_t address = zeAddress(pages);
  SPIRV_OK(abi->pinMemory(device, address + 4000, 200, &status)); // of two pages
  EXPECT_EQ(abi->pinMemory(device, address + 4000, 200, &status), HET_INVALID);
  EXPECT_EQ(abi->pinMemory(device, address + 5000, 8, &status), HET_INVALID);
  EXPECT_EQ(abi->pinMemory(device, address, 8, &status), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("pinned already, wholly or in part"));
  SPIRV_OK(abi->pinMemory(device, address + 8192, 8, &status));
  SPIRV_OK(abi->unpinMemory(device, address + 4000, &status));
  SPIRV_OK(abi->pinMemory(device, address, 8, &status));
  SPIRV_OK(abi->unpinMemory(device, address, &status));
  SPIRV_OK(abi->unpinMemory(device, address + 8192, &status));
}

TEST_F(LevelZeroMemoryTest, ADriverMayNotPin) {
  fake->takesSystemMemory = false;
  alignas(4096) static uint8_t page[4096];
  EXPECT_EQ(abi->pinMemory(device, zeAddress(page), 4096, &status), HET_UNSUPPORTED);
  EXPECT_THAT(message(), HasSubstr("ZE_extension_external_memmap_sysmem"));
}

/// Where kernels reach all memory of the process nothing needs to be done.
TEST_F(LevelZeroMemoryTest, SystemMemory) {
  fake->systemMemory = 1;
  closeAll();
  openDevice();
  map();
  uint32_t value = 3;
  SPIRV_OK(abi->pinMemory(device, zeAddress(&value), 4, &status));
  SPIRV_OK(abi->unpinMemory(device, zeAddress(&value), &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre());
  copy(zeWindow, zeAddress(&value), 4);
  EXPECT_THAT(fake->takeCalls(), ElementsAre("zeCommandListAppendMemoryCopy",
                                             "zeCommandListHostSynchronize"));
  EXPECT_EQ(word(zeWindow), 3u);
}

TEST_F(LevelZeroMemoryTest, DevicesHaveMemoryOfTheirOwn) {
  fake->deviceCount = 2;
  constexpr uint64_t otherWindow = zeWindow + (uint64_t(1) << 40);
  HetDevice *other = nullptr;
  SPIRV_OK(abi->open(1, &other, &status));
  SPIRV_OK(abi->mapMemory(other, otherWindow, zeGranule, &status));
  map();
  EXPECT_EQ(fake->usedMemory, 2 * zeGranule);
  SPIRV_OK(abi->unmapMemory(other, otherWindow, zeGranule, &status));
  abi->close(other);
}

} // namespace
