// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artifacts: what is refused, the driver's compiler, variables, launches.

#include "PTXDeviceTest.h"

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class PTXArtifactTest : public PTXDeviceTest {
protected:
  void SetUp() override {
    PTXDeviceTest::SetUp();
    openDevice();
  }

  PTXBytes finish(const PTXBytes &bytes) {
    HetLowering finished = {};
    EXPECT_EQ(abi->finishArtifact(device, bytes.data(), bytes.size(), &finished, &status),
              HET_OK)
        << status.message;
    PTXBytes out(finished.data, finished.data + finished.size);
    abi->releaseFinished(&finished);
    return out;
  }

  void expectRefused(const PTXBytes &bytes,
                     const char *says = "artifact: ", int32_t code = HET_INVALID) {
    HetArtifact *artifact = nullptr;
    EXPECT_EQ(abi->loadArtifact(device, bytes.data(), bytes.size(), nullptr, 0, &artifact,
                                &status),
              code);
    EXPECT_THAT(message(), HasSubstr(says));
    EXPECT_EQ(artifact, nullptr);
  }

  void expectLaunch(HetArtifact *artifact, int32_t code, const char *says,
                    const HetLaunch &launch) {
    EXPECT_EQ(abi->enqueueLaunch(queue, &launch, &status), code) << message();
    EXPECT_THAT(message(), HasSubstr(says));
    EXPECT_EQ(abi->fault(device, nullptr), HET_FAULT_NONE);
  }
};

template <class Change> PTXBytes changed(PTXBytes bytes, Change change) {
  HetPtxArtifact header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  change(header);
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

TEST_F(PTXArtifactTest, RefusesDamage) {
  const PTXBytes good = makeArtifact("store", "kernel store");
  for (size_t size = 0; size < good.size(); ++size)
    expectRefused(PTXBytes(good.begin(), good.begin() + size));
  PTXBytes longer = good;
  longer.push_back(0);
  expectRefused(longer);
  expectRefused(changed(good, [](auto &head) { head.magic ^= 1; }));
  expectRefused(changed(good, [](auto &head) { head.form = 2; }));
  expectRefused(changed(good, [](auto &head) { head.parameterCount = UINT32_MAX; }));
  expectRefused(changed(good, [](auto &head) { ++head.parameterCount; }));
  expectRefused(changed(good, [](auto &head) { head.nameBytes = 0; }));
  expectRefused(changed(good, [](auto &head) { head.nameBytes = UINT32_MAX; }));
  expectRefused(changed(good, [](auto &head) { head.codeBytes = UINT64_MAX - 4; }));
  expectRefused(changed(good, [](auto &head) { head.variableCount = 1; }));
  expectRefused(changed(good, [](auto &head) { --head.nameBytes, ++head.codeBytes; }),
                "finding it in its code"); // the name is "stor"
  PTXBytes noEnd = good;
  noEnd.back() = 'x';
  expectRefused(noEnd, "PTX without a NUL");
  EXPECT_THAT(fake->alive(), testing::Not(HasSubstr("module")));
}

TEST_F(PTXArtifactTest, RefusesDamagedCubins) {
  const PTXBytes good = finish(makeArtifact("none", "kernel none"));
  const size_t head = sizeof(HetPtxArtifact) + std::strlen("none");
  const std::pair<size_t, int> damages[] = {
      {0, 0x7e}, {4, 1 /* 32 bits */}, {54, 1}, {56, 1}, {58, 64}, {60, 1}};
  for (auto [at, value] : damages) {
    PTXBytes bad = good;
    bad[head + at] = value;
    if (at == 56) // program headers beyond the end
      bad[head + 54] = 56, bad[head + 56 + 1] = 4;
    if (at == 54 || at == 58) // sizes alone say nothing
      continue;
    expectRefused(bad, "a damaged cubin");
  }
  PTXBytes cut = changed(good, [](auto &header) { header.codeBytes = 60; });
  cut.resize(head + 60);
  expectRefused(cut, "a damaged cubin");
}

TEST_F(PTXArtifactTest, FinishCompilesOnce) {
  const PTXBytes lowered = makeArtifact("store", "kernel store");
  const PTXBytes finished = finish(lowered);
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("nvPTXCompilerCreate", "nvPTXCompilerCompile",
                          "nvPTXCompilerGetCompiledProgramSize",
                          "nvPTXCompilerGetCompiledProgram", "nvPTXCompilerDestroy"));
  EXPECT_THAT(fake->compilerOptions, ElementsAre("--gpu-name=sm_90"));
  HetPtxArtifact header;
  std::memcpy(&header, finished.data(), sizeof(header));
  EXPECT_EQ(header.form, HET_PTX_CUBIN);
  EXPECT_EQ(header.codeBytes + lowered.size() - std::strlen("kernel store") - 1,
            finished.size());
  EXPECT_EQ(finish(finished), finished);
  EXPECT_THAT(fake->takeCalls(), ElementsAre());
  for (const PTXBytes &bytes : {lowered, finished}) {
    HetArtifact *artifact = nullptr;
    load(bytes, artifact);
  }
}

TEST_F(PTXArtifactTest, WhatIsLoadedAhead) {
  auto loadsAhead = [&](const PTXBytes &bytes) {
    return abi->loadsAhead(device, bytes.data(), bytes.size());
  };
  const PTXBytes text = makeArtifact("store", "kernel store"), cubin = finish(text);
  EXPECT_FALSE(loadsAhead(text));
  EXPECT_TRUE(loadsAhead(cubin));
  EXPECT_FALSE(loadsAhead(PTXBytes(cubin.begin(), cubin.end() - 1)));
  EXPECT_TRUE(loadsAhead(finish(makeArtifact("none", "calls sin kernel none"))));
  EXPECT_TRUE(loadsAhead(finish(makeArtifact("none", "variables 1 kernel none", 1))));
  for (const char *function : {"malloc", "free", "vprintf"})
    EXPECT_FALSE(loadsAhead(
        finish(makeArtifact("none", std::string("calls ") + function + " kernel none"))));
  die(CUDA_ERROR_LAUNCH_FAILED);
  abi->synchronize(queue);
  EXPECT_FALSE(loadsAhead(cubin));
}

TEST_F(PTXArtifactTest, LinesAreKeptWhereTheCodeHasThem) {
  finish(changed(makeArtifact("store", "kernel store"),
                 [](auto &header) { header.flags |= HET_PTX_LINE_INFO; }));
  EXPECT_THAT(fake->compilerOptions,
              ElementsAre("--gpu-name=sm_90", "--generate-line-info"));
}

TEST_F(PTXArtifactTest, CompilersWordsReachTheUser) {
  const PTXBytes bytes = makeArtifact("store", "broken kernel store");
  EXPECT_EQ(finish(bytes), bytes);
  expectRefused(bytes, "ptxas fatal: line 3: broken");
  EXPECT_THAT(message(), HasSubstr("kernel 'store'"));
  EXPECT_THAT(message(), HasSubstr("; before that, the PTX compiler failed (3): "
                                   "ptxas: broken here"));
  for (const char *function :
       {"nvPTXCompilerGetErrorLogSize", "nvPTXCompilerGetErrorLog"}) {
    fake->failures[function] = {1, CUresult(5)};
    EXPECT_EQ(finish(bytes), bytes);
    expectRefused(bytes, "; before that, the PTX compiler failed (3)");
    EXPECT_THAT(message(), testing::Not(HasSubstr("broken here")));
    fake->failures.clear();
  }
}

TEST_F(PTXArtifactTest, LongNamesLeavePlaceForWhatIsWrong) {
  const PTXBytes bytes = makeArtifact("k" + std::string(5000, 'x') + "END", "broken");
  expectRefused(bytes, "ptxas fatal: line 3: broken");
  EXPECT_THAT(message(), testing::Not(HasSubstr("END")));
}

TEST_F(PTXArtifactTest, TextStaysWhereTheCompilerFails) {
  const PTXBytes bytes = makeArtifact("store", "kernel store");
  for (const char *function :
       {"nvPTXCompilerCreate", "nvPTXCompilerCompile",
        "nvPTXCompilerGetCompiledProgramSize", "nvPTXCompilerGetCompiledProgram"}) {
    fake->failures[function] = {1, CUresult(5)};
    EXPECT_EQ(finish(bytes), bytes) << function;
    fake->failures.clear();
  }
  HetArtifact *artifact = nullptr;
  load(bytes, artifact);
}

TEST_F(PTXArtifactTest, LoadingTextWithoutCompiler) {
  const PTXBytes bytes = makeArtifact("store", "kernel store");
  fake->failures["cuModuleLoadDataEx"] = {1, CUDA_ERROR_JIT_COMPILER_NOT_FOUND};
  expectRefused(bytes, "libnvidia-ptxjitcompiler.so.1", HET_UNAVAILABLE);
}

TEST_F(PTXArtifactTest, Variables) {
  HetArtifact *artifact = nullptr;
  const PTXBytes bytes = makeArtifact("variable", "variables 2 kernel variable", 2);
  load(bytes, artifact, {0x120000000100, 0x120000000200});
  // No stream of any queue waits for the copy, so loading does.
  EXPECT_THAT(fake->takeCalls(),
              testing::IsSupersetOf({"cuMemcpyHtoD_v2", "cuStreamSynchronize"}));
  uint64_t out = 0, to = addressOf(&out);
  HetLaunch launch = shape(artifact);
  launch.arguments = &to;
  launch.argumentBytes = sizeof(to);
  PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  to = 0; // copied
  abi->synchronize(queue);
  EXPECT_EQ(out, 0x120000000100u);
}

TEST_F(PTXArtifactTest, VariablesOfACubinAreInIt) {
  HetArtifact *artifact = nullptr;
  const PTXBytes bytes =
      finish(makeArtifact("variable", "variables 2 kernel variable", 2));
  fake->takeCalls();
  load(bytes, artifact, {0x120000000100, 0x120000000200});
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("cuModuleLoadDataEx", "cuModuleGetFunction"));
  uint64_t out = 0, to = addressOf(&out);
  HetLaunch launch = shape(artifact);
  launch.arguments = &to;
  launch.argumentBytes = sizeof(to);
  PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  abi->synchronize(queue);
  EXPECT_EQ(out, 0x120000000100u);
}

// Whatever a cubin says of its symbols: it is left as it is, or refused, and nothing
// outside it is touched.
TEST_F(PTXArtifactTest, DamagedSymbolsOfACubin) {
  const uint64_t variables[] = {0x120000000100, 0x120000000200};
  const PTXBytes good =
      finish(makeArtifact("variable", "variables 2 kernel variable", 2));
  const size_t end = good.size(), begin = end - 4 * 64 - 15 - 2 * 24 - 3 * 8;
  const size_t trusted = end - 3 * 64; // the fake driver's own: the variables' section
  for (size_t at = begin; at < end; ++at)
    for (uint8_t value : {0x01, 0x7f, 0xff}) {
      if (at >= trusted && at < trusted + 64)
        continue;
      PTXBytes bad = good;
      bad[at] ^= value;
      HetArtifact *artifact = nullptr;
      if (abi->loadArtifact(device, bad.data(), bad.size(), variables, 2, &artifact,
                            &status) == HET_OK)
        abi->unloadArtifact(artifact);
      else
        EXPECT_EQ(status.code, HET_INVALID);
    }
}

TEST_F(PTXArtifactTest, CodeLacksVariables) {
  const uint64_t variables[] = {1, 2};
  HetArtifact *artifact = nullptr;
  for (const char *text : {"kernel store", "variables 1 kernel store"}) {
    const PTXBytes bytes = makeArtifact("store", text, 2);
    EXPECT_EQ(abi->loadArtifact(device, bytes.data(), bytes.size(), variables, 2,
                                &artifact, &status),
              HET_INVALID);
    EXPECT_THAT(message(), HasSubstr("het$variables"));
  }
}

TEST_F(PTXArtifactTest, Describe) {
  HetArtifact *artifact = nullptr;
  loadKernel("store", artifact);
  HetArtifactInfo info;
  PTX_OK(abi->describeArtifact(artifact, &info, &status));
  EXPECT_EQ(info.registers, 40u);
  EXPECT_EQ(info.localBytes, 8u);
  EXPECT_EQ(info.maxThreadsPerBlock, 1024u);
}

TEST_F(PTXArtifactTest, Resident) {
  HetArtifact *artifact = nullptr;
  loadKernel("store", artifact);
  uint32_t blocks = 0;
  PTX_OK(abi->residentBlocks(artifact, 256, 0, &blocks, &status));
  EXPECT_EQ(blocks, 8u);
  PTX_OK(abi->residentBlocks(artifact, 256, 100 << 10, &blocks, &status));
  EXPECT_EQ(blocks, 8u);
  EXPECT_EQ(abi->residentBlocks(artifact, 256, 300 << 10, &blocks, &status), HET_INVALID);
  EXPECT_EQ(abi->residentBlocks(artifact, 2000, 0, &blocks, &status), HET_INVALID);
}

TEST_F(PTXArtifactTest, LaunchIsOneCall) {
  HetArtifact *artifact = nullptr;
  loadKernel("store", artifact);
  uint32_t out = 0;
  struct {
    uint64_t to;
    uint32_t value;
  } arguments = {addressOf(&out), 42};
  HetLaunch launch = shape(artifact);
  launch.arguments = &arguments;
  launch.argumentBytes = 12;
  fake->takeCalls();
  PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuLaunchKernel"));
  abi->synchronize(queue);
  EXPECT_EQ(out, 42u);
}

TEST_F(PTXArtifactTest, SharedMemoryIsAskedForOnce) {
  HetArtifact *artifact = nullptr;
  load(makeArtifact("none", "kernel none shared 1024"), artifact);
  HetLaunch launch = shape(artifact);
  launch.dynamicSharedBytes = 47 << 10;
  fake->takeCalls();
  PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuFuncGetAttribute", "cuFuncGetAttribute",
                                             "cuFuncGetAttribute", "cuFuncGetAttribute",
                                             "cuFuncGetAttribute", "cuLaunchKernel"));
  launch.dynamicSharedBytes = 100 << 10;
  PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuFuncSetAttribute", "cuLaunchKernel"));
  launch.dynamicSharedBytes = 90 << 10;
  PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuLaunchKernel"));
  launch.dynamicSharedBytes = 227 << 10;
  expectLaunch(artifact, HET_INVALID, "found 1024 + 232448 bytes of shared memory",
               launch);
  launch.dynamicSharedBytes = UINT32_MAX;
  expectLaunch(artifact, HET_INVALID, "bytes of shared memory", launch);
}

TEST_F(PTXArtifactTest, LaunchesThatCanNotBe) {
  HetArtifact *artifact = nullptr, *fat = nullptr;
  loadKernel("none", artifact);
  loadKernel("fat", fat);
  expectLaunch(artifact, HET_INVALID, "block (2048, 1, 1)", shape(artifact, 1, 2048));
  expectLaunch(artifact, HET_INVALID, "grid (0, 1, 1)", shape(artifact, 0, 32));
  expectLaunch(fat, HET_INVALID, "40 registers", shape(fat));
  HetLaunch launch = shape(artifact, 1000);
  launch.cooperative = 1;
  expectLaunch(artifact, HET_INVALID, "cooperative", launch);
}

TEST_F(PTXArtifactTest, Cooperative) {
  HetArtifact *artifact = nullptr;
  loadKernel("none", artifact, HET_PTX_GRID_BARRIER);
  HetLaunch launch = shape(artifact);
  launch.cooperative = 1;
  fake->takeCalls();
  PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  EXPECT_TRUE(fake->cooperative);
  PTX_OK(abi->enqueueLaunch(queue, &launch, &status));
  EXPECT_THAT(fake->takeCalls(), ElementsAre("cuLaunchKernelEx", "cuEventRecord",
                                             "cuLaunchKernelEx", "cuEventRecord"));
  // Launches in another queue follow those of this one.
  HetQueue *other = nullptr;
  PTX_OK(abi->createQueue(device, &other, &status));
  fake->takeCalls();
  PTX_OK(abi->enqueueLaunch(other, &launch, &status));
  EXPECT_THAT(fake->takeCalls(),
              ElementsAre("cuStreamWaitEvent", "cuLaunchKernelEx", "cuEventRecord"));
  abi->synchronize(other);
  EXPECT_TRUE(abi->isIdle(queue));
  abi->destroyQueue(other);
}

TEST_F(PTXArtifactTest, OfAnotherDevice) {
  fake->deviceCount = 2;
  HetDevice *other = nullptr;
  HetQueue *otherQueue = nullptr;
  PTX_OK(abi->open(1, &other, &status));
  PTX_OK(abi->createQueue(other, &otherQueue, &status));
  HetArtifact *artifact = nullptr;
  loadKernel("none", artifact);
  HetLaunch launch = shape(artifact);
  EXPECT_EQ(abi->enqueueLaunch(otherQueue, &launch, &status), HET_INVALID);
  abi->destroyQueue(otherQueue);
  abi->close(other);
}

} // namespace
