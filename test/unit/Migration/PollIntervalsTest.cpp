// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poll intervals of made-up kernels that take a time to park, and some more for each
// operation of a strip.

#include "migration/PollIntervals.h"
#include "het/Target/TargetABI.h"

#include <gtest/gtest.h>

using het::core::PollInterval;

namespace {

constexpr uint32_t usual = 2 * HET_USUAL_POLL_INTERVAL;

/// As a target that was given it fills it in.
uint32_t operationsOf(const PollInterval &interval) {
  return interval.operations() ? interval.operations() : usual;
}

struct Kernel {
  double fixed, ofUsualStrip; ///< Microseconds.

  double strip(const PollInterval &interval) const {
    return ofUsualStrip * operationsOf(interval) / usual;
  }
  /// `more`: of its time, that other work takes.
  void park(PollInterval &interval, double more = 0) const {
    interval.note(operationsOf(interval),
                  PollInterval::Time((fixed + strip(interval)) * (1 + more)));
  }
};

constexpr unsigned measurements = 3;

TEST(PollIntervals, LongStripsBecomeShorter) {
  for (const Kernel &kernel : {Kernel{20, 415}, Kernel{40, 100}, Kernel{170, 40}}) {
    PollInterval interval;
    for (unsigned i = 0; i < measurements; ++i)
      kernel.park(interval);
    EXPECT_NEAR(kernel.strip(interval), 10, 0.5) << kernel.fixed;
    for (unsigned i = 0; i < 20; ++i)
      kernel.park(interval, i % 3 ? 0.5 : 3); // some take much longer
    EXPECT_NEAR(kernel.strip(interval), 10, 0.5) << kernel.fixed;
  }
}

TEST(PollIntervals, AMeasurementThatWasDisturbedIsOutdone) {
  const Kernel kernel = {40, 60};
  PollInterval interval;
  kernel.park(interval);
  kernel.park(interval, 5);
  kernel.park(interval);
  EXPECT_NEAR(kernel.strip(interval), 10, 0.5);
}

TEST(PollIntervals, ShortStripsStayAsTheyAre) {
  for (const Kernel &kernel : {Kernel{60, 0}, Kernel{40, 4}, Kernel{170, 9}}) {
    PollInterval interval;
    for (unsigned i = 0; i < 10; ++i)
      kernel.park(interval);
    EXPECT_EQ(interval.operations(), usual) << kernel.fixed;
  }
}

TEST(PollIntervals, LoopsThatBecomeSlowerAreMeasuredAnew) {
  PollInterval interval;
  for (unsigned i = 0; i < 10; ++i)
    Kernel{40, 20}.park(interval);
  const Kernel slower = {40, 400};
  for (unsigned i = 0; i < 3 + measurements; ++i)
    slower.park(interval);
  EXPECT_NEAR(slower.strip(interval), 10, 0.5);
}

TEST(PollIntervals, OtherIntervalsSayNothing) {
  PollInterval interval;
  Kernel{40, 4}.park(interval);
  const uint32_t next = interval.operations();
  EXPECT_LT(next, usual);
  interval.note(usual, PollInterval::Time(1000));
  EXPECT_EQ(interval.operations(), next);
}

TEST(PollIntervals, FewOperationsStayAsTheyAre) {
  PollInterval interval;
  for (unsigned i = 0; i < 10; ++i)
    interval.note(50, PollInterval::Time(100));
  EXPECT_EQ(interval.operations(), 0u);
}

TEST(PollIntervals, AnyTimesGiveAnInterval) {
  PollInterval interval;
  for (double time : {0.0, 0.0, 1e12, 5.0, 1e-9, 1e3, 1e18, 0.0, 2e3, 1e18, 0.0, 0.0}) {
    interval.note(operationsOf(interval), PollInterval::Time(time));
    EXPECT_GE(operationsOf(interval), 1u);
    EXPECT_LE(interval.operations(), usual);
  }
}

} // namespace
