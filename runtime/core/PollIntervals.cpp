// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strips that are long enough to cost little and short enough to be parked soon.

#include "PollIntervals.h"
#include "het/Base/Log.h"

#include <algorithm>

namespace het::core {

/// Of a strip, in µs. What is longer adds to what parking takes anyway, some 40 on a GPU.
static constexpr double wantedStrip = 10;
static constexpr uint32_t shortened = HET_USUAL_POLL_INTERVAL / 8,
                          least = HET_USUAL_POLL_INTERVAL / 128;
/// Measurements: one with the usual interval, then some with the short one. Other work of the
/// machine makes some too long, so the least counts.
static constexpr unsigned ofShort = 2;

void PollInterval::note(uint32_t operations, Time taken) {
  if (operations != current)
    return; // of a launch from before it was changed
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
  if (++measured <= ofShort) {
    current = shortened;
    return;
  }
  constexpr double difference = HET_USUAL_POLL_INTERVAL - shortened;
  const double ofOne = std::max(atUsual - atShort, 0.0) / difference;
  const double wanted = ofOne > 0 ? wantedStrip / ofOne : HET_USUAL_POLL_INTERVAL;
  current = std::clamp<double>(wanted, least, HET_USUAL_POLL_INTERVAL);
  expected = std::max(atShort + (double(current) - shortened) * ofOne, 0.0);
}

/// Its loops may have become others.
void PollInterval::watch(double taken) {
  constexpr unsigned enough = 3;
  timesLonger = taken > 2 * expected ? timesLonger + 1 : 0;
  if (timesLonger == enough)
    *this = PollInterval();
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
  interval.note(operations, taken);
  log(Level::Debug, "parked after %.1f us with %u operations between polls; now %u",
      PollInterval::Time(taken).count(), operations, interval.operations());
}

} // namespace het::core
