// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a SPIR-V module to the driver's program, which the cache keeps, and to a kernel.

#include "SPIRVDeviceTest.h"

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class SPIRVArtifactTest : public SPIRVDeviceTest {
protected:
  void SetUp() override {
    SPIRVDeviceTest::SetUp();
    openDevice();
  }
};

TEST_F(SPIRVArtifactTest, TheDriversProgramIsKept) {
  const SPIRVBytes finished = finish(makeArtifact("store"));
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("clCreateProgramWithIL", "clBuildProgram", "clGetProgramInfo",
                          "clGetProgramInfo", "clReleaseProgram"));
  EXPECT_EQ(tryLoad(finished), HET_OK) << message();
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("clCreateProgramWithBinary", "clBuildProgram", "clCreateKernel",
                          "clGetKernelWorkGroupInfo", "clGetKernelWorkGroupInfo"));
}

TEST_F(SPIRVArtifactTest, ADriverWithoutBinariesGetsTheModule) {
  fake->hasBinaries = false;
  const SPIRVBytes module = makeArtifact("store");
  EXPECT_EQ(finish(module), module);
  EXPECT_EQ(tryLoad(module), HET_OK) << message();
}

TEST_F(SPIRVArtifactTest, AFinishedOneStays) {
  const SPIRVBytes finished = finish(makeArtifact("store"));
  fake->takeCalls();
  EXPECT_EQ(finish(finished), finished);
  EXPECT_THAT(fake->takeCalls(), ElementsAre());
}

TEST_F(SPIRVArtifactTest, TheCompilersLogIsTold) {
  EXPECT_EQ(tryLoad(makeArtifact("broken")), HET_UNSUPPORTED);
  EXPECT_THAT(message(), HasSubstr("kernel 'kernel'"));
  EXPECT_THAT(message(), HasSubstr("it is broken"));
}

TEST_F(SPIRVArtifactTest, DamagedOnesAreRefused) {
  const SPIRVBytes whole = makeArtifact("store");
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(tryLoad(SPIRVBytes(whole.begin(), whole.begin() + size)), HET_INVALID);
  SPIRVBytes other = whole;
  other[6] ^= 1; // the version
  EXPECT_EQ(tryLoad(other), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("artifact: not one of this version"));
  SPIRVBytes longer = whole;
  longer.push_back(0);
  EXPECT_EQ(tryLoad(longer), HET_INVALID);
}

TEST_F(SPIRVArtifactTest, VariablesAreCounted) {
  EXPECT_EQ(tryLoad(makeArtifact("store", 0, 1)), HET_INVALID);
  EXPECT_THAT(message(), HasSubstr("1 variables, expected 0"));
}

TEST_F(SPIRVArtifactTest, TheFormIsReported) {
  setenv("HET_LOG", "info", 1);
  uint32_t count = 0;
  SPIRV_OK(abi->probe(&count, &status));
  testing::internal::CaptureStderr();
  load(makeArtifact("none", HET_SPIRV_SEGMENTED));
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("kernel 'kernel' runs segmented"));
  unsetenv("HET_LOG");
  SPIRV_OK(abi->probe(&count, &status));
}

TEST_F(SPIRVArtifactTest, Describes) {
  load(makeArtifact("store"));
  HetArtifactInfo info = {};
  SPIRV_OK(abi->describeArtifact(artifact, &info, &status));
  EXPECT_EQ(info.maxThreadsPerBlock, 512u);
  EXPECT_EQ(info.localBytes, 48u);
}

} // namespace
