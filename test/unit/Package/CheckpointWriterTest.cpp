// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the writer refuses, and what it leaves behind when something fails.

#include "SampleCheckpoints.h"

#include "het/Base/File.h"
#include "het/Package/Checkpoint.h"

#include <csignal>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace het;
using namespace het::test;
namespace fs = std::filesystem;

namespace {
class CheckpointWriterTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "het-checkpoint-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    path = folder + "/a.hetckpt";
  }
  void TearDown() override { fs::remove_all(folder); }

  Status write(const SampleCheckpoint &sample) const {
    return writeCheckpoint(path, sample.contents, sample.sources(),
                           SampleCheckpoint::smallChunks());
  }
  long entries() const { return std::distance(fs::directory_iterator(folder), {}); }
  void expectRefused(const std::function<void(SampleCheckpoint &)> &change,
                     const char *part) const {
    SampleCheckpoint sample = fullCheckpoint();
    change(sample);
    Status status = write(sample);
    ASSERT_FALSE(status.ok()) << part;
    EXPECT_NE(status.message.find(part), std::string::npos) << status.text();
    EXPECT_EQ(entries(), 0) << part;
  }

  std::string folder, path;
};
} // namespace

TEST_F(CheckpointWriterTest, ReplacesAndIsItsOwners) {
  ASSERT_TRUE(write(emptyCheckpoint()).ok());
  struct stat about;
  ASSERT_EQ(::stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  ASSERT_EQ(::chmod(path.c_str(), 06755), 0); // memory of programs is nobody else's
  ASSERT_TRUE(write(fullCheckpoint()).ok());
  EXPECT_EQ(Checkpoint::open(path)->contents().launches.size(), 3u);
  ASSERT_EQ(::stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0600u);
  EXPECT_EQ(entries(), 1);
}

/// What was read stays what it was; the rest is a failure and no signal.
TEST_F(CheckpointWriterTest, AFileThatChangesIsNoticed) {
  ASSERT_TRUE(write(fullCheckpoint()).ok());
  Result<Checkpoint> read = Checkpoint::open(path);
  ASSERT_TRUE(read.ok());
  const Bytes package = read->package(0)->copy();
  ASSERT_EQ(::truncate(path.c_str(), 1000), 0);
  EXPECT_EQ(read->package(0)->copy(), package);
  EXPECT_FALSE(read->package(1).ok());
  EXPECT_FALSE(read->verify(1).ok());
  ASSERT_EQ(::truncate(path.c_str(), 100000), 0); // zeros
  EXPECT_EQ(read->package(0)->copy(), package);
  EXPECT_FALSE(read->package(1).ok());
  EXPECT_FALSE(read->verify(2).ok());
  EXPECT_FALSE(Checkpoint::open(path).ok());
}

TEST_F(CheckpointWriterTest, OnlyFilesAreOpened) {
  EXPECT_FALSE(Checkpoint::open(folder).ok());
  EXPECT_FALSE(Checkpoint::open("/dev/zero").ok());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(Checkpoint::open(path).ok());
  ::unlink(path.c_str());
  EXPECT_EQ(Checkpoint::open(path).status().code, Code::Unavailable);
}

TEST_F(CheckpointWriterTest, AFailingSourceLeavesTheOldFile) {
  ASSERT_TRUE(write(emptyCheckpoint()).ok());
  Bytes before = *readFile(path);
  SampleCheckpoint sample = fullCheckpoint();
  CheckpointSources sources = sample.sources();
  for (size_t failing = 0; failing < 3; ++failing) {
    sources.memory = [&](size_t region, uint64_t offset, uint64_t size,
                         uint8_t *) -> Result<ByteView> {
      if (region == failing)
        return unavailable("the device is gone");
      return *ByteView(sample.memory[region]).slice(offset, size);
    };
    Status status =
        writeCheckpoint(path, sample.contents, sources, SampleCheckpoint::smallChunks());
    EXPECT_EQ(status.text(), path + ": the device is gone");
    EXPECT_EQ(*readFile(path), before);
    EXPECT_EQ(entries(), 1);
  }
}

TEST_F(CheckpointWriterTest, FoldersAndMissingFolders) {
  SampleCheckpoint sample = fullCheckpoint();
  CheckpointOptions options;
  Status status = writeCheckpoint(folder, sample.contents, sample.sources(), options);
  EXPECT_NE(status.text().find("not a regular file"), std::string::npos);
  status = writeCheckpoint(folder + "/no/a", sample.contents, sample.sources(), options);
  EXPECT_EQ(status.code, Code::Unavailable);
  EXPECT_NE(status.text().find("No such file"), std::string::npos);
}

TEST_F(CheckpointWriterTest, AFileThatCannotGrowLeavesTheOldOne) {
  ASSERT_TRUE(write(emptyCheckpoint()).ok());
  Bytes before = *readFile(path);
  struct rlimit was, low;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &was), 0);
  low = was;
  low.rlim_cur = 6000;
  auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
  Status status = write(fullCheckpoint());
  ::setrlimit(RLIMIT_FSIZE, &was);
  ::signal(SIGXFSZ, handler);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.text(), path + ": cannot write: File too large");
  EXPECT_EQ(*readFile(path), before);
  EXPECT_EQ(entries(), 1);
}

TEST_F(CheckpointWriterTest, RefusesWhatTheFormatForbids) {
  auto launch = [](SampleCheckpoint &sample) -> CheckpointLaunch & {
    return sample.contents.launches[0];
  };
  expectRefused([](auto &s) { s.contents.devices.clear(); }, "module 0, device");
  expectRefused([](auto &s) { s.contents.devices[0].name = ""; }, "device name");
  expectRefused([](auto &s) { s.packages.clear(); }, "module 0, package");
  expectRefused([](auto &s) { s.contents.modules[0].variables[1].variable = 0; },
                "module 0, variable");
  expectRefused([&](auto &s) { launch(s).stream = 9; }, "launch 1, stream");
  expectRefused([&](auto &s) { launch(s).module = 3; }, "launch 0, module");
  expectRefused([&](auto &s) { launch(s).kernel = "a\nb"; }, "kernel name");
  expectRefused([&](auto &s) { launch(s).grid[1] = 0; }, "launch 0, blocks");
  expectRefused([&](auto &s) { launch(s).block = {1u << 16, 2, 1}; },
                "threads of a block");
  expectRefused([&](auto &s) { launch(s).arguments.resize(65537); },
                "bytes of arguments");
  expectRefused([&](auto &s) { launch(s).blocks[0].status = 3; }, "status of blocks");
  expectRefused([&](auto &s) { launch(s).blocks[0].status = 1; }, "two alike in a row");
  expectRefused([&](auto &s) { launch(s).blocks.pop_back(); }, "1 without a status");
  expectRefused([&](auto &s) { launch(s).blocks[2].count = 5; }, "blocks of a run");
  expectRefused([&](auto &s) { launch(s).layout = 0; }, "layout of parked");
  expectRefused([&](auto &s) { launch(s).threadBytes = 3; }, "thread's state");
  expectRefused([](auto &s) { s.states[0].pop_back(); }, "launch 0, states");
  expectRefused([](auto &s) { s.states.pop_back(); }, "one for each launch");
  expectRefused([](auto &s) { s.contents.regions[1].address = 0x2000; }, "region 1");
  expectRefused([](auto &s) { s.contents.regions[0].device = 2; }, "region 0, device");
  expectRefused([](auto &s) { s.contents.regions[0].size = 0; }, "region 0");
  expectRefused([](auto &s) { s.contents.regions[0].allocations[1].size = 8e6; },
                "region 0, allocation");
  expectRefused([](auto &s) { s.memory[2].pop_back(); }, "region 2");
}

TEST_F(CheckpointWriterTest, RefusesOtherChunks) {
  SampleCheckpoint sample = fullCheckpoint();
  for (uint32_t bytes : {0u, 2048u, 5000u, 1u << 25}) {
    CheckpointOptions options;
    options.chunkBytes = bytes;
    EXPECT_FALSE(writeCheckpoint(path, sample.contents, sample.sources(), options).ok());
    EXPECT_EQ(entries(), 0);
  }
}
