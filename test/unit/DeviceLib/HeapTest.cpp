// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heap of kernels, in memory of this process.

#include "het/DeviceABI/Heap.h"
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

extern "C" {
uint64_t __het_malloc(uint64_t heap, uint64_t size);
uint32_t __het_free(uint64_t heap, uint64_t address);
}

namespace {

class HeapTest : public testing::Test {
protected:
  void make(uint64_t bytes) {
    memory.assign(bytes / sizeof(Piece), {});
    heap = {};
    heap.begin = reinterpret_cast<uint64_t>(memory.data());
    heap.bytes = bytes;
  }
  uint64_t allocate(uint64_t size) { return __het_malloc(address(), size); }
  bool release(uint64_t pointer) { return __het_free(address(), pointer); }
  uint64_t address() const { return reinterpret_cast<uint64_t>(&heap); }
  HetHeapChunk &chunkOf(uint64_t pointer) {
    return reinterpret_cast<HetHeapChunk *>(pointer)[-1];
  }

  struct alignas(16) Piece {
    uint8_t bytes[16];
  };
  std::vector<Piece> memory;
  HetHeap heap = {};
};

TEST_F(HeapTest, AnEmptyOneGivesNothing) {
  EXPECT_EQ(allocate(0), 0u);
  EXPECT_EQ(allocate(1), 0u);
  EXPECT_TRUE(release(0));
  EXPECT_FALSE(release(16));
}

TEST_F(HeapTest, AllOfItIsGivenAndComesBackAsOne) {
  make(1 << 12);
  std::vector<uint64_t> given;
  while (uint64_t pointer = allocate(48))
    given.push_back(pointer);
  EXPECT_EQ(given.size(), (1u << 12) / 64);
  for (size_t first : {1, 0}) // every second one, then the others
    for (size_t i = first; i < given.size(); i += 2)
      EXPECT_TRUE(release(given[i]));
  EXPECT_NE(allocate((1 << 12) - 16), 0u);
  EXPECT_EQ(allocate(0), 0u);
}

TEST_F(HeapTest, SizesThatDoNotFit) {
  make(1 << 12);
  for (uint64_t size : {uint64_t(1) << 12, UINT64_MAX, UINT64_MAX - 14, UINT64_MAX / 2})
    EXPECT_EQ(allocate(size), 0u);
}

TEST_F(HeapTest, WhatMallocDidNotGive) {
  make(1 << 12);
  const uint64_t one = allocate(100), two = allocate(100);
  for (uint64_t wrong : {one + 8, one + 16, heap.begin, heap.begin + heap.bytes,
                         heap.begin - 16, uint64_t(16), UINT64_MAX - 15})
    EXPECT_FALSE(release(wrong));
  EXPECT_TRUE(release(one));
  EXPECT_FALSE(release(one));
  EXPECT_TRUE(release(two));
}

/// Whatever kernels write over the chunks, calls end and stay inside.
TEST_F(HeapTest, OverwrittenChunks) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    make(1 << 10);
    std::vector<uint64_t> given;
    for (int i = 0; i < 12; ++i)
      given.push_back(allocate(random() % 60));
    for (int i = 0; i < 4; ++i)
      release(given[random() % given.size()]);
    HetHeapChunk &chunk = chunkOf(given[random() % given.size()]);
    switch (random() % 4) {
    case 0:
      chunk.mark = random();
      break;
    case 1:
      chunk.bytes = random();
      break;
    case 2:
      chunk.bytes = random() % 1024 / 16 * 16;
      break;
    default:
      chunk.bytes = 0;
    }
    for (int i = 0; i < 30; ++i) {
      if (random() % 2)
        release(given[random() % given.size()]);
      const uint64_t size = random() % 200, pointer = allocate(size);
      if (pointer) {
        EXPECT_GE(pointer, heap.begin);
        EXPECT_LE(pointer + size, heap.begin + heap.bytes);
      }
    }
  }
}

/// Pieces do not overlap, keep what is in them, and nothing is lost in the end.
void useAtRandom(uint64_t heap, unsigned seed, size_t most) {
  std::mt19937_64 random(seed);
  std::map<uint64_t, uint64_t> live; // address, size
  auto giveBack = [&](std::map<uint64_t, uint64_t>::iterator piece) {
    auto *bytes = reinterpret_cast<uint8_t *>(piece->first);
    for (uint64_t i = 0; i < piece->second; ++i)
      ASSERT_EQ(bytes[i], uint8_t(seed + piece->second));
    ASSERT_TRUE(__het_free(heap, piece->first));
    live.erase(piece);
  };
  for (int step = 0; step < 20000; ++step) {
    if (live.size() < most && random() % 3) {
      const uint64_t size = random() % (random() % 8 ? 100 : 2000);
      const uint64_t pointer = __het_malloc(heap, size);
      if (!pointer)
        continue;
      ASSERT_EQ(pointer % 16, 0u);
      std::memset(reinterpret_cast<void *>(pointer), seed + size, size);
      ASSERT_TRUE(live.emplace(pointer, size).second);
    } else if (!live.empty()) {
      giveBack(std::next(live.begin(), random() % live.size()));
    }
  }
  while (!live.empty())
    giveBack(live.begin());
}

TEST_F(HeapTest, AtRandom) {
  make(1 << 15);
  useAtRandom(address(), 1, 1000);
  EXPECT_NE(allocate(heap.bytes - 16), 0u);
}

TEST_F(HeapTest, FromManyThreads) {
  make(1 << 16);
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed)
    threads.emplace_back([&, seed] { useAtRandom(address(), seed, 40); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_NE(allocate(heap.bytes - 16), 0u);
}

} // namespace
