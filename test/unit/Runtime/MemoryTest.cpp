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

TEST_F(MemoryTest, ReservesAddressesAndPutsMemoryBehindThem) {
  const uint64_t used = memory.used();
  Result<void *> reserved = memory.reserve(4 * granularity, 8 * granularity);
  ASSERT_TRUE(reserved.ok()) << reserved.status().text();
  char *base = static_cast<char *>(*reserved);
  EXPECT_EQ(reinterpret_cast<uint64_t>(base) % (8 * granularity), 0u);
  EXPECT_EQ(memory.used(), used);
  EXPECT_FALSE(memory.find(base).has_value());
  EXPECT_OK(memory.mapReserved(base + granularity, granularity));
  EXPECT_OK(memory.mapReserved(base + 2 * granularity, 2 * granularity));
  EXPECT_EQ(memory.used(), used + 3 * granularity);
  std::memset(base + granularity, 1, 3 * granularity);
  // What touches is one.
  for (uint64_t at : {1, 2, 3}) {
    std::optional<Allocation> found = memory.find(base + at * granularity);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->address, reinterpret_cast<uint64_t>(base) + granularity);
    EXPECT_EQ(found->size, 3 * granularity);
  }
  EXPECT_EQ(memory.mapReserved(base + 2 * granularity, granularity).code, Code::Invalid);
  EXPECT_EQ(memory.mapReserved(base + 4 * granularity, granularity).code, Code::Invalid);
  EXPECT_EQ(memory.mapReserved(base + 1, granularity).code, Code::Invalid);
  EXPECT_EQ(memory.giveBack(base, 4 * granularity).code, Code::Invalid);
  EXPECT_OK(memory.free(base + granularity));
  EXPECT_OK(memory.free(base + 2 * granularity));
  EXPECT_EQ(memory.used(), used);
  // Nothing else gets the addresses.
  char *other = allocate(2 * granularity);
  EXPECT_TRUE(other < base || other >= base + 4 * granularity);
  EXPECT_EQ(memory.giveBack(base, granularity).code, Code::Invalid);
  EXPECT_OK(memory.giveBack(base, 4 * granularity));
  EXPECT_EQ(memory.reserve(partBytes * 2, 0).status().code, Code::Unavailable);
  EXPECT_EQ(memory.reserve(granularity + 1, 0).status().code, Code::Invalid);
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

TEST_F(MemoryTest, SmallBlocksComeBackForEverySize) {
  for (uint64_t size : {256, 1000, 32768}) {
    std::vector<void *> all;
    for (Result<void *> next = memory.allocate(size); next.ok();
         next = memory.allocate(size))
      all.push_back(*next);
    EXPECT_EQ(memory.available(), 0u);
    for (void *pointer : all)
      EXPECT_OK(memory.free(pointer));
    EXPECT_EQ(memory.available(), capacity);
    for (uint64_t other : {uint64_t(300), uint64_t(32000), granularity, capacity})
      EXPECT_OK(memory.free(allocate(other)));
  }
}

TEST_F(MemoryTest, KeepsAnEmptyGranuleForTheNextBlock) {
  EXPECT_OK(memory.free(allocate(300)));
  for (uint64_t size : {300, 5000, 300}) {
    EXPECT_OK(memory.free(allocate(size)));
    EXPECT_EQ(memory.unmappings(), 0u);
    EXPECT_EQ(memory.used(), granularity);
    EXPECT_EQ(memory.available(), capacity);
  }
}

/// What a manager ought to have given out: by address.
class Model {
public:
  void add(char *pointer, uint64_t size) {
    const auto address = reinterpret_cast<uint64_t>(pointer);
    auto after = given.lower_bound(address);
    if (after != given.end())
      ASSERT_LE(address + size, after->first);
    if (after != given.begin())
      ASSERT_LE(std::prev(after)->first + std::prev(after)->second, address);
    given[address] = size;
    bytes += size;
  }
  void *remove(uint64_t choice) {
    auto it = std::next(given.begin(), choice % given.size());
    auto *pointer = reinterpret_cast<void *>(it->first);
    bytes -= it->second;
    given.erase(it);
    return pointer;
  }

  std::map<uint64_t, uint64_t> given;
  uint64_t bytes = 0;
};

TEST_F(MemoryTest, RandomAllocationsDoNotOverlapAndComeBack) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::mt19937_64 random(seed);
    Model model;
    for (int step = 0; step < 4000; ++step) {
      // Waves, so that it is full and nearly empty by turns.
      const bool grows = step / 500 % 2 == 0;
      if (model.given.empty() || random() % 4 < (grows ? 3 : 1)) {
        const uint64_t size = 1 + random() % (uint64_t(256) << random() % 14);
        Result<void *> next = memory.allocate(size);
        if (next.ok())
          model.add(static_cast<char *>(*next), size);
      } else {
        EXPECT_OK(memory.free(model.remove(random())));
      }
      ASSERT_LE(model.bytes, memory.used());
    }
    std::vector<Allocation> all = memory.all();
    ASSERT_EQ(all.size(), model.given.size());
    while (!model.given.empty())
      EXPECT_OK(memory.free(model.remove(random())));
    EXPECT_EQ(memory.available(), capacity);
    EXPECT_OK(memory.free(allocate(capacity)));
    EXPECT_EQ(memory.used(), 0u);
  }
}

/// A part of the window that is taken over from another process, as a checkpoint says.
class AdoptionTest : public MemoryTest {
protected:
  Status adopt(uint64_t size, const std::vector<Allocation> &given) {
    return memory.adopt({begin, size}, given);
  }
  const uint64_t begin = windowBase + part * partBytes;
};

TEST_F(AdoptionTest, TheRestOfAGranuleIsUsed) {
  ASSERT_TRUE(
      adopt(granularity, {{begin + 512, 200, false}, {begin + 1024, 256, false}}).ok());
  for (uint64_t block = 0; block < granularity / 256 - 2; ++block)
    allocate(256);
  EXPECT_EQ(memory.used(), granularity);
  EXPECT_EQ(memory.all().size(), granularity / 256);
  for (const Allocation &one : memory.all())
    EXPECT_OK(memory.free(reinterpret_cast<void *>(one.address)));
  EXPECT_EQ(memory.available(), capacity);
}

TEST_F(AdoptionTest, AnEmptyGranuleIsUsed) {
  ASSERT_TRUE(adopt(granularity, {}).ok());
  EXPECT_EQ(memory.available(), capacity);
  allocate(3000);
  EXPECT_EQ(memory.used(), granularity);
}

TEST_F(AdoptionTest, RefusesWhatNoManagerGivesOut) {
  const std::vector<std::vector<Allocation>> wrong = {
      {{begin + 100, 200, false}},                        // not aligned
      {{begin, 0, false}},                                // nothing
      {{begin, 200, false}, {begin, 200, false}},         // twice
      {{begin, 200, false}, {begin + 4096, 4096, false}}, // of two sizes
      {{begin + granularity, 200, false}},                // beside it
      {{begin - 256, 200, false}},
      {{begin, 200, false}, {begin + 256, UINT64_MAX, false}},
  };
  for (const std::vector<Allocation> &given : wrong) {
    EXPECT_EQ(adopt(granularity, given).code, Code::Invalid);
    EXPECT_EQ(memory.used(), 0u);
  }
  EXPECT_EQ(adopt(2 * granularity, {{begin, UINT64_MAX, false}}).code, Code::Invalid);
  EXPECT_EQ(adopt(2 * granularity, {}).code, Code::Invalid);
}

TEST_F(MemoryTest, GoesRoundAddressesThatAreTaken) {
  HetStatus status = {};
  const uint64_t taken = windowBase + part * partBytes;
  ASSERT_EQ(device.abi().mapMemory(device.handle(), taken, granularity, &status), HET_OK);
  auto first = reinterpret_cast<uint64_t>(allocate(1000));
  auto second = reinterpret_cast<uint64_t>(allocate(1 << 20));
  EXPECT_GT(first, taken);
  EXPECT_GT(second, first);
  EXPECT_EQ(device.abi().unmapMemory(device.handle(), taken, granularity, &status),
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
