// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks whose threads stand at different places before a grid barrier, suspended and
// resumed there again and again, on the device and on another target's. A form that keeps
// once what is the same for the block hands such a block over to the dispatch loop. To
// get there at once half of the threads are given another value of what the kernel has
// read.

#include "Contract.h"
#include "LaunchState.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <thread>

namespace het::contract {
namespace {

class SuspendingApart : public LaunchTest {
protected:
  static constexpr uint32_t blocks = 2, threads = 64, all = blocks * threads;
  static constexpr uint32_t given = 0x5EED600D; ///< What the kernel reads.
  static constexpr uint32_t ended = 0xFFFFFFFF; ///< The pc of a thread that has ended.
  using Words = std::vector<uint32_t>;

  void SetUp() override {
    LaunchTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure() &&
        (!can(Capability::Suspends) || !can(Capability::RunsCode)))
      GTEST_SKIP() << "kernels are not suspended here";
  }

  /// Makes the launch ready on the present device.
  void prepare() {
    arguments.out = allocate(all * 4);
    arguments.kept = allocate(all * 4);
    arguments.given = allocate(4);
    write(arguments.given, Words{given});
    launch = shape(load("apart", {}, "parkable"), blocks, threads);
    launch.cooperative = 1;
    launch.arguments = &arguments;
    launch.argumentBytes = sizeof(arguments);
    CONTRACT_OK(abi->describeParking(launch.artifact, &info, &status));
    ASSERT_NE(info.layout, 0u);
    if (!takesTurns)
      return;
    HetParkingInfo interim = {};
    other = load("apart", {}, "parkable interim");
    CONTRACT_OK(abi->describeParking(other, &interim, &status));
    EXPECT_EQ(interim.layout, info.layout);
    EXPECT_EQ(interim.threadBytes, info.threadBytes);
    EXPECT_EQ(interim.sharedBytes, info.sharedBytes);
  }

  /// Whether the target has interim code; else it has to say so.
  bool hasInterimCode() {
    Bytes code;
    if (lower("apart", "interim", code) == HET_OK)
      return true;
    expectReason(HET_INVALID);
    return false;
  }

  /// Goes on with the launch, and suspends it after some turns of other threads.
  void goOnFor(int turns) {
    if (takesTurns)
      std::swap(launch.artifact, other);
    CONTRACT_OK(abi->enqueueParkable(queue, &launch, &state, &status));
    for (int turn = 0; turn < turns; ++turn)
      std::this_thread::yield();
    abi->setParking(device, 1);
    abi->synchronize(queue);
    abi->setParking(device, 0);
    expectNoFault();
  }

  /// Nothing has begun. There are several polls in each loop.
  static LaunchState newState() {
    LaunchState state(blocks);
    state.pollInterval = 100;
    return state;
  }

  bool hasEnded(uint32_t block) const {
    return state.standingOf(block) == HET_BLOCK_ENDED;
  }

  /// Suspends the launch at a grid barrier, its threads together. Where it has ended
  /// before, it is begun anew and takes longer.
  void begin() {
    state = newState();
    for (int turns = 1; !HasFatalFailure() && state.all() != HET_BLOCK_PARKED; ++turns) {
      goOnFor(turns);
      if (!hasEnded(0) && !hasEnded(1))
        continue;
      ASSERT_LT(arguments.phases, 1u << 20);
      arguments.phases *= 2;
      state = newState();
      turns = 0;
    }
  }

  /// The words of a thread that a block's state has, from that of the first thread on.
  uint32_t *wordsOf(uint32_t block, uint64_t word) {
    return reinterpret_cast<uint32_t *>(state.states + block * state.stateBytes) +
           word * threads;
  }

  /// Gives half of each block's threads another value of what they have read.
  void change() {
    for (uint32_t block = 0; block < blocks; ++block) {
      int found = 0;
      for (uint64_t word = 1; word < info.threadBytes / 4; ++word) {
        uint32_t *first = wordsOf(block, word);
        if (std::count(first, first + threads, given) != threads)
          continue;
        std::fill(first + threads / 2, first + threads, given + 1);
        ++found;
      }
      EXPECT_EQ(found, 1) << "block " << block;
    }
  }

  /// Whether a block is suspended with threads at different places, which only the grid
  /// barrier brings together.
  bool isApart() {
    for (uint32_t block = 0; state.all() == HET_BLOCK_PARKED && block < blocks; ++block) {
      std::set<uint32_t> pcs(wordsOf(block, 0), wordsOf(block, 0) + threads);
      pcs.erase(ended);
      if (pcs.size() > 1)
        return true;
    }
    return false;
  }

  /// Goes on, suspended again and again, until threads were apart so many times.
  void suspendApart(int times) {
    while (!HasFatalFailure() && times > 0 && state.all() == HET_BLOCK_PARKED) {
      goOnFor(1);
      times -= isApart();
    }
  }

  /// Lets the launch end, and looks at its results.
  void finish() {
    CONTRACT_OK(abi->enqueueParkable(queue, &launch, &state, &status));
    abi->synchronize(queue);
    expectNoFault();
    EXPECT_EQ(state.all(), HET_BLOCK_ENDED);
    EXPECT_EQ(read<uint32_t>(arguments.out, all), expected());
    Words kept(all, given);
    for (uint32_t index = 0; index < all; ++index)
      kept[index] += index % threads >= threads / 2;
    EXPECT_EQ(read<uint32_t>(arguments.kept, all), kept);
  }

  /// Begins the launch, and leaves it with its threads apart. One whose threads never
  /// were so when it was suspended was too short.
  void leaveApart() {
    prepare();
    for (; !HasFatalFailure() && !isApart(); arguments.phases *= 2) {
      ASSERT_LT(arguments.phases, 1u << 20);
      begin();
      if (HasFatalFailure())
        return;
      change();
      suspendApart(1);
      if (isApart())
        return;
      finish();
    }
  }

  /// Begins the launch on the present device, and lets it end on another target's.
  void moveTo(const char *target) {
    leaveApart();
    const Words out = read<uint32_t>(arguments.out, all),
                kept = read<uint32_t>(arguments.kept, all);
    changeTo(target);
    prepare();
    if (HasFatalFailure())
      return;
    write(arguments.out, out);
    write(arguments.kept, kept);
    suspendApart(4);
    finish();
  }

  Words expected() const {
    constexpr uint32_t factor = 1664525;
    Words before(all), after(all);
    std::iota(after.begin(), after.end(), 0);
    for (uint32_t phase = 0; phase < arguments.phases; ++phase) {
      for (uint32_t index = 0; index < all; ++index) {
        const uint32_t times = index % 8 * arguments.rounds;
        uint32_t x = after[index];
        for (uint32_t i = 0; i < times + arguments.rounds; ++i)
          x = x * factor + given + i;
        for (uint32_t i = 0; i < std::max(1u, times); ++i)
          x = (x * factor + given) ^ i;
        before[index] = x;
      }
      for (uint32_t index = 0; index < all; ++index)
        after[index] = before[index] ^ before[(index + 37) % all];
    }
    return after;
  }

  struct {
    uint64_t out, kept, given;
    uint32_t rounds = 100, phases = 16;
  } arguments;
  HetLaunch launch = {};
  bool takesTurns = false; ///< Whether interim code and better code run in turns.
  HetArtifact *other = nullptr;
  HetParkingInfo info = {};
  LaunchState state = newState();
};

TEST_F(SuspendingApart, GoesOnBeforeAGridBarrier) {
  leaveApart();
  suspendApart(8);
  finish();
}

TEST_F(SuspendingApart, GoesOnOnTheHost) { moveTo("host"); }

TEST_F(SuspendingApart, ComesFromTheHost) {
  if (!can(Capability::SharesMemory))
    GTEST_SKIP() << "a model of the device takes minutes for what the host begins";
  changeTo("host");
  moveTo(subject().target);
}

TEST_F(SuspendingApart, GoesOnInInterimCodeAndInBetterCode) {
  if (!hasInterimCode())
    GTEST_SKIP() << "the target has no interim code";
  takesTurns = true;
  leaveApart();
  suspendApart(8);
  finish();
}

TEST_F(SuspendingApart, InterimCodeGivesTheSameBits) {
  if (!hasInterimCode())
    GTEST_SKIP() << "the target has no interim code";
  prepare();
  for (const char *options : {"", "interim"}) {
    launch.artifact = load("apart", {}, options);
    write(arguments.out, Words(all, 0));
    CONTRACT_OK(abi->enqueueLaunch(queue, &launch, &status));
    EXPECT_EQ(read<uint32_t>(arguments.out, all), expected()) << options;
    EXPECT_EQ(read<uint32_t>(arguments.kept, all), Words(all, given)) << options;
  }
}

} // namespace
} // namespace het::contract
