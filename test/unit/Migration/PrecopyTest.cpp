// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the host that is written while it is copied to a device.

#include "MigrationTest.h"
#include "migration/memory/MemoryTransfer.h"
#include "migration/memory/WriteTracker.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <sys/mman.h>
#include <thread>

using namespace het;
using namespace het::core;

namespace {

constexpr uint64_t page = 4096;

uint8_t *at(uint64_t address) { return reinterpret_cast<uint8_t *>(address); }

/// As a kernel does: no thread sanitizer sees it.
__attribute__((no_sanitize("thread"))) void writeByte(uint8_t *to, uint8_t value) {
  *static_cast<volatile uint8_t *>(to) = value;
}

class PrecopyTest : public MigrationTest {
protected:
  void SetUp() override {
    MigrationTest::SetUp();
    memory = reinterpret_cast<uint64_t>(allocateBytes(size));
    Result<Backend *> opened = migratable().backends.open("shadow");
    ASSERT_TRUE(opened.ok()) << opened.status().text();
    shadow = *opened;
    // So that pages without contents are there, too.
    madvise(at(memory + size / 2), size / 4, MADV_DONTNEED);
    for (uint64_t offset = 0; offset < size / 2; offset += page)
      writeByte(at(memory + offset), uint8_t(offset / page + 1));
  }

  void TearDown() override {
    mover.reset();
    MigrationTest::TearDown();
  }

  Backend &host() { return device().primary(); }

  /// There with what has been prepared, and back.
  void carryAndCompare() {
    const std::vector<MappedRange> ranges = device().memory().ranges();
    uint64_t bytes = 0;
    bool lost = false;
    ASSERT_TRUE(mover->carry(host(), *shadow, ranges, bytes, lost).ok());
    const std::vector<uint8_t> expected(at(memory), at(memory + size));
    mover->finish();
    mover->prepare(*shadow, host(), device().memory());
    ASSERT_TRUE(mover->carry(*shadow, host(), ranges, bytes, lost).ok());
    mover->finish();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), at(memory)));
  }

  static constexpr uint64_t size = uint64_t(96) << 20;
  uint64_t memory = 0;
  Backend *shadow = nullptr;
  std::unique_ptr<MemoryTransfer> mover = std::make_unique<MemoryTransfer>();
};

TEST_F(PrecopyTest, WhatIsWrittenMeanwhileIsThere) {
  for (uint64_t area : {size, size / 4, page}) {
    mover = std::make_unique<MemoryTransfer>(); // which has not found it in vain
    std::atomic<bool> stop{false};
    std::thread writer([&] {
      for (uint64_t i = 0; !stop; ++i)
        writeByte(at(memory + i * 7 * page % area + i % page), uint8_t(i));
    });
    mover->prepare(host(), *shadow, device().memory());
    stop = true;
    writer.join();
    // Among pages that were sent, and ones that were not.
    for (uint64_t offset : {size / 3, size / 2 + 5, size - 1})
      writeByte(at(memory + offset), uint8_t(area / page + 1));
    carryAndCompare();
  }
}

TEST_F(PrecopyTest, ItCanBeToldNotTo) {
  mover->copyAhead(false);
  mover->prepare(host(), *shadow, device().memory());
  writeByte(at(memory + 5), 99);
  carryAndCompare();
}

TEST_F(PrecopyTest, WhatIsMappedAnewMeanwhileIsThere) {
  mover->prepare(host(), *shadow, device().memory());
  HetStatus status = {};
  ASSERT_EQ(host().abi().unmapMemory(host().handle(), memory, size, &status), HET_OK);
  ASSERT_EQ(host().abi().mapMemory(host().handle(), memory, size, &status), HET_OK);
  for (uint64_t offset = 0; offset < size; offset += 3 * page)
    writeByte(at(memory + offset), uint8_t(offset / page + 7));
  carryAndCompare();
}

TEST_F(PrecopyTest, WhatComesMeanwhileIsThere) {
  mover->prepare(host(), *shadow, device().memory());
  constexpr uint64_t more = uint64_t(5) << 20;
  auto *some = static_cast<uint8_t *>(allocateBytes(more));
  std::fill_n(some, more, uint8_t(42));
  carryAndCompare();
  EXPECT_EQ(std::count(some, some + more, 42), long(more));
}

TEST_F(PrecopyTest, PagesAreWatched) {
  WriteTracker watch;
  const std::vector<MappedRange> ranges = {{memory, size}};
  if (!watch.start(ranges) || !watch.written(ranges[0]))
    GTEST_SKIP() << "this system does not tell which pages are written";
  EXPECT_TRUE(watch.written(ranges[0])->empty());
  writeByte(at(memory + 3 * page + 17), 1);
  writeByte(at(memory + 4 * page), 2);
  writeByte(at(memory + 9 * page), 3);
  auto found = watch.written(ranges[0]);
  ASSERT_TRUE(found);
  uint64_t bytes = 0;
  for (uint64_t wanted : {3, 4, 9})
    EXPECT_TRUE(std::any_of(found->begin(), found->end(), [&](MappedRange range) {
      return range.address <= memory + wanted * page &&
             memory + wanted * page < range.address + range.size;
    })) << wanted;
  for (MappedRange range : *found)
    bytes += range.size;
  EXPECT_LE(bytes, uint64_t(4) << 20); // of the large page that they lie in, at most
  EXPECT_TRUE(watch.written(ranges[0])->empty());
  watch.stop();
  EXPECT_FALSE(watch.written(ranges[0]));
  writeByte(at(memory + 9 * page), 4); // nobody waits for anything any more
}

TEST_F(PrecopyTest, PagesWithoutContentsAreKnown) {
  WriteTracker watch;
  auto found = watch.present({memory + size / 2, size / 4});
  if (!found)
    GTEST_SKIP() << "this system does not tell which pages are there";
  EXPECT_TRUE(found->empty());
  found = watch.present({memory, size / 2});
  ASSERT_TRUE(found && found->size() == 1);
  EXPECT_EQ(found->front().size, size / 2);
}

} // namespace
