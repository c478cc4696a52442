// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds chunks of loops that are long enough to cost little and short enough to be
// suspended soon.

#include "migration/PollIntervals.h"
#include "het/Base/Log.h"

#include <algorithm>

namespace het::core {

/// Wanted time of a strip-mined chunk, in µs. A longer one adds to what suspending takes
/// anyway, some 20 on a GPU.
static constexpr double wantedStrip = 10;
/// Parts of the target's interval.
static constexpr uint32_t ofShortened = 8, ofLeast = 256;
/// Measurements: one with the target's interval, then some with the short one. Other work
/// of the machine makes some too long, so the least counts.
static constexpr unsigned ofShort = 2;

void PollInterval::note(uint32_t operations, Time taken) {
  if (current ? operations != current : operations < ofLeast)
    return; // of a launch from before it was changed, or there is nothing to shorten
  if (!current)
    usual = current = operations;
  if (measured <= ofShort)
    measure(taken.count());
  else
    watch(taken.count());
}

void PollInterval::measure(double taken) {
  if (measured == 0)
    atUsual = taken;
  else
    atShort = measured == 1 ? taken : std::min(atShort, taken);
  const uint32_t shortened = usual / ofShortened;
  if (++measured <= ofShort) {
    current = shortened;
    return;
  }
  const double difference = usual - shortened;
  const double ofOne = std::max(atUsual - atShort, 0.0) / difference;
  const double wanted = ofOne > 0 ? wantedStrip / ofOne : usual;
  current = std::clamp<double>(wanted, double(usual) / ofLeast, usual);
  expected = std::max(atShort + (double(current) - shortened) * ofOne, 0.0);
}

/// Its loops may have become others.
void PollInterval::watch(double taken) {
  constexpr unsigned enough = 3;
  timesLonger = taken > 2 * expected ? timesLonger + 1 : 0;
  if (timesLonger == enough) {
    current = usual;
    measured = timesLonger = 0;
  }
}

uint32_t PollIntervals::on(const Backend &backend) {
  if (fixed)
    return fixed;
  std::lock_guard<std::mutex> lock(mutex);
  return intervals[&backend].operations();
}

void PollIntervals::note(const Backend &backend, uint32_t operations,
                         std::chrono::nanoseconds taken) {
  std::lock_guard<std::mutex> lock(mutex);
  PollInterval &interval = intervals[&backend];
  if (!fixed)
    interval.note(operations, taken);
  log(Level::Debug, "parked after %.1f us with %u operations between polls; now %u",
      PollInterval::Time(taken).count(), operations, interval.operations());
}

} // namespace het::core
