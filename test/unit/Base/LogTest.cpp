// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log's levels, prefix and form.

#include "het/Base/Log.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace het;

TEST(Log, LevelComesFromTheEnvironment) {
  ::setenv("HET_LOG", "info", 1);
  ASSERT_TRUE(setUpLog("hetcc").ok());
  EXPECT_TRUE(logs(Level::Info));
  EXPECT_FALSE(logs(Level::Debug));

  testing::internal::CaptureStderr();
  log(Level::Info, "%d kernels in %s", 3, "a.cu");
  log(Level::Debug, "not printed");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "hetcc: info: 3 kernels in a.cu\n");
}

TEST(Log, BadLevelIsNamed) {
  ::setenv("HET_LOG", "loud", 1);
  Status status = setUpLog("het");
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.text().find("HET_LOG"), std::string::npos);
  EXPECT_NE(status.text().find("loud"), std::string::npos);
  ::unsetenv("HET_LOG");
}
