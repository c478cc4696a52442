// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of `hetrun --hop`.

#include "migration/control/Hop.h"

#include <gtest/gtest.h>

using het::core::HopPlan;

namespace {

TEST(HopTest, ReadsTimesAndPlaces) {
  auto plan = HopPlan::parse("--hop", "20ms:host,ptx:0,host,host");
  ASSERT_TRUE(plan.ok()) << plan.status().text();
  EXPECT_EQ(plan->interval, std::chrono::milliseconds(20));
  EXPECT_EQ(plan->places,
            (std::vector<std::string>{"host", "ptx:0", "host#2", "host#3"}));
  EXPECT_EQ(HopPlan::parse("", "7us:a,b")->interval, std::chrono::microseconds(7));
  EXPECT_EQ(HopPlan::parse("", "3s:a,b")->interval, std::chrono::seconds(3));
}

TEST(HopTest, NamesWhatIsWrong) {
  const std::pair<const char *, const char *> texts[] = {
      {"", "the time ''"},
      {"20ms", "no devices in '20ms'"},
      {"20:host,host", "the time '20'"},
      {"ms:host,host", "the time 'ms'"},
      {"0ms:host,host", "the time '0ms'"},
      {"-1ms:host,host", "the time '-1ms'"},
      {"20min:host,host", "the time '20min'"},
      {"9999999999s:host,host", "the time '9999999999s'"},
      {"999999s:host,host", "the time '999999s'"},
      {"20ms:", "the device ''"},
      {"20ms:host,,host", "the device ''"},
      {"20ms:host,host,", "the device ''"},
      {"20ms:host,Host", "the device 'Host'"},
      {"20ms:host#2,host", "the device 'host#2'"},
      {"20ms:host", "one device in '20ms:host'"}};
  for (auto [text, message] : texts) {
    auto plan = HopPlan::parse("HET_HOP", text);
    ASSERT_FALSE(plan.ok()) << text;
    EXPECT_NE(plan.status().text().find(std::string("HET_HOP: found ") + message),
              std::string::npos)
        << plan.status().text();
  }
}

} // namespace
