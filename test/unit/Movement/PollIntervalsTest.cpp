// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poll intervals of made-up kernels that take a time to park, and some more for each
// operation of a strip.

#include "PollIntervals.h"
#include "het/Target/TargetABI.h"

#include <gtest/gtest.h>

using het::core::PollInterval;

namespace {

struct Kernel {
  double fixed, ofUsualStrip; ///< Microseconds.
  double noise = 0;           ///< Of its time, up and down in turn.

  double timeWith(uint32_t operations) const {
    return fixed + ofUsualStrip * operations / HET_USUAL_POLL_INTERVAL;
  }
  uint32_t parkOften(PollInterval &interval) const {
    for (int i = 0; i < 20; ++i) {
      const double time = timeWith(interval.operations()) * (1 + (i % 2 ? noise : -noise));
      interval.note(interval.operations(), PollInterval::Time(time));
    }
    return interval.operations();
  }
};

TEST(PollIntervals, LongStripsBecomeShorter) {
  for (const Kernel &kernel : {Kernel{20, 415}, Kernel{10, 100, 0.05}, Kernel{22, 60, 0.05}}) {
    PollInterval interval;
    const double time = kernel.timeWith(kernel.parkOften(interval));
    EXPECT_LT(time, 45) << kernel.fixed;
    EXPECT_GT(time, 25) << kernel.fixed;
  }
}

TEST(PollIntervals, TheFirstTimeCountsMost) {
  PollInterval interval;
  const Kernel kernel = {20, 415};
  interval.note(interval.operations(), PollInterval::Time(435));
  interval.note(interval.operations(),
                PollInterval::Time(kernel.timeWith(interval.operations())));
  EXPECT_LT(kernel.timeWith(interval.operations()), 45);
}

TEST(PollIntervals, WhereParkingTakesLongAnywayStripsStayLongEnough) {
  PollInterval interval;
  const Kernel kernel = {170, 40};
  const uint32_t operations = kernel.parkOften(interval);
  EXPECT_GT(kernel.timeWith(operations) - kernel.fixed, 7);
}

TEST(PollIntervals, WhereStripsDoNotMatterTheyAreTheUsualOnes) {
  PollInterval interval;
  const Kernel kernel = {60, 0.5};
  for (int i = 0; i < 20; ++i)
    kernel.parkOften(interval);
  EXPECT_EQ(interval.operations(), HET_USUAL_POLL_INTERVAL);
}

TEST(PollIntervals, ShortStripsBecomeLonger) {
  PollInterval interval;
  const Kernel kernel = {12, 2};
  const double time = kernel.timeWith(kernel.parkOften(interval));
  EXPECT_GT(time, 18);
  EXPECT_LT(time, 45);
}

TEST(PollIntervals, AnyTimesGiveAnInterval) {
  PollInterval interval;
  for (double time : {0.0, 1e-9, 1e12, 5.0, 0.0, 1e3, 1e3, 2e3})
    for (uint32_t operations : {interval.operations(), 1u, 1u << 20}) {
      interval.note(operations, PollInterval::Time(time));
      EXPECT_GE(interval.operations(), 1u);
      EXPECT_LE(interval.operations(), HET_MOST_POLL_INTERVAL);
    }
}

} // namespace
