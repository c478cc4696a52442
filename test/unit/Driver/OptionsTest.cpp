// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option table itself.

#include "Options.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace het::driver;

TEST(DriverOptions, NamesAreUnique) {
  std::set<std::string> seen;
  for (const OptionInfo &option : optionTable()) {
    EXPECT_TRUE(seen.insert("--" + option.longName.str()).second)
        << option.longName.str();
    if (!option.shortName.empty()) {
      EXPECT_TRUE(seen.insert("-" + option.shortName.str()).second)
          << option.shortName.str();
    }
  }
}

TEST(DriverOptions, EveryOptionSaysSomething) {
  for (const OptionInfo &option : optionTable())
    EXPECT_FALSE(option.text.empty()) << option.longName.str();
}

TEST(DriverOptions, NearestIsNear) {
  EXPECT_EQ(nearestOption("--gpu-architectur=sm_80"), "--gpu-architecture");
  EXPECT_EQ(nearestOption("--arch"), "-arch");
  EXPECT_EQ(nearestOption("-lineinf"), "-lineinfo");
  EXPECT_EQ(nearestOption("--nothing-like-this-at-all"), "");
}

TEST(DriverOptions, ValuesAreChecked) {
  const OptionInfo *cudart = findShortOption("cudart");
  ASSERT_NE(cudart, nullptr);
  EXPECT_TRUE(cudart->allows("shared"));
  EXPECT_FALSE(cudart->allows("share"));
  EXPECT_TRUE(findShortOption("o")->allows("anything"));
}
