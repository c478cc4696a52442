// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that stands for a package's PTX: what programs look for is in it, and the
// package comes out of it as it was.

#include "het/Package/PackageText.h"
#include "het/Package/PackageWriter.h"
#include "het/RuntimeCompilation/RuntimeCompilation.h"

#include "gtest/gtest.h"

using namespace het;

namespace {

Bytes samplePackage() {
  PackageWriter writer("test");
  VariableInfo variable;
  variable.name = "factor";
  variable.size = 12;
  variable.alignment = 4;
  variable.kind = VariableKind::Constant;
  variable.external = true;
  writer.addVariable(variable);
  variable.name = "hidden";
  variable.external = false;
  writer.addVariable(variable);
  KernelInfo kernel;
  kernel.name = "_Z1kPid";
  kernel.parameters = {{0, 8, 8}, {8, 24, 8}, {32, 1, 1}};
  kernel.maxThreadsPerBlock = 256;
  writer.addKernel(kernel, Bytes{1, 2, 3});
  Result<Bytes> package = writer.finish();
  EXPECT_TRUE(package.ok());
  return package.ok() ? package.take() : Bytes();
}

TEST(RtcText, Declarations) {
  const Bytes package = samplePackage();
  const std::string text = rtc::writeText(package, "sm_80");
  for (const char *part :
       {".version 8.8\n", ".target sm_80\n", ".address_size 64\n",
        ".visible .const .align 4 .b8 factor[12];", ".visible .entry _Z1kPid(\n",
        "\t.param .u64 _Z1kPid_param_0,\n",
        "\t.param .align 8 .b8 _Z1kPid_param_1[24],\n", "\t.param .u8 _Z1kPid_param_2\n)",
        ".maxntid 256, 1, 1\n", "trap;"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(text.find("hidden"), std::string::npos);
  Result<Bytes> read = readPackageText(text, "text");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, package);
}

TEST(RtcText, AnEditIsRefused) {
  std::string text = rtc::writeText(samplePackage(), "sm_80");
  text.replace(text.find("sm_80"), 5, "sm_90");
  Result<Bytes> read = readPackageText(text, "text");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.status().message.find("another text"), std::string::npos);
}

} // namespace
