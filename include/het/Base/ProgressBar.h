// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far something is that takes long, on a terminal.

#ifndef HET_BASE_PROGRESSBAR_H
#define HET_BASE_PROGRESSBAR_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace het {

/// Is told how much is done, of how much; by any threads, often.
using ProgressFunction = std::function<void(uint64_t done, uint64_t total)>;

class ProgressBar {
public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;
  enum class Unit { Bytes, Items };

  /// Draws on a file if it is a terminal, and if it takes longer than a second. `label`
  /// stands in front.
  ProgressBar(std::string label, int file, Now now = Clock::now, Unit unit = Unit::Bytes);
  /// Leaves the line empty.
  ~ProgressBar();
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &operator=(const ProgressBar &) = delete;

  void update(uint64_t done, uint64_t total);

  /// A line of so many columns, such as `label [####....]  40% 1.2 of 3.0 GB, 800 MB/s`,
  /// or, of items, `label [####....]  40% 4 of 10`.
  static std::string line(const std::string &label, uint64_t done, uint64_t total,
                          double seconds, unsigned columns, Unit unit = Unit::Bytes);

private:
  const std::string label;
  const int file;
  const bool isTerminal;
  const Now now;
  const Unit unit;
  const Clock::time_point begin;
  std::mutex mutex; ///< Guards what follows.
  Clock::time_point next;
  bool hasDrawn = false;
};

} // namespace het

#endif // HET_BASE_PROGRESSBAR_H
