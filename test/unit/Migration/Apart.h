// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target whose devices are the host's, but say that their memory is their own, so that
// a move to one has to copy it. A test can make things fail.

#ifndef HET_TEST_MOVEMENT_APART_H
#define HET_TEST_MOVEMENT_APART_H

#include <atomic>
#include <cstdint>

struct ApartControl {
  std::atomic<int> mapsUntilFailure{-1}; ///< From then on all; less than 0: none.
  std::atomic<bool> copiesFail{false}, pinsFail{false}, limitsFail{false};
  std::atomic<uint32_t> parkableThreads{1024}; ///< The most a block of parkable code has.
  std::atomic<bool> loadsParkable{true};
  std::atomic<int> plainLaunches{0};
  std::atomic<uint32_t> sharedBytes{227 << 10}; ///< When a device is opened.
  std::atomic<uint64_t> layoutChange{0};        ///< Added to that of every kernel.
  std::atomic<uint32_t> places{64};             ///< For blocks, on one processor.
  std::atomic<int> maps{0}, copies{0}, pins{0};
  std::atomic<void *> lost[2] = {}; ///< HetDevices; by loseApart().
};

/// Exported by the device as hetApartControl.
using ApartFunction = ApartControl *(*)();
/// Exported as hetApartLose: the device does nothing more. Null: none is lost any more.
using ApartLose = void (*)(void *device);

#endif // HET_TEST_MOVEMENT_APART_H
