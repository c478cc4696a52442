// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strips that are long enough to cost little and short enough to be parked soon.

#include "PollIntervals.h"
#include "het/Base/Log.h"
#include "het/Target/TargetABI.h"

#include <algorithm>

namespace het::core {

/// Microseconds: from flag to parked; of a strip, where parking takes longer anyway.
static constexpr double wanted = 35, shortestStrip = 10;
/// What is nearer is left as it is.
static constexpr double near = 1.33;
static constexpr double least = 64, most = 4 * HET_USUAL_POLL_INTERVAL;

uint32_t PollInterval::usual() { return HET_USUAL_POLL_INTERVAL; }

static bool isNear(double a, double b) { return a < near * b && b < near * a; }

uint32_t PollInterval::lengthFor(const Sample &now) const {
  double fixed = 0;
  if (before) {
    const double slope = (before->microseconds - now.microseconds) /
                         (before->operations - now.operations);
    fixed = std::clamp(now.microseconds - slope * now.operations, 0.0, now.microseconds);
  }
  const double strip = now.microseconds - fixed;
  constexpr double noise = 1.0 / 16;
  if (strip <= now.microseconds * noise)
    return usual();
  const double length = now.operations * std::max(wanted - fixed, shortestStrip) / strip;
  // By steps, for a strip's work is not all of one kind.
  constexpr double largestStep = 16;
  return std::clamp(std::clamp(length, now.operations / largestStep, now.operations * 2),
                    least, most);
}

void PollInterval::note(uint32_t operations, Time taken) {
  const Sample now = {double(operations), taken.count()};
  if (latest && !isNear(latest->operations, now.operations))
    before = latest;
  latest = now;
  const uint32_t length = lengthFor(now);
  if (!isNear(length, now.operations))
    current = length;
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
