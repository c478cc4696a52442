// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever becomes of the process that lowers a kernel is an error of that kernel, and
// the program does not see the process.

#include "core/code/LoweringProcess.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace het;
using namespace het::core;

namespace {

LoweringProgram program() { return {HET_TEST_WORKER, HET_TEST_RUDE_LOWERING}; }

HetLowerRequest requestFor(const char *kernel) {
  static const uint8_t code[] = {1, 2, 3};
  return {code, sizeof(code), kernel, "", "", ""};
}

Result<Bytes> lower(const char *kernel) {
  return lowerElsewhere(program(), requestFor(kernel));
}

void expectGood() {
  Result<Bytes> good = lower("good");
  ASSERT_TRUE(good.ok()) << good.status().text();
  EXPECT_EQ(*good, (Bytes{1, 2, 3, '!'}));
}

void expectFailure(const char *kernel, Code code, const char *part) {
  for (int again = 0; again < 2; ++again) {
    Result<Bytes> result = lower(kernel);
    ASSERT_FALSE(result.ok()) << kernel;
    EXPECT_EQ(result.status().code, code) << result.status().text();
    EXPECT_NE(result.status().text().find(part), std::string::npos)
        << result.status().text();
    expectGood();
  }
}

TEST(LoweringProcess, GivesWhatTheLoweringGives) {
  expectGood();
  expectFailure("refuses", Code::Unsupported, "refuses: is not done here");
  Result<HetExplanation> explanation = explainElsewhere(program(), requestFor("good"));
  ASSERT_TRUE(explanation.ok()) << explanation.status().text();
  EXPECT_STREQ(explanation->form, "rudely");
}

TEST(LoweringProcess, ItsEndIsAnError) {
  expectFailure("segfaults", Code::Internal, "crashed");
  expectFailure("overflows", Code::Internal, "crashed");
  expectFailure("aborts", Code::Internal, "aborted: LLVM ERROR: Cannot select");
  expectFailure("exits", Code::Internal, "ended its process");
  expectFailure("vanishes", Code::Unavailable, "ended from outside");
  EXPECT_FALSE(explainElsewhere(program(), requestFor("segfaults")).ok());
}

/// In a process of its own, whose idle ones have not begun with other limits.
void lowerWithin(const char *variable, const char *limit, const char *kernel, Code code) {
  setenv(variable, limit, 1);
  Result<Bytes> result = lower(kernel);
  std::fprintf(stderr, "%s\n", result.status().text().c_str());
  std::_Exit(result.status().code == code ? 0 : 1);
}

TEST(LoweringProcessDeathTest, LimitsAreKept) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
#ifndef __SANITIZE_ADDRESS__
  EXPECT_EXIT(lowerWithin("HET_LOWERING_MEMORY", "2G", "allocates", Code::Unavailable),
              testing::ExitedWithCode(0), "more memory than");
#endif
  for (const char *kernel : {"spins", "waits"})
    EXPECT_EXIT(lowerWithin("HET_LOWERING_SECONDS", "1", kernel, Code::Unsupported),
                testing::ExitedWithCode(0), "takes longer than");
  EXPECT_EXIT(lowerWithin("HET_LOWERING_SECONDS", "soon", "good", Code::Invalid),
              testing::ExitedWithCode(0), "HET_LOWERING_SECONDS: found 'soon'");
}

TEST(LoweringProcess, TheSoonerOfTwoIsTaken) {
  const std::string file = testing::TempDir() + "het-go-on-" + std::to_string(getpid());
  const std::string kernel = "until:" + file;
  HetLowerRequest request = requestFor(kernel.c_str());
  Result<OngoingLowering> whole = OngoingLowering::begin(program(), request);
  request.options = "interim";
  Result<OngoingLowering> interim = OngoingLowering::begin(program(), request);
  ASSERT_TRUE(whole.ok() && interim.ok());
  EXPECT_TRUE(interim->answersBefore(*whole));
  EXPECT_FALSE(whole->answersBefore(*interim));
  EXPECT_FALSE(whole->answersWithin(1));
  Result<Bytes> code = interim->wait();
  ASSERT_TRUE(code.ok()) << code.status().text();
  EXPECT_EQ(*code, (Bytes{1, 2, 3, '?'}));
  ::close(::creat(file.c_str(), 0600));
  code = whole->waitUnless([] { return false; });
  ASSERT_TRUE(code.ok()) << code.status().text();
  EXPECT_EQ(*code, (Bytes{1, 2, 3, '!'}));
  ::unlink(file.c_str());
}

TEST(LoweringProcess, OneThatIsNotWantedIsNotWaitedFor) {
  Result<OngoingLowering> lowering =
      OngoingLowering::begin(program(), requestFor("waits"));
  ASSERT_TRUE(lowering.ok());
  Result<Bytes> code = lowering->waitUnless([] { return true; });
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.status().code, Code::Unavailable);
}

TEST(LoweringProcess, MissingProgramsAreNamed) {
  Result<Bytes> none =
      lowerElsewhere({"/no/worker", program().plugin}, requestFor("good"));
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.status().text().find("/no/worker: can not be started"),
            std::string::npos);
  none = lowerElsewhere({program().worker, "/no/plugin.so"}, requestFor("good"));
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.status().text().find("/no/plugin.so"), std::string::npos);
}

std::atomic<int> signals{0};

TEST(LoweringProcess, TheProgramSeesNoChild) {
  struct sigaction action = {}, before;
  action.sa_handler = [](int) { ++signals; };
  ::sigaction(SIGCHLD, &action, &before);
  expectGood();
  expectFailure("segfaults", Code::Internal, "crashed");
  EXPECT_EQ(::waitpid(-1, nullptr, 0), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(signals, 0);
  ::sigaction(SIGCHLD, &before, nullptr);
}

TEST(LoweringProcess, WhatItWritesIsPassedOn) {
  testing::internal::CaptureStderr();
  EXPECT_TRUE(lower("writes").ok());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a remark\n");
}

TEST(LoweringProcess, ServesManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([i] {
      for (int round = 0; round < 20; ++round)
        if (i % 4 == 0 && round % 5 == 0)
          EXPECT_FALSE(lower("segfaults").ok());
        else
          expectGood();
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// A program may close what it does not know; what has the number then is another's.
TEST(LoweringProcess, ClosedDescriptorsAreNotUsed) {
  expectGood();
  char name[] = "/tmp/het-closed-XXXXXX";
  const int file = ::mkstemp(name);
  ASSERT_GE(file, 0);
  for (int number = 3; number < 256; ++number) {
    struct stat about;
    if (number != file && ::fstat(number, &about) == 0 && S_ISSOCK(about.st_mode))
      ASSERT_EQ(::dup2(file, number), number);
  }
  expectGood();
  struct stat about;
  ASSERT_EQ(::fstat(file, &about), 0);
  EXPECT_EQ(about.st_size, 0);
  ::close(file);
  ::unlink(name);
}

bool isOpen(int number) { return ::fcntl(number, F_GETFD) >= 0; }

/// In a process of its own, which has closed some of the standard streams: none of them
/// is a socket then, and what the lowering writes comes through.
void lowerWithout(int streams) {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (streams & (1 << stream))
      ::close(stream);
  const Result<Bytes> aborts = lower("aborts"), good = lower("good"); // which stays
  bool works = good.ok() && !aborts.ok() &&
               aborts.status().text().find("Cannot select") != std::string::npos;
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    works = works && (!(streams & (1 << stream)) || !isOpen(stream));
  std::_Exit(works ? 0 : 1);
}

TEST(LoweringProcessDeathTest, ClosedStreamsStayClosed) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (int streams = 1; streams < 8; ++streams)
    EXPECT_EXIT(lowerWithout(streams), testing::ExitedWithCode(0), "") << streams;
}

/// In a process of its own: a limit under which the process starts and opens no plug-in.
void lowerWithFewDescriptors() {
  struct rlimit before = {};
  ::getrlimit(RLIMIT_NOFILE, &before);
  ::closefrom(STDERR_FILENO + 1);
  for (rlim_t count = 6; count < 8; ++count) {
    const struct rlimit few = {count, before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
    const Result<Bytes> failed = lower("good");
    std::fprintf(stderr, "%s\n", failed.status().text().c_str());
    if (!failed.ok() && failed.status().code != Code::Unavailable)
      std::_Exit(1);
  }
  ::setrlimit(RLIMIT_NOFILE, &before);
  std::_Exit(lower("good").ok() ? 0 : 2);
}

TEST(LoweringProcessDeathTest, WantOfDescriptorsPasses) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(lowerWithFewDescriptors(), testing::ExitedWithCode(0),
              "rude.*Too many open files");
}

TEST(LoweringProcess, ForkedProcessesHaveTheirOwn) {
  expectGood();
  const pid_t child = ::fork();
  if (child == 0) {
    for (int round = 0; round < 20; ++round)
      if (!lower("good").ok())
        ::_exit(1);
    ::_exit(0);
  }
  for (int round = 0; round < 20; ++round)
    expectGood();
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

} // namespace
