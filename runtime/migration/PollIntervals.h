// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much work a kernel of a migratable process does between two polls, on each backend.
// The targets' own intervals are estimates; they are corrected by how long the kernel
// took to stop.

#ifndef HET_RUNTIME_MIGRATION_POLLINTERVALS_H
#define HET_RUNTIME_MIGRATION_POLLINTERVALS_H

#include "het/Target/TargetABI.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>

namespace het::core {

class Backend;

/// On one backend. Parking takes some time in any case, which is not known, and some for
/// each operation of a chunk. So it is measured with the target's interval, then with a
/// short one, and the interval is set by both; again when it has taken much longer for
/// some times.
class PollInterval {
public:
  using Time = std::chrono::duration<double, std::micro>;

  /// 0: the target's.
  uint32_t operations() const { return current; }
  /// Blocks of a launch that had so many between polls stopped so long after the flag.
  void note(uint32_t operations, Time taken);

private:
  void measure(double taken);
  void watch(double taken);

  uint32_t current = 0;
  uint32_t usual = 0;              ///< The target's.
  unsigned measured = 0;           ///< Times, since it was begun anew.
  double atUsual = 0, atShort = 0; ///< µs; the least.
  double expected = 0;             ///< µs; with `current`.
  unsigned timesLonger = 0;        ///< One after the other.
};

class PollIntervals {
public:
  /// `fixed`: what was asked for, and stays; 0: nothing.
  explicit PollIntervals(uint32_t fixed) : fixed(fixed) {}

  uint32_t on(const Backend &backend);
  void note(const Backend &backend, uint32_t operations, std::chrono::nanoseconds taken);

private:
  const uint32_t fixed;
  std::mutex mutex;
  std::map<const Backend *, PollInterval> intervals; ///< Guarded by the mutex.
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_POLLINTERVALS_H
