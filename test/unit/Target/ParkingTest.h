// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that are parked and gone on with, through a device's table.

#ifndef HET_TEST_TARGET_PARKINGTEST_H
#define HET_TEST_TARGET_PARKINGTEST_H

#include "Eventually.h"
#include "TargetTest.h"

#include <algorithm>
#include <functional>

class ParkingTest : public TargetTest {
protected:
  /// A launch's state as the runtime keeps it.
  struct State : HetLaunchState {
    std::vector<uint8_t> standing, bytes;

    explicit State(uint64_t count) : HetLaunchState{}, standing(count) {
      blocks = standing.data();
      blockCount = count;
      resize = [](HetLaunchState *base, uint64_t size) -> int32_t {
        auto *self = static_cast<State *>(base);
        self->bytes.assign(size, 0xEE);
        self->states = size ? self->bytes.data() : nullptr;
        return 1;
      };
    }
    uint64_t number(uint8_t stand) const {
      return std::count(standing.begin(), standing.end(), stand);
    }
  };

  void enqueue(const HetLaunch &launch, State &state) {
    EXPECT_EQ(abi->enqueueParkable(queue, &launch, &state, &status), HET_OK)
        << status.message;
  }

  /// Waits for what was enqueued, while the device parks.
  void park(State &state) {
    abi->setParking(device, 1);
    abi->synchronize(queue);
    abi->setParking(device, 0);
    EXPECT_EQ(state.number(HET_BLOCK_PARKED), state.parkedCount);
    EXPECT_EQ(state.states != nullptr, state.parkedCount != 0);
    EXPECT_EQ(abi->fault(device, &status), HET_FAULT_NONE) << status.message;
  }

  /// Runs it to its end.
  void run(const HetLaunch &launch, State &state) {
    enqueue(launch, state);
    abi->synchronize(queue);
    EXPECT_EQ(abi->fault(device, &status), HET_FAULT_NONE) << status.message;
    EXPECT_EQ(state.number(HET_BLOCK_ENDED), state.blockCount);
  }

  /// The same, parked each time when the progress that a test sees has grown: until it is
  /// `total`. Returns how many blocks were parked in all.
  uint64_t runDisturbed(const HetLaunch &launch, State &state, uint64_t total,
                        const std::function<uint64_t()> &progress) {
    uint64_t parked = 0;
    for (uint64_t seen; (seen = progress()) < total && !HasFailure();) {
      enqueue(launch, state);
      EXPECT_TRUE(het::test::eventually([&] { return progress() > seen; }));
      park(state);
      parked += state.parkedCount;
    }
    if (state.number(HET_BLOCK_ENDED) < state.blockCount)
      run(launch, state);
    return parked;
  }
};

#endif // HET_TEST_TARGET_PARKINGTEST_H
