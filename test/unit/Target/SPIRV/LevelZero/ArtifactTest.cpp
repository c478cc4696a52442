// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a SPIR-V module to the driver's code, which the cache keeps, and to a kernel.

#include "LevelZeroTest.h"

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class LevelZeroArtifactTest : public LevelZeroTest {
protected:
  void SetUp() override {
    LevelZeroTest::SetUp();
    openDevice();
  }
  HetArtifactInfo describe() {
    HetArtifactInfo info = {};
    EXPECT_EQ(abi->describeArtifact(artifact, &info, &status), HET_OK);
    return info;
  }
};

TEST_F(LevelZeroArtifactTest, TheDriversCodeIsKept) {
  const SPIRVBytes finished = finish(makeArtifact("store"));
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("zeModuleCreate", "zeModuleBuildLogGetString",
                          "zeModuleBuildLogGetString", "zeModuleBuildLogDestroy",
                          "zeModuleGetNativeBinary", "zeModuleGetNativeBinary",
                          "zeModuleDestroy"));
  const std::string text(finished.begin(), finished.end());
  EXPECT_THAT(text, HasSubstr("kernelnative store"));
  EXPECT_EQ(tryLoad(finished), HET_OK) << message();
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("zeModuleCreate", "zeModuleBuildLogGetString",
                          "zeModuleBuildLogGetString", "zeModuleBuildLogDestroy",
                          "zeKernelCreate", "zeKernelSetIndirectAccess",
                          "zeKernelGetProperties"));
}

TEST_F(LevelZeroArtifactTest, ADriverWithoutBinariesGetsTheModule) {
  fake->hasNativeBinaries = false;
  const SPIRVBytes module = makeArtifact("store");
  EXPECT_EQ(finish(module), module);
  EXPECT_EQ(tryLoad(module), HET_OK) << message();
}

TEST_F(LevelZeroArtifactTest, TheCompilersLogIsTold) {
  EXPECT_EQ(tryLoad(makeArtifact("broken")), HET_UNSUPPORTED);
  EXPECT_THAT(message(), AllOf(HasSubstr("kernel 'kernel': the driver does not compile"),
                               HasSubstr("ZE_RESULT_ERROR_MODULE_BUILD_FAILURE"),
                               HasSubstr("line 7: it is broken")));
  EXPECT_EQ(fault(), HET_FAULT_NONE);
}

/// A binary of another driver, which the cache's key should have kept away.
TEST_F(LevelZeroArtifactTest, ForeignCodeIsRefused) {
  SPIRVBytes artifact = makeArtifact("store");
  const uint32_t form = HET_SPIRV_PROGRAM;
  std::memcpy(artifact.data() + offsetof(HetSpirvArtifact, form), &form, sizeof(form));
  EXPECT_EQ(tryLoad(artifact), HET_INVALID);
  EXPECT_THAT(message(), AllOf(HasSubstr("does not take its code"),
                               HasSubstr("ZE_RESULT_ERROR_INVALID_NATIVE_BINARY")));
}

TEST_F(LevelZeroArtifactTest, Describes) {
  load(makeArtifact("store"));
  EXPECT_EQ(describe().maxThreadsPerBlock, 512u);
  EXPECT_EQ(describe().localBytes, 48u);
}

TEST_F(LevelZeroArtifactTest, ADriverMayNotSayHowManyThreads) {
  fake->maxGroupSize = 0;
  load(makeArtifact("store"));
  EXPECT_EQ(describe().maxThreadsPerBlock, 1024u);
}

TEST_F(LevelZeroArtifactTest, NoMemoryForAModule) {
  fake->failingCall = fake->callCount + 1;
  fake->result = 0x70000002;
  EXPECT_EQ(tryLoad(makeArtifact("store")), HET_UNAVAILABLE);
  EXPECT_THAT(message(), HasSubstr("out of host memory"));
  EXPECT_EQ(fault(), HET_FAULT_NONE);
}

} // namespace
