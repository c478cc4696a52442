// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting for another thread or process. No test's verdict depends on a time: what must
// happen is waited for, and what must not happen is looked for when others have had
// turns.
// not timed: the limit is one that only a hang reaches

#ifndef HET_TEST_UNIT_EVENTUALLY_H
#define HET_TEST_UNIT_EVENTUALLY_H

#include <chrono>
#include <thread>

namespace het::test {

/// Waits until a condition holds. False after minutes, which only a hang takes.
template <typename Condition> [[nodiscard]] bool eventually(Condition condition) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::minutes(5);
  while (!condition()) {
    if (Clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

/// Gives other threads many turns, so that one that does not wait though it should is
/// found. Where it waits nothing depends on how many turns it had.
inline void letOthersRun() {
  for (int turn = 0; turn < 20; ++turn)
    std::thread([] { std::this_thread::yield(); }).join();
}

} // namespace het::test

#endif // HET_TEST_UNIT_EVENTUALLY_H
