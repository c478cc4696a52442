// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that moves between the host and a device which has it beside the host's, at
// the same addresses: what is there and what is mapped, also where something fails.

#include "MigrationTest.h"
#include "Mover.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace het;
using namespace het::core;

namespace {

/// Small ones, one of its own, and one that goes through the ring several times, with a
/// rest that is no whole slice.
constexpr size_t sizes[] = {5000, 300, size_t(3) << 20, (size_t(70) << 20) + 4097};

class BesideTest : public MigrationTest {
protected:
  void SetUp() override {
    MigrationTest::SetUp();
    stream = makeStream();
    for (size_t size : sizes) {
      memory.push_back(static_cast<uint8_t *>(allocateBytes(size)));
      contents.emplace_back(size);
    }
    change();
  }

  void TearDown() override {
    shadow().mapsUntilFailure = shadow().copiesUntilFailure = -1;
    stream.reset();
    MigrationTest::TearDown();
    EXPECT_EQ(shadow().mappedBytes, 0u);
  }

  /// Other contents, by copies to the device.
  void change() {
    for (size_t i = 0; i < memory.size(); ++i) {
      for (size_t at = 0; at + 4 <= contents[i].size(); at += 4) {
        state = state * 1664525 + 1013904223;
        std::memcpy(&contents[i][at], &state, 4);
      }
      EXPECT_OK(stream->copy(memory[i], contents[i].data(), contents[i].size()));
    }
    stream->synchronize();
  }

  void expectContents() {
    for (size_t i = 0; i < memory.size(); ++i) {
      std::vector<uint8_t> found(contents[i].size());
      EXPECT_OK(stream->copy(found.data(), memory[i], found.size()));
      stream->synchronize();
      EXPECT_TRUE(found == contents[i]) << "allocation " << i;
    }
  }

  /// Whether this process has memory at the addresses: all or nothing.
  bool isMappedHere() {
    size_t mapped = 0;
    for (uint8_t *at : memory)
      mapped += msync(reinterpret_cast<void *>(uintptr_t(at) & ~uintptr_t(4095)), 4096,
                      MS_ASYNC) == 0;
    EXPECT_TRUE(mapped == 0 || mapped == memory.size()) << mapped;
    return mapped;
  }

  std::shared_ptr<Stream> stream;
  std::vector<uint8_t *> memory;
  std::vector<std::vector<uint8_t>> contents;
  uint32_t state = 1;
};

TEST_F(BesideTest, ContentsGoAlong) {
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_GT(move("shadow").copiedBytes, uint64_t(70) << 20);
    EXPECT_GT(shadow().mappedBytes, uint64_t(70) << 20);
    EXPECT_FALSE(isMappedHere());
    expectContents();
    change();
    EXPECT_GT(move("host").copiedBytes, uint64_t(70) << 20);
    EXPECT_EQ(shadow().mappedBytes, 0u);
    EXPECT_TRUE(isMappedHere());
    expectContents();
    change();
  }
}

TEST_F(BesideTest, ContentsGoAlongBetweenTwoThatAreNotTheHost) {
  for (const char *place : {"shadow", "apart", "shadow", "host#2"}) {
    EXPECT_TRUE(move(place).moved) << place;
    expectContents();
    change();
  }
}

TEST_F(BesideTest, CopiesThatFail) {
  for (int copies : {0, 1, 7}) {
    shadow().copiesUntilFailure = copies;
    expectRefusal("shadow", "the copy fails");
    EXPECT_TRUE(isMappedHere());
    EXPECT_EQ(shadow().mappedBytes, 0u);
  }
  expectContents();
  shadow().copiesUntilFailure = -1;
  EXPECT_TRUE(move("shadow").moved);
  for (int copies : {0, 1, 7}) {
    shadow().copiesUntilFailure = copies;
    expectRefusal("host", "the copy fails");
    EXPECT_FALSE(isMappedHere());
  }
  shadow().copiesUntilFailure = -1;
  expectContents();
}

TEST_F(BesideTest, NoMemoryThere) {
  for (int maps : {0, 1, 2}) {
    shadow().mapsUntilFailure = maps;
    expectRefusal("shadow", "there is no memory left");
    EXPECT_TRUE(isMappedHere());
    EXPECT_EQ(shadow().mappedBytes, 0u);
    expectContents();
  }
}

TEST_F(BesideTest, AddressesThatAreTakenHere) {
  EXPECT_TRUE(move("shadow").moved);
  // Something of the process comes to lie where memory of the device would.
  void *wanted = reinterpret_cast<void *>(uintptr_t(memory[2]) & ~uintptr_t(4095));
  void *taken = mmap(wanted, 4096, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(taken, wanted);
  *static_cast<uint8_t *>(taken) = 77;
  expectRefusal("host", "");
  EXPECT_EQ(*static_cast<uint8_t *>(taken), 77);
  expectContents();
  munmap(taken, 4096);
  EXPECT_TRUE(move("host").moved);
  expectContents();
}

TEST_F(BesideTest, MemoryComesAndGoesMeanwhile) {
  Mover mover(migratable(), {"shadow", "host"});
  for (int turn = 0; (turn < 100 || mover.moves < 10) && !HasFailure(); ++turn) {
    const size_t size = turn % 3 ? 5000 : size_t(3 + turn % 4) << 20;
    Result<void *> some = device().memory().allocate(size);
    ASSERT_TRUE(some.ok()) << some.status().text();
    std::vector<uint8_t> in(size, uint8_t(turn)), out(size);
    EXPECT_OK(stream->copy(*some, in.data(), size));
    EXPECT_OK(stream->copy(out.data(), *some, size));
    stream->synchronize();
    ASSERT_EQ(in, out);
    EXPECT_OK(device().memory().free(*some));
  }
  expectContents();
}

} // namespace
