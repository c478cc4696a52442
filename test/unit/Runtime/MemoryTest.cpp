// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory manager, over the null target's memory in a part of the window that
// no device of the process has.

#include "Support.h"

#include <cstring>
#include <random>
#include <thread>

using namespace het;
using namespace het::core;

namespace {

constexpr uint64_t granularity = 64 << 10, capacity = 64 << 20;
constexpr unsigned part = 40;

class MemoryTest : public testing::Test {
protected:
  MemoryTest()
      : device(runtime().device(nullDevice)),
        memory(device.abi(), device.handle(), part, granularity, capacity) {}

  char *allocate(uint64_t size) {
    Result<void *> result = memory.allocate(size);
    EXPECT_TRUE(result.ok()) << result.status().text();
    return result.ok() ? static_cast<char *>(*result) : nullptr;
  }

  Device &device;
  MemoryManager memory;
};

TEST_F(MemoryTest, LiesInItsPartOfTheWindow) {
  for (uint64_t size : {1u, 100u, 5000u, 1u << 20}) {
    auto address = reinterpret_cast<uint64_t>(allocate(size));
    EXPECT_GE(address, windowBase + part * partBytes);
    EXPECT_LT(address, windowBase + (part + 1) * partBytes);
  }
}

TEST_F(MemoryTest, IsAlignedSeparateAndUsable) {
  std::vector<std::pair<char *, size_t>> all;
  for (size_t size : {1, 255, 256, 257, 4000, 32768, 32769, 65536, 65537})
    for (int copy = 0; copy < 5; ++copy) {
      char *pointer = allocate(size);
      ASSERT_NE(pointer, nullptr);
      EXPECT_EQ(reinterpret_cast<uint64_t>(pointer) % 256, 0u);
      std::memset(pointer, static_cast<int>(all.size()), size);
      all.emplace_back(pointer, size);
    }
  for (size_t index = 0; index < all.size(); ++index)
    for (size_t byte = 0; byte < all[index].second; ++byte)
      ASSERT_EQ(all[index].first[byte], static_cast<char>(index));
}

TEST_F(MemoryTest, FindsWhatAnAddressLiesIn) {
  char *small = allocate(100), *large = allocate(1 << 20);
  for (auto [base, size] : {std::pair(small, 100), {large, 1 << 20}}) {
    for (int offset : {0, 1, size - 1}) {
      std::optional<Allocation> found = memory.find(base + offset);
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->address, reinterpret_cast<uint64_t>(base));
      EXPECT_EQ(found->size, static_cast<uint64_t>(size));
      EXPECT_FALSE(found->managed);
    }
    EXPECT_FALSE(memory.find(base + size).has_value());
  }
  int local = 0;
  EXPECT_FALSE(memory.find(&local).has_value());
  EXPECT_FALSE(memory.find(nullptr).has_value());
  EXPECT_OK(memory.free(small));
  EXPECT_FALSE(memory.find(small).has_value());
}

TEST_F(MemoryTest, NothingIsNull) {
  EXPECT_EQ(allocate(0), nullptr);
  EXPECT_OK(memory.free(nullptr));
}

TEST_F(MemoryTest, RefusesToFreeWhatItDidNotGive) {
  char *pointer = allocate(1000);
  EXPECT_EQ(memory.free(pointer + 256).code, Code::Invalid);
  EXPECT_OK(memory.free(pointer));
  EXPECT_EQ(memory.free(pointer).code, Code::Invalid);
  int local = 0;
  EXPECT_EQ(memory.free(&local).code, Code::Invalid);
}

TEST_F(MemoryTest, EndsWithAnErrorAndGoesOn) {
  EXPECT_EQ(memory.allocate(capacity + 1).status().code, Code::Unavailable);
  EXPECT_EQ(memory.allocate(UINT64_MAX).status().code, Code::Unavailable);
  std::vector<void *> all;
  for (;;) {
    Result<void *> next = memory.allocate(1 << 20);
    if (!next.ok()) {
      EXPECT_EQ(next.status().code, Code::Unavailable);
      break;
    }
    all.push_back(*next);
  }
  EXPECT_EQ(all.size(), capacity >> 20);
  EXPECT_EQ(memory.available(), 0u);
  for (void *pointer : all)
    EXPECT_OK(memory.free(pointer));
  EXPECT_EQ(memory.available(), capacity);
  EXPECT_OK(memory.free(allocate(capacity)));
}

TEST_F(MemoryTest, GoesRoundAddressesThatAreTaken) {
  HetStatus status = {};
  const uint64_t taken = windowBase + part * partBytes;
  ASSERT_EQ(device.abi().mapMemory(device.handle(), taken, granularity, &status),
            HET_OK);
  auto first = reinterpret_cast<uint64_t>(allocate(1000));
  auto second = reinterpret_cast<uint64_t>(allocate(1 << 20));
  EXPECT_GT(first, taken);
  EXPECT_GT(second, first);
  EXPECT_EQ(
      device.abi().unmapMemory(device.handle(), taken, granularity, &status),
      HET_OK);
}

TEST_F(MemoryTest, ManyThreadsAllocateAndFree) {
  auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::pair<char *, size_t>> mine;
    for (int step = 0; step < 400; ++step) {
      if (mine.size() < 20) {
        size_t size = 1 + random() % (random() % 8 ? 2000 : 200000);
        char *pointer = allocate(size);
        ASSERT_NE(pointer, nullptr);
        pointer[0] = pointer[size - 1] = static_cast<char>(seed);
        mine.emplace_back(pointer, size);
        continue;
      }
      auto [pointer, size] = mine[random() % mine.size()];
      ASSERT_EQ(pointer[0], static_cast<char>(seed));
      ASSERT_EQ(pointer[size - 1], static_cast<char>(seed));
      std::swap(mine[random() % mine.size()], mine.back());
      EXPECT_OK(memory.free(mine.back().first));
      mine.pop_back();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed)
    threads.emplace_back(work, seed);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(OwnerTest, FollowsFromTheAddress) {
  for (unsigned index = 0; index < 3; ++index) {
    Device &device = runtime().device(index);
    Result<void *> memory = device.memory().allocate(1000);
    ASSERT_TRUE(memory.ok()) << memory.status().text();
    EXPECT_EQ(runtime().ownerOf(*memory), &device);
    EXPECT_EQ(runtime().ownerOf(static_cast<char *>(*memory) + 999), &device);
    EXPECT_OK(device.memory().free(*memory));
  }
  int local = 0;
  EXPECT_EQ(runtime().ownerOf(&local), nullptr);
  EXPECT_EQ(runtime().ownerOf(nullptr), nullptr);
}

} // namespace
