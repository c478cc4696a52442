// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that moves a device all the time.

#ifndef HET_TEST_MOVEMENT_MOVER_H
#define HET_TEST_MOVEMENT_MOVER_H

#include "migration/MigratableDevice.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

/// Moves round and round until it is stopped.
class Mover {
public:
  Mover(het::core::MigratableDevice &migratable, std::vector<std::string> places)
      : thread([this, &migratable, places = std::move(places)] {
          for (size_t i = 0; !ends; ++i) {
            het::Result<het::core::MoveReport> report =
                migratable.migration.moveTo(places[i % places.size()]);
            EXPECT_TRUE(report.ok()) << report.status().text();
            if (report.ok()) {
              moves += report->moved;
              parked += report->blocksParked;
            }
            std::this_thread::yield();
          }
        }) {}
  ~Mover() { stop(); }
  /// Waits for the last move.
  void stop() {
    ends = true;
    if (thread.joinable())
      thread.join();
  }
  std::atomic<uint64_t> moves{0}, parked{0};

private:
  std::atomic<bool> ends{false};
  std::thread thread;
};

#endif // HET_TEST_MOVEMENT_MOVER_H
