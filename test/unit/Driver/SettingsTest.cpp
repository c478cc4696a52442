// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What options mean.

#include "Settings.h"
#include "Architecture.h"

#include <gtest/gtest.h>

using namespace het;
using namespace het::driver;
using Words = std::vector<std::string>;

static Settings read(const Words &words) {
  llvm::Expected<CommandLine> line = parseCommandLine(words);
  if (!line) {
    ADD_FAILURE() << llvm::toString(line.takeError());
    return {};
  }
  llvm::Expected<Settings> settings = readSettings(*line);
  if (settings)
    return std::move(*settings);
  ADD_FAILURE() << llvm::toString(settings.takeError());
  return {};
}

TEST(DriverSettings, TheHighestArchitectureCounts) {
  EXPECT_EQ(read({}).compile.arch, "sm_90");
  EXPECT_EQ(read({"-arch=sm_70"}).compile.arch, "sm_70");
  EXPECT_EQ(read({"-gencode", "arch=compute_60,code=sm_60", "-gencode",
                  "arch=compute_86,code=[compute_86,sm_86]"})
                .compile.arch,
            "sm_86");
  EXPECT_EQ(read({"-arch=native"}).compile.arch, "sm_90");
  EXPECT_EQ(read({"-arch=sm_90a"}).compile.arch, "sm_90");
  EXPECT_EQ(read({}).compile.archList, "900");
  EXPECT_EQ(read({"-arch=sm_100a"}).compile.archList, "1000");
  EXPECT_EQ(read({"-gencode", "arch=compute_86,code=[compute_86,sm_86]", "-gencode",
                  "arch=compute_75,code=sm_75"})
                .compile.archList,
            "750,860");
}

TEST(DriverSettings, Architectures) {
  for (unsigned number : knownArchitectures()) {
    auto found = parseArchitecture("compute_" + std::to_string(number));
    ASSERT_TRUE(static_cast<bool>(found));
    EXPECT_EQ(*found, number);
  }
  EXPECT_EQ(read({"-arch=sm_35"}).compile.arch, "sm_35");        // before ours
  EXPECT_EQ(read({"-arch=compute_110"}).compile.arch, "sm_110"); // and after
  for (const char *name : {"sm_", "sm_1", "90", "sm_90b", "", "sm_9000"}) {
    auto found = parseArchitecture(name);
    EXPECT_FALSE(static_cast<bool>(found)) << name;
    llvm::consumeError(found.takeError());
  }
}

TEST(DriverSettings, TheEarliestStopWins) {
  EXPECT_EQ(read({}).phase, Phase::Link);
  EXPECT_EQ(read({"-shared", "-c"}).phase, Phase::Compile);
  EXPECT_EQ(read({"-c", "-E"}).phase, Phase::Preprocess);
  EXPECT_EQ(read({"-dlink", "-shared"}).phase, Phase::DeviceLink);
  EXPECT_EQ(read({"--het-emit=hetir"}).phase, Phase::Emit);
}

TEST(DriverSettings, FastMathImpliesFourOthers) {
  Settings fast = read({"-use_fast_math"});
  EXPECT_TRUE(fast.compile.fastMath);
  EXPECT_TRUE(fast.compile.flushToZero);
  EXPECT_FALSE(fast.compile.preciseDivision);
  EXPECT_FALSE(fast.compile.preciseSqrt);
  EXPECT_TRUE(fast.compile.contract);
  EXPECT_FALSE(read({"-fmad=false"}).compile.contract);
}

TEST(DriverSettings, WhatIsGivenBesideFastMathCountsInAnyOrder) {
  for (bool isFirst : {false, true}) {
    Words words = {"-ftz=false", "-prec-div=true", "-prec-sqrt=true", "-fmad=false"};
    words.insert(isFirst ? words.begin() : words.end(), "-use_fast_math");
    Settings settings = read(words);
    EXPECT_TRUE(settings.compile.fastMath);
    EXPECT_FALSE(settings.compile.flushToZero);
    EXPECT_TRUE(settings.compile.preciseDivision);
    EXPECT_TRUE(settings.compile.preciseSqrt);
    EXPECT_FALSE(settings.compile.contract);
    EXPECT_TRUE(settings.warnings.empty());
  }
}

TEST(DriverSettings, TheLastOfTwoOppositesCountsWithAWarning) {
  for (const char *option : {"-ftz=", "-prec-div=", "-prec-sqrt=", "-fmad="}) {
    const std::string name = option;
    EXPECT_EQ(read({name + "true", name + "false"}).warnings.size(), 1u) << name;
    EXPECT_TRUE(read({name + "true", name + "true"}).warnings.empty()) << name;
  }
  EXPECT_FALSE(read({"-ftz=true", "-ftz=false"}).compile.flushToZero);
  EXPECT_TRUE(read({"-ftz=false", "-ftz=true"}).compile.flushToZero);
}

TEST(DriverSettings, WhatHasNoEffectIsNoted) {
  Settings settings =
      read({"-maxrregcount=32", "-Xptxas", "-O3", "-Xcudafe", "--diag_suppress=20012",
            "-Xfatbin", "-compress-all", "-Xcicc", "-O3", "-Xnvlink", "-v"});
  ASSERT_EQ(settings.notes.size(), 6u);
  EXPECT_EQ(settings.notes[0].find("-maxrregcount=32 has no effect"), 0u);
}

TEST(DriverSettings, ARedefinitionIsAWarning) {
  Settings settings = read({"-o", "a", "-o", "b"});
  EXPECT_EQ(settings.output, "b");
  EXPECT_EQ(settings.warnings.size(), 1u);
}

TEST(DriverSettings, RefusedOptionsSayWhy) {
  llvm::Expected<CommandLine> line = parseCommandLine(Words{"-optix-ir"});
  ASSERT_TRUE(static_cast<bool>(line));
  llvm::Expected<Settings> settings = readSettings(*line);
  ASSERT_FALSE(static_cast<bool>(settings));
  EXPECT_EQ(
      llvm::toString(settings.takeError()).find("option '-optix-ir' is not supported: "),
      0u);
}
