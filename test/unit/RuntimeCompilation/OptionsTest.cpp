// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC's options: their forms, what they set, and the words of what is wrong.

#include "het/RuntimeCompilation/Options.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace het;
using namespace het::rtc;

namespace {

Settings read(const std::vector<std::string> &options) {
  llvm::Expected<Settings> settings = readOptions(options);
  if (settings)
    return std::move(*settings);
  ADD_FAILURE() << llvm::toString(settings.takeError());
  return {};
}

std::string refusal(const std::vector<std::string> &options) {
  llvm::Expected<Settings> settings = readOptions(options);
  return settings ? "" : llvm::toString(settings.takeError());
}

bool passes(const Settings &settings, const std::string &word) {
  const std::vector<std::string> &all = settings.compile.clangArguments;
  return std::find(all.begin(), all.end(), word) != all.end();
}

TEST(RtcOptions, Defaults) {
  const Settings settings = read({});
  EXPECT_EQ(settings.compile.arch, "sm_52");
  EXPECT_EQ(settings.standard, "c++17");
  EXPECT_FALSE(settings.hasCubin || settings.isLinkable || settings.deviceByDefault);
  EXPECT_FALSE(settings.compile.relocatable || settings.compile.flushToZero);
  EXPECT_TRUE(settings.compile.contract && settings.compile.preciseDivision);
}

TEST(RtcOptions, OneMeaningInManyForms) {
  for (const auto &options :
       std::vector<std::vector<std::string>>{{"--gpu-architecture=sm_80"},
                                             {"-arch=sm_80"},
                                             {"-arch", "sm_80"},
                                             {"--gpu-architecture", "sm_80"},
                                             {" -arch=sm_80 "}}) {
    const Settings settings = read(options);
    EXPECT_EQ(settings.compile.arch, "sm_80");
    EXPECT_TRUE(settings.hasCubin);
  }
  for (const auto &options : std::vector<std::vector<std::string>>{
           {"-DA=1=2"}, {"-D", "A=1=2"}, {"--define-macro=A=1=2"}, {"-D A=1=2"}})
    EXPECT_TRUE(passes(read(options), "-DA=1=2"));
  for (const auto &options : std::vector<std::vector<std::string>>{
           {"-I/a=b"}, {"-I", "/a=b"}, {"--include-path=/a=b"}})
    EXPECT_EQ(read(options).folders, std::vector<std::string>{"/a=b"});
}

TEST(RtcOptions, WhatTheySet) {
  EXPECT_FALSE(read({"-arch=compute_90a"}).hasCubin);
  EXPECT_EQ(read({"-arch=compute_90a"}).compile.arch, "sm_90");
  EXPECT_TRUE(read({"-rdc=true"}).compile.relocatable);
  EXPECT_FALSE(read({"-rdc=true", "-dw"}).compile.relocatable);
  EXPECT_TRUE(read({"--device-c"}).compile.relocatable);
  EXPECT_TRUE(read({"-dlto"}).isLinkable);
  const Settings fast = read({"--use_fast_math"});
  EXPECT_TRUE(fast.compile.fastMath && fast.compile.flushToZero);
  EXPECT_FALSE(fast.compile.preciseDivision || fast.compile.preciseSqrt);
  EXPECT_FALSE(read({"-fmad=false"}).compile.contract);
  EXPECT_TRUE(read({"-G"}).compile.deviceDebug);
  EXPECT_TRUE(read({"-lineinfo"}).compile.lineInfo);
  EXPECT_TRUE(read({"-default-device"}).deviceByDefault);
  EXPECT_FALSE(read({"-no-source-include"}).sourceFolder);
  EXPECT_EQ(read({"-std=c++20"}).standard, "c++20");
  EXPECT_EQ(read({"--pre-include=a.h,b.h"}).preIncludes,
            (std::vector<std::string>{"a.h", "b.h"}));
  EXPECT_EQ(read({"--time=-"}).timeFile, "-");
  EXPECT_TRUE(passes(read({"-w"}), "-w"));
  EXPECT_TRUE(passes(read({"--diag-suppress=177"}), "-Wno-unused-variable"));
  EXPECT_TRUE(read({"-Werror=all-warnings"}).compile.warningsAreErrors);
}

TEST(RtcOptions, WithoutMeaning) {
  read({"--maxrregcount=32", "-Xptxas=-v", "--ptxas-options", "-O3", "--pch", "-restrict",
        "--split-compile=4", "--minimal", "-jtd=3", "--no-cache", "-ewp", "-dopt=on",
        "--extra-device-vectorization", "--modify-stack-limit=false", "-err-no",
        "--brief-diagnostics=true", "-opt-info=inline", "--gen-opt-lto", ""});
}

TEST(RtcOptions, Refusals) {
  EXPECT_EQ(refusal({"--foo"}), "unrecognized option --foo found");
  EXPECT_EQ(refusal({"-arch=sm_91"}), "invalid value for --gpu-architecture (-arch)");
  EXPECT_EQ(refusal({"-arch=80"}), "invalid value for --gpu-architecture (-arch)");
  EXPECT_EQ(refusal({"-arch=sm_99999999999"}),
            "invalid value for --gpu-architecture (-arch)");
  EXPECT_EQ(refusal({"-std=c++98"}), "invalid value for --std(-std)");
  EXPECT_EQ(refusal({"-maxrregcount=x"}),
            "--maxrregcount (-maxrregcount) expects an integer value");
  EXPECT_EQ(refusal({"--fmad=maybe"}), "--fmad (-fmad) expects true or false");
  EXPECT_EQ(refusal({"-use_fast_math=true"}),
            "--use_fast_math (-use_fast_math) does not accept any argument");
  EXPECT_EQ(refusal({"-optix-ir"}), "--optix-ir (-optix-ir): OptiX is not supported");
  EXPECT_NE(refusal({"x.cu"}), "");
  EXPECT_EQ(refusal({"-I"}), "");
}

} // namespace
