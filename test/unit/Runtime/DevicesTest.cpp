// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which devices there are, and what a bad environment gives.

#include "Support.h"

#include <cstdio>
#include <cstdlib>

using namespace het;

namespace {

TEST(DevicesTest, AreThoseOfTheVariable) {
  ASSERT_EQ(runtime().deviceCount(), 3u);
  EXPECT_EQ(runtime().device(firstHost).name(), "host");
  EXPECT_EQ(runtime().device(secondHost).name(), "host");
  EXPECT_EQ(runtime().device(nullDevice).name(), "null");
  for (unsigned index = 0; index < 3; ++index)
    EXPECT_EQ(runtime().device(index).index(), index);
}

TEST(DevicesTest, HavePropertiesThatProgramsCanDivideBy) {
  for (size_t index = 0; index < runtime().deviceCount(); ++index) {
    const HetDeviceProperties &facts = runtime().device(index).properties();
    EXPECT_NE(facts.name[0], 0);
    EXPECT_NE(facts.arch[0], 0);
    EXPECT_GT(facts.totalMemory, 0u);
    EXPECT_GT(facts.processorCount, 0u);
    EXPECT_GT(facts.clockKilohertz, 0u);
    EXPECT_EQ(facts.memoryGranularity & (facts.memoryGranularity - 1), 0u);
  }
}

/// Starts this program anew with another environment; the runtime's failure
/// goes to stderr.
void makeRuntime(const char *name, const char *value) {
  setenv(name, value, 1);
  Result<core::Runtime *> result = core::Runtime::get();
  if (!result.ok())
    std::fprintf(stderr, "%s\n", result.status().text().c_str());
  std::_Exit(result.ok() ? 0 : 3);
}

class BadEnvironmentTest : public testing::Test {
protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(BadEnvironmentTest, NamesTheDevice) {
  EXPECT_EXIT(makeRuntime("HET_DEVICES", "host,frob"), testing::ExitedWithCode(3),
              "frob");
}

TEST_F(BadEnvironmentTest, NamesTheVariableOfABadName) {
  EXPECT_EXIT(makeRuntime("HET_DEVICES", "host;null"), testing::ExitedWithCode(3),
              "HET_DEVICES.*host;null");
  EXPECT_EXIT(makeRuntime("HET_DEVICES", "host:x"), testing::ExitedWithCode(3),
              "HET_DEVICES.*host:x");
  EXPECT_EXIT(makeRuntime("HET_DEVICES", ","), testing::ExitedWithCode(3), "HET_DEVICES");
}

TEST_F(BadEnvironmentTest, NamesTheVariableOfTheThreads) {
  EXPECT_EXIT(makeRuntime("HET_HOST_THREADS", "many"), testing::ExitedWithCode(3),
              "HET_HOST_THREADS.*many");
}

TEST_F(BadEnvironmentTest, NamesTheVariableOfTheCache) {
  EXPECT_EXIT(makeRuntime("HET_CACHE_SIZE", "much"), testing::ExitedWithCode(3),
              "HET_CACHE_SIZE.*much");
}

TEST_F(BadEnvironmentTest, NamesTheVariableOfTheLog) {
  EXPECT_EXIT(makeRuntime("HET_LOG", "loud"), testing::ExitedWithCode(3),
              "HET_LOG.*loud");
}

} // namespace
