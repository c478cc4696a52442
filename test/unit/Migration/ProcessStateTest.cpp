// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that is locked, gives up its accelerator, gets it back and goes on.

#include "MigrationTest.h"

#include "migration/control/ProcessState.h"

#include <unistd.h>

using namespace het;
using namespace het::core;

namespace {

class ProcessStateTest : public MigrationTest {
protected:
  ProcessReport ask(const std::string &line) {
    Result<ProcessReport> report = askProcess(getpid(), line);
    EXPECT_TRUE(report.ok()) << line;
    return report.ok() ? *report : ProcessReport();
  }

  void expect(const std::string &line, ProcessAnswer answer, ProcessStand stand) {
    const ProcessReport report = ask(line);
    EXPECT_EQ(int(report.answer), int(answer)) << line << ": " << report.message;
    EXPECT_EQ(int(report.stand), int(stand)) << line;
    EXPECT_GT(report.thread, 0);
  }
};

TEST_F(ProcessStateTest, HasOneOrder) {
  using Answer = ProcessAnswer;
  using Stand = ProcessStand;
  expect("", Answer::Done, Stand::Running);
  for (const char *early : {"unlock", "checkpoint", "restore"})
    expect(early, Answer::WrongState, Stand::Running);
  expect("lock 0", Answer::Done, Stand::Locked);
  expect("lock 0", Answer::WrongState, Stand::Locked);
  expect("restore", Answer::WrongState, Stand::Locked);
  expect("checkpoint", Answer::Done, Stand::Checkpointed);
  for (const char *early : {"unlock", "checkpoint", "lock 5"})
    expect(early, Answer::WrongState, Stand::Checkpointed);
  expect("restore", Answer::Done, Stand::Locked);
  expect("unlock", Answer::Done, Stand::Running);
}

TEST_F(ProcessStateTest, AnswersAnything) {
  for (const char *line : {"lock", "lock ", "lock -1", "lock 4294967296", "lock 1 2",
                           "lock x", "frob", "unlock 1", " "})
    expect(line, ProcessAnswer::Refused, ProcessStand::Running);
  EXPECT_FALSE(askProcess(999999999, "").ok());
  EXPECT_FALSE(askProcess(1, "").ok());
}

TEST_F(ProcessStateTest, OneThatIsPausedByHandIsNotLocked) {
  EXPECT_OK(migratable().pause());
  expect("lock 0", ProcessAnswer::Refused, ProcessStand::Running);
  EXPECT_OK(migratable().resume());
}

TEST_F(ProcessStateTest, ItsDeviceIsTheHostsMeanwhile) {
  ASSERT_TRUE(move("apart").moved);
  auto *value = allocate<uint32_t>(1);
  auto stream = makeStream();
  EXPECT_OK(stream->fill(value, 7, 4, 4));
  stream->synchronize();
  expect("lock 0", ProcessAnswer::Done, ProcessStand::Locked);
  EXPECT_TRUE(migratable().isPaused());
  expect("checkpoint", ProcessAnswer::Done, ProcessStand::Checkpointed);
  EXPECT_EQ(migratable().activeName(), "host");
  EXPECT_EQ(*value, 7u); // memory of the process now
  *value = 8;
  expect("restore", ProcessAnswer::Done, ProcessStand::Locked);
  EXPECT_EQ(migratable().activeName(), "apart");
  EXPECT_TRUE(migratable().isPaused());
  expect("unlock", ProcessAnswer::Done, ProcessStand::Running);
  uint32_t found = 0;
  EXPECT_OK(stream->copy(&found, value, 4));
  stream->synchronize();
  EXPECT_EQ(found, 8u);
}

} // namespace
