// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches have in common.

#include "core/code/LaunchConstants.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace het;
using namespace het::core;

namespace {

/// A kernel's arguments: a pointer, an int, a float, a double, a structure of 12 bytes,
/// a byte.
struct Arguments {
  uint64_t pointer = 0x100000001000;
  int32_t count = 100;
  float factor = 1.5f;
  double scale = 2;
  int32_t parts[3] = {1, 2, 3};
  uint8_t flag = 1;

  const uint8_t *packed() const { return reinterpret_cast<const uint8_t *>(this); }
};

class WatchTest : public testing::Test {
protected:
  WatchTest() {
    kernel.parameters = {{0, 8, 8},  {8, 4, 4},   {12, 4, 4},
                         {16, 8, 8}, {24, 12, 4}, {36, 1, 1}};
    shape.block[0] = 64;
    shape.block[1] = 2;
  }
  void add(LaunchWatch &watch) { watch.add(shape, arguments.packed(), {}); }

  KernelInfo kernel;
  LaunchShape shape;
  Arguments arguments;
};

TEST_F(WatchTest, NumbersAreConstants) {
  LaunchWatch watch(kernel);
  EXPECT_TRUE(watch.constants().empty());
  add(watch);
  add(watch);
  EXPECT_EQ(watch.launches(), 2u);
  EXPECT_EQ(watch.constants().words(),
            "block=64,2,1 argument=1:64000000 argument=2:0000c03f "
            "argument=3:0000000000000040 argument=5:01");
}

TEST_F(WatchTest, WhatChangesIsNone) {
  LaunchWatch watch(kernel);
  add(watch);
  arguments.factor = 2;
  add(watch);
  arguments.factor = 1.5f;
  arguments.parts[1] = 7;
  add(watch);
  EXPECT_EQ(watch.constants().words(), "block=64,2,1 argument=1:64000000 "
                                       "argument=3:0000000000000040 argument=5:01");
  shape.block[1] = 1;
  add(watch);
  EXPECT_FALSE(watch.constants().hasBlock);
  watch.restart();
  EXPECT_TRUE(watch.constants().empty());
  add(watch);
  EXPECT_EQ(watch.constants().words().rfind("block=64,1,1 ", 0), 0u);
}

TEST_F(WatchTest, AddressesAreNone) {
  for (uint64_t address :
       {uint64_t(1) << 32, uint64_t(0x7fff12345678), (uint64_t(1) << 57) - 1}) {
    std::memcpy(&arguments.scale, &address, 8);
    LaunchWatch watch(kernel);
    add(watch);
    EXPECT_EQ(watch.constants().words().find("argument=3"), std::string::npos);
  }
  for (uint64_t number : {uint64_t(0), (uint64_t(1) << 32) - 1, ~uint64_t(0)}) {
    std::memcpy(&arguments.scale, &number, 8);
    LaunchWatch watch(kernel);
    add(watch);
    EXPECT_NE(watch.constants().words().find("argument=3"), std::string::npos);
  }
}

TEST_F(WatchTest, MatchLooksAtConstantsAlone) {
  LaunchWatch watch(kernel);
  add(watch);
  LaunchConstants constants = watch.constants();
  arguments.pointer = 0;
  arguments.parts[0] = 9;
  shape.grid[0] = 17;
  EXPECT_TRUE(constants.match(shape, arguments.packed()));
  arguments.flag = 0;
  EXPECT_FALSE(constants.match(shape, arguments.packed()));
  arguments.flag = 1;
  shape.block[2] = 2;
  EXPECT_FALSE(constants.match(shape, arguments.packed()));
}

TEST_F(WatchTest, ManyLaunchesOverSomeTimeSuffice) {
  using std::chrono::milliseconds;
  auto sufficesAfter = [&](unsigned launches, milliseconds span) {
    LaunchWatch watch(kernel);
    for (unsigned i = 1; i < launches; ++i)
      watch.add(shape, arguments.packed(), LaunchWatch::Time());
    watch.add(shape, arguments.packed(), LaunchWatch::Time(span));
    return watch.suffices();
  };
  EXPECT_TRUE(sufficesAfter(32, milliseconds(100)));
  EXPECT_FALSE(sufficesAfter(1000000, milliseconds(99))); // at once
  EXPECT_FALSE(sufficesAfter(31, milliseconds(60000)));   // now and then
  LaunchWatch again(kernel);
  again.add(shape, arguments.packed(), LaunchWatch::Time());
  again.restart();
  for (unsigned i = 0; i < 40; ++i)
    again.add(shape, arguments.packed(), LaunchWatch::Time(milliseconds(200)));
  EXPECT_FALSE(again.suffices());
}

// Equal numbers are not equal bits.
TEST_F(WatchTest, ZerosHaveSigns) {
  arguments.factor = 0.0f;
  LaunchWatch watch(kernel);
  add(watch);
  arguments.factor = -0.0f;
  EXPECT_FALSE(watch.constants().match(shape, arguments.packed()));
}

} // namespace
