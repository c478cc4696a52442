// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spellings.

#include "CommandLine.h"

#include <gtest/gtest.h>

using namespace het::driver;
using Words = std::vector<std::string>;

static CommandLine parse(const Words &words) {
  llvm::Expected<CommandLine> line = parseCommandLine(words);
  if (line)
    return std::move(*line);
  ADD_FAILURE() << llvm::toString(line.takeError());
  return {};
}

static std::string failure(const Words &words) {
  llvm::Expected<CommandLine> line = parseCommandLine(words);
  return line ? "no failure" : llvm::toString(line.takeError());
}

TEST(CommandLine, EveryOptionInEverySpelling) {
  for (const OptionInfo &option : optionTable()) {
    if (option.id == OptionId::OptionsFile)
      continue;
    std::string value = "1";
    if (option.form == OptionForm::Boolean)
      value = "true";
    else if (!option.values.empty() && !option.values.contains('<'))
      value = option.values.split('|').first.str();
    std::string longName = "--" + option.longName.str();
    std::string shortName = "-" + option.shortName.str();
    std::vector<Words> spellings;
    if (!option.takesValue())
      spellings = {{longName}, {shortName}};
    else
      spellings = {{longName, value},
                   {longName + "=" + value},
                   {shortName, value},
                   {shortName + "=" + value}};
    for (const Words &words : spellings) {
      if (option.shortName.empty() && words.front()[1] != '-')
        continue;
      CommandLine line = parse(words);
      ASSERT_EQ(line.arguments.size(), 1u) << words.front();
      EXPECT_TRUE(line.arguments[0].is(option.id)) << words.front();
      if (option.takesValue()) {
        EXPECT_EQ(line.arguments[0].value(), value) << words.front();
      }
    }
  }
}

TEST(CommandLine, ValuesJoinedToALetter) {
  CommandLine line = parse({"-DA=1", "-Idir", "-lm", "-O3", "-t4"});
  ASSERT_EQ(line.arguments.size(), 5u);
  EXPECT_EQ(line.arguments[0].value(), "A=1");
  EXPECT_EQ(line.arguments[1].value(), "dir");
  EXPECT_EQ(line.arguments[2].value(), "m");
  EXPECT_EQ(line.arguments[3].value(), "3");
  EXPECT_EQ(line.arguments[4].value(), "4");
}

TEST(CommandLine, LongestNameWins) {
  // Not -l with the value "ib", not -l "ineinfo".
  EXPECT_TRUE(parse({"-lib"}).has(OptionId::Library));
  EXPECT_TRUE(parse({"-lineinfo"}).has(OptionId::LineInfo));
  EXPECT_EQ(parse({"-libverbs"}).arguments[0].value(), "ibverbs");
}

// Each of the tools that nvcc calls has such an option; those that are not called
// here take and ignore theirs.
TEST(CommandLine, WordsForOtherTools) {
  for (const char *name : {"-Xcompiler", "-Xlinker", "-Xarchive", "-Xptxas", "-Xnvlink",
                           "-Xcudafe", "-Xcicc", "-Xfatbin", "-Xnvasm", "-Xnvdisasm"}) {
    CommandLine line = parse({name, "--one,\"--two,three\"", "-c"});
    ASSERT_EQ(line.arguments.size(), 2u) << name;
    ASSERT_EQ(line.arguments[0].values.size(), 2u) << name;
    EXPECT_EQ(line.arguments[0].values[0], "--one") << name;
  }
}

TEST(CommandLine, UnknownOptions) {
  EXPECT_EQ(failure({"-arc=sm_80"}),
            "Unknown option '-arc=sm_80'; did you mean '-arch'?");
  EXPECT_EQ(failure({"-march=native"}).find("Unknown option"), 0u);
  CommandLine line = parse({"-march=native", "-forward-unknown-to-host-compiler"});
  EXPECT_EQ(line.arguments[0].kind, Argument::Kind::Unknown);
  EXPECT_TRUE(line.forwardToCompiler);
  EXPECT_FALSE(line.forwardToLinker);
}

TEST(CommandLine, BadValues) {
  EXPECT_EQ(failure({"-o"}), "argument expected after '-o'");
  EXPECT_EQ(failure({"--keep=yes"}), "option '--keep' takes no value");
  EXPECT_EQ(failure({"-ftz=1"}), "Value '1' is not defined for option 'ftz'");
}

TEST(CommandLine, InputsKeepTheirOrder) {
  CommandLine line = parse({"b.o", "", "-c", "a.cu"});
  ASSERT_EQ(line.arguments.size(), 3u);
  EXPECT_EQ(line.arguments[0].text, "b.o");
  EXPECT_EQ(line.arguments[2].text, "a.cu");
}
