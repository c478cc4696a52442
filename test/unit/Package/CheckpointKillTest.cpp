// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that saves is killed at random moments: the file is the old one or
// the new one, whole.

#include "SampleCheckpoints.h"

#include "het/Package/Checkpoint.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace het;
using namespace het::test;
namespace fs = std::filesystem;

/// Some megabytes, all of them this number.
static SampleCheckpoint numbered(uint8_t number) {
  SampleCheckpoint sample = fullCheckpoint();
  sample.memory[0] = Bytes(size_t(4) << 20, number);
  sample.contents.regions[0].address = 0x1000;
  sample.contents.regions[0].size = sample.memory[0].size();
  return sample;
}

/// Saves one after another, until it is killed.
[[noreturn]] static void saveForEver(const std::string &path,
                                     const SampleCheckpoint (&samples)[2],
                                     unsigned first) {
  CheckpointOptions options;
  options.threads = 2;
  options.compress = false;
  for (unsigned i = first;; ++i)
    if (!writeCheckpoint(path, samples[i % 2].contents, samples[i % 2].sources(), options)
             .ok())
      ::_exit(1);
}

TEST(CheckpointKill, TheFileIsAlwaysWhole) {
  std::string folder = testing::TempDir() + "het-kill-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  std::string path = folder + "/a.hetckpt";
  const SampleCheckpoint samples[2] = {numbered(1), numbered(2)};
  auto begin = std::chrono::steady_clock::now();
  Status saved = writeCheckpoint(path, samples[1].contents, samples[1].sources(), {});
  ASSERT_TRUE(saved.ok()) << saved.text();
  // Kills come before, within and after a save or two, whatever the disk.
  std::uniform_real_distribution<double> share(0, 3);
  auto save = std::chrono::steady_clock::now() - begin;
  std::mt19937 random(12345);
  uint8_t number = 2;
  unsigned seen[3] = {};
  for (unsigned kill = 0; kill < 200; ++kill) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      saveForEver(path, samples, number == 2 ? 0 : 1);
    std::this_thread::sleep_for(save * share(random));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it could not save";
    Result<Checkpoint> read = Checkpoint::open(path);
    ASSERT_TRUE(read.ok()) << kill << ": " << read.status().text();
    ASSERT_TRUE(read->verify().ok()) << kill << ": " << read->verify().text();
    ASSERT_TRUE(read->readMemory(0, 4444, &number, 1).ok());
    ASSERT_TRUE(number == 1 || number == 2);
    ++seen[number];
  }
  EXPECT_GT(seen[1], 0u) << "none was killed after it had saved";
  EXPECT_GT(seen[2], 0u);
  fs::remove_all(folder);
}
