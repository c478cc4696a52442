// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device plug-in on the tile model: launches of Programs/Parkable.c that are parked
// and gone on with, again and again, end as if they had not been.

#include "ParkingTest.h"
#include "Tensix/Device/FairMutex.h"
#include "Tensix/TensixABI.h"

#include <cstring>
#include <numeric>
#include <thread>
#include <utility>

using het::test::eventually;

namespace {

constexpr uint64_t window = 0x100000000000, granule = 2 << 20;

/// Of Programs/Parkable.c.
enum Kind { Count = 0, Meet = 1, AwaitLast = 2 };
struct Arguments {
  uint64_t out, begun, held;
  uint32_t steps, kind, holdEvery, padding;
};

class TensixParking : public ParkingTest {
protected:
  static constexpr uint32_t blocks = 40, threads = 33, cores = 4;

  void SetUp() override {
    setenv("HET_TTSIM_LIBRARY", HET_TEST_TILE_MODEL, 1);
    setenv("HET_TENSIX_CORES", "4", 1);
    openTarget("tensix");
    TARGET_OK(abi->createQueue(device, &other, &status));
    TARGET_OK(abi->mapMemory(device, window, granule, &status));
    clear();
  }

  void TearDown() override {
    abi->destroyQueue(other);
    abi->unmapMemory(device, window, granule, &status);
    ParkingTest::TearDown();
  }

  /// `shared`: bytes of static shared memory, so that few blocks fit on a core.
  void load(uint64_t layout, uint32_t shared = 16) {
    auto image = het::readFile(HET_TEST_PROGRAMS "/Parkable.image");
    ASSERT_TRUE(image.ok()) << image.status().text();
    const het::Bytes code = image.take();
    HetTensixImage head;
    std::memcpy(&head, code.data(), sizeof(head));
    HetTensixArtifact header = {};
    header.magic = HET_TENSIX_MAGIC;
    header.nameBytes = 6;
    header.staticSharedBytes = shared;
    header.argumentBytes = sizeof(Arguments);
    header.imageBytes = code.size();
    header.memoryBytes = head.end - HET_TENSIX_IMAGE;
    header.frameBytesPerThread = 12; // a pc, a word, and one that is no state
    header.frameBytesPerBlock = 128;
    header.layout = layout;
    header.stateBytes = layout ? 8 : 0;
    het::Bytes bytes(sizeof(header) + 6 + code.size());
    std::memcpy(bytes.data(), &header, sizeof(header));
    std::memcpy(bytes.data() + sizeof(header), "kernel", 6);
    std::memcpy(bytes.data() + sizeof(header) + 6, code.data(), code.size());
    TARGET_OK(abi->loadArtifact(device, bytes.data(), bytes.size(), nullptr, 0, &artifact,
                                &status));
  }

  /// Behind every `holdEvery`th step blocks wait until they are parked.
  HetLaunch makeLaunch(Kind kind, uint32_t steps, uint32_t holdEvery = 0) {
    arguments = {out, begun, held, steps, static_cast<uint32_t>(kind), holdEvery, 0};
    HetLaunch launch = shape(blocks, threads);
    launch.dynamicSharedBytes = 8;
    launch.cooperative = kind == Meet;
    launch.arguments = &arguments;
    launch.argumentBytes = sizeof(arguments);
    return launch;
  }

  std::vector<uint32_t> read(uint64_t address) {
    std::vector<uint32_t> words(blocks);
    EXPECT_EQ(abi->enqueueCopy(other, reinterpret_cast<uint64_t>(words.data()), address,
                               blocks * 4, &status),
              HET_OK);
    abi->synchronize(other);
    return words;
  }

  void clear() {
    TARGET_OK(abi->enqueueFill(queue, window, 0, 4, 8192, &status));
    abi->synchronize(queue);
  }

  /// Returns when so many blocks have begun. They wait until they are parked, or
  /// parkReleased().
  void awaitBeginning(uint32_t number) {
    EXPECT_TRUE(eventually([&] { return sum(begun) >= number; }));
  }

  /// What a word of each block adds up to; a fault of the device, after which nothing can
  /// be read, is a failure.
  uint64_t sum(uint64_t address) {
    EXPECT_EQ(abi->fault(device, &status), HET_FAULT_NONE) << status.message;
    const std::vector<uint32_t> words = read(address);
    return std::accumulate(words.begin(), words.end(), uint64_t(0));
  }

  /// Lets blocks that are not parked inside go on once the device has been asked to park.
  void parkReleased(State &state) {
    abi->setParking(device, 1);
    TARGET_OK(abi->enqueueFill(other, held + blocks * 4, 1, 4, 4, &status));
    abi->synchronize(other);
    park(state);
  }

  /// Parked wherever blocks wait for that, so many times in all.
  uint64_t runHeld(const HetLaunch &launch, State &state, uint64_t times) {
    return runDisturbed(launch, state, times, [&] { return sum(held); });
  }

  HetQueue *other = nullptr;
  const uint64_t out = window, begun = window + 2048, held = window + 4096;
  Arguments arguments = {};
};

TEST_F(TensixParking, StateIsDescribed) {
  load(7);
  HetParkingInfo info = {};
  TARGET_OK(abi->describeParking(artifact, &info, &status));
  EXPECT_EQ(info.layout, 7u);
  EXPECT_EQ(info.threadBytes, 8u);
  EXPECT_EQ(info.sharedBytes, 16u);
}

TEST_F(TensixParking, GoesOnWhereItStood) {
  load(7);
  State undisturbed(blocks), disturbed(blocks);
  run(makeLaunch(Count, 60), undisturbed);
  const std::vector<uint32_t> expected = read(out);
  clear();
  EXPECT_GE(runHeld(makeLaunch(Count, 60, 20), disturbed, 2 * blocks), 2 * blocks);
  EXPECT_EQ(read(out), expected);
  EXPECT_EQ(read(begun), std::vector<uint32_t>(blocks, 1));
}

/// States of all blocks, more than have a place at once.
TEST_F(TensixParking, TakesUpMoreBlocksThanFit) {
  load(7, 300 << 10);
  uint32_t places = 0;
  TARGET_OK(abi->residentBlocks(artifact, threads, 8, &places, &status));
  ASSERT_LT(places * cores, blocks);
  const HetLaunch launch = makeLaunch(Count, 20);
  State undisturbed(blocks), given(blocks);
  run(launch, undisturbed);
  const std::vector<uint32_t> expected = read(out);
  // As if each block had been parked behind its beginning.
  HetLaunchState &state = given;
  const uint64_t threadsBytes = 64 * 8, sharedBytes = 300 << 10;
  state.stateBytes = threadsBytes + sharedBytes + 128;
  state.parkedCount = blocks;
  state.alike = HET_BLOCK_PARKED + 1;
  ASSERT_TRUE(state.resize(&state, blocks * state.stateBytes));
  for (uint32_t block = 0; block < blocks; ++block) {
    uint8_t *bytes = state.states + block * state.stateBytes;
    std::memset(bytes, 0, state.stateBytes);
    auto *words = reinterpret_cast<uint32_t *>(bytes);
    words[0] = 1; // pc
    for (uint32_t i = 0; i < threads; ++i)
      words[64 + i] = block * 77 + i;
    auto *shared = reinterpret_cast<uint32_t *>(bytes + threadsBytes);
    for (uint32_t i = 0; i < 4; ++i)
      shared[i] = i + block;
  }
  clear();
  run(launch, given);
  EXPECT_EQ(read(out), expected);
  EXPECT_EQ(read(begun), std::vector<uint32_t>(blocks, 0));
}

TEST_F(TensixParking, GridBarriersArePassedByAllOrNone) {
  load(7);
  State state(blocks);
  EXPECT_GE(runHeld(makeLaunch(Meet, 100, 10), state, 9), 9u);
  EXPECT_EQ(read(out), std::vector<uint32_t>(blocks, 100));
  EXPECT_EQ(read(begun), std::vector<uint32_t>(blocks, 1));
}

TEST_F(TensixParking, NoBlockBeginsWhileTheDeviceParks) {
  for (uint64_t layout : {7, 0}) {
    load(layout);
    for (Kind kind : {Count, Meet}) {
      State state(blocks);
      const HetLaunch launch = makeLaunch(kind, 5);
      abi->setParking(device, 1);
      enqueue(launch, state);
      park(state);
      EXPECT_EQ(state.number(HET_BLOCK_UNSTARTED), blocks);
    }
    abi->unloadArtifact(std::exchange(artifact, nullptr));
  }
  EXPECT_EQ(read(begun), std::vector<uint32_t>(blocks, 0));
}

/// Blocks that are not parked inside, and wait for the last one, which has not begun when
/// the device is asked to park.
TEST_F(TensixParking, BlocksBeginWhileOthersWaitForThem) {
  load(0);
  State state(blocks);
  enqueue(makeLaunch(AwaitLast, 0), state);
  awaitBeginning(cores);
  EXPECT_EQ(read(begun)[blocks - 1], 0u);
  parkReleased(state);
  EXPECT_EQ(state.parkedCount, 0u);
  EXPECT_EQ(state.number(HET_BLOCK_ENDED), blocks);
}

/// Without anyone who waits the others do not begin.
TEST_F(TensixParking, BlocksThatHaveBegunEnd) {
  load(0);
  State state(blocks);
  const HetLaunch launch = makeLaunch(Count, 5, 1);
  enqueue(launch, state);
  awaitBeginning(cores);
  parkReleased(state);
  EXPECT_EQ(state.parkedCount, 0u);
  EXPECT_GE(state.number(HET_BLOCK_ENDED), cores);
  EXPECT_GT(state.number(HET_BLOCK_UNSTARTED), 0u);
  run(launch, state);
  EXPECT_EQ(read(begun), std::vector<uint32_t>(blocks, 1));
}

/// Whoever takes it again as soon as it has let it go comes behind those that wait.
TEST(TensixFairMutex, LetsWhoWaitsHaveTheNextTurn) {
  het::tensix::FairMutex mutex;
  std::vector<unsigned> order; // guarded by the mutex
  constexpr unsigned others = 4;
  std::vector<std::thread> threads;
  mutex.lock();
  for (unsigned i = 0; i < others; ++i) {
    threads.emplace_back([&, i] {
      std::lock_guard<het::tensix::FairMutex> lock(mutex);
      order.push_back(i);
    });
    ASSERT_TRUE(eventually([&] { return mutex.waiting() == i + 1; }));
  }
  EXPECT_FALSE(mutex.try_lock());
  mutex.unlock();
  mutex.lock();
  order.push_back(others);
  mutex.unlock();
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2, 3, others}));
  EXPECT_TRUE(mutex.try_lock());
  mutex.unlock();
}

TEST_F(TensixParking, RefusesStatesOfAnotherKind) {
  load(7);
  const HetLaunch launch = makeLaunch(Count, 5);
  State state(blocks);
  state.standing[3] = HET_BLOCK_PARKED;
  state.parkedCount = 1;
  state.stateBytes = 100;
  ASSERT_TRUE(state.resize(&state, 100));
  EXPECT_EQ(abi->enqueueParkable(queue, &launch, &state, &status), HET_INVALID);
  EXPECT_NE(std::string(status.message).find("found 100 bytes of a block, expected 768"),
            std::string::npos)
      << status.message;
  State fewer(blocks - 1);
  EXPECT_EQ(abi->enqueueParkable(queue, &launch, &fewer, &status), HET_INVALID);
}

} // namespace
