// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that saves is killed at every one of its system calls: the file is the old
// one or the new one, whole.

#include "SampleCheckpoints.h"

#include "het/Package/Checkpoint.h"

#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
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

/// Saves in a child, and kills that before the system call of its main thread with this
/// number, from 1 on. False if it had none, and has saved. Its other threads run freely.
static bool saveAndKill(const std::string &path, const SampleCheckpoint &sample,
                        unsigned call) {
  const pid_t child = ::fork();
  if (child == 0) {
    CheckpointOptions options;
    options.threads = 2;
    options.compress = false;
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr))
      ::_exit(2);
    ::raise(SIGSTOP);
    ::_exit(!writeCheckpoint(path, sample.contents, sample.sources(), options).ok());
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  // A call stops it twice: before it and behind it.
  for (unsigned stops = 0; WIFSTOPPED(status) && stops < 2 * call - 1; ++stops) {
    EXPECT_EQ(::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr), 0);
    EXPECT_EQ(::waitpid(child, &status, 0), child);
  }
  if (WIFEXITED(status)) {
    EXPECT_EQ(WEXITSTATUS(status), 0) << "it could not save";
    return false;
  }
  ::kill(child, SIGKILL);
  while (WIFSTOPPED(status))
    EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  return true;
}

/// Whether this process may trace a child, which a sandbox may forbid.
static bool mayTrace() {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

TEST(CheckpointKill, TheFileIsAlwaysWhole) {
  if (!mayTrace())
    GTEST_SKIP() << "processes can not be traced here";
  std::string folder = testing::TempDir() + "het-kill-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  std::string path = folder + "/a.hetckpt";
  const SampleCheckpoint samples[2] = {numbered(1), numbered(2)};
  Status saved = writeCheckpoint(path, samples[1].contents, samples[1].sources(), {});
  ASSERT_TRUE(saved.ok()) << saved.text();
  uint8_t number = 2;
  unsigned seen[2] = {};
  bool wasKilled = true;
  for (unsigned call = 1; wasKilled && !HasFailure(); ++call) {
    const uint8_t other = 3 - number;
    wasKilled = saveAndKill(path, samples[other - 1], call);
    Result<Checkpoint> read = Checkpoint::open(path);
    ASSERT_TRUE(read.ok()) << call << ": " << read.status().text();
    ASSERT_TRUE(read->verify().ok()) << call << ": " << read->verify().text();
    ASSERT_TRUE(read->readMemory(0, 4444, &number, 1).ok());
    ASSERT_TRUE(number == 1 || number == 2);
    EXPECT_TRUE(wasKilled || number == other);
    ++seen[number == other];
  }
  EXPECT_GT(seen[0], 10u) << "calls before the new file had its name";
  EXPECT_GT(seen[1], 0u);
  fs::remove_all(folder);
}
