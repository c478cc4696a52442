// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose a signal is: a kernel's instruction's, or the program's. Handlers belong to a
// process, so each test has one of its own.

#include "TargetTest.h"

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

volatile sig_atomic_t calls = 0, olderCalls = 0, maskedCalls = 0;
struct sigaction older;
sigjmp_buf place;

void count(int) { ++calls; }

void countWithInfo(int number, siginfo_t *info, void *) {
  calls += info->si_signo == number && info->si_pid == getpid();
}

/// Counts calls under the mask of its sigaction().
void countMasked(int number) {
  sigset_t now;
  sigprocmask(SIG_BLOCK, nullptr, &now);
  maskedCalls += sigismember(&now, number) && sigismember(&now, SIGUSR1);
}

void countOlder(int, siginfo_t *, void *) { ++olderCalls; }

/// Hands on to the handler that was there when this one was set.
void handOn(int number, siginfo_t *info, void *context) {
  ++calls;
  older.sa_sigaction(number, info, context);
}

void countOther(int) { ++olderCalls; }

void jump(int) {
  ++calls;
  siglongjmp(place, 1);
}

struct sigaction withInfo(void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  return action;
}

class HostSignalsTest : public TargetTest {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  void start(const char *kernel) {
    openTarget("host");
    load(kernel);
  }

  /// Runs the kernel and gives the device's fault.
  int32_t run(void *argument) {
    HetLaunch launch = shape(1, 1);
    launch.arguments = &argument;
    launch.argumentBytes = sizeof(argument);
    EXPECT_EQ(abi->enqueueLaunch(queue, &launch, &status), HET_OK) << status.message;
    abi->synchronize(queue);
    return abi->fault(device, nullptr);
  }

  /// Runs a kernel that touches nothing wrong.
  void runStore() {
    int number = 0;
    start("store");
    EXPECT_EQ(run(&number), HET_FAULT_NONE);
    EXPECT_EQ(number, 1);
  }

  /// Ends the process: 0 if nothing was wrong.
  [[noreturn]] static void finish() { _exit(HasFailure() ? 1 : 0); }
};

/// An address that nobody may touch.
int *noMemory() {
  void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return static_cast<int *>(page);
}

TEST_F(HostSignalsTest, OneThatIsSentEndsTheProcess) {
  for (int number : {SIGSEGV, SIGBUS, SIGFPE}) {
    EXPECT_EXIT((runStore(), raise(number), finish()), testing::KilledBySignal(number),
                "");
    EXPECT_EXIT((runStore(), kill(getpid(), number), pause(), finish()),
                testing::KilledBySignal(number), "");
  }
}

TEST_F(HostSignalsTest, SoDoesOneThatTheProgramRaises) {
  EXPECT_EXIT((runStore(), *static_cast<volatile int *>(noMemory()) = 1, finish()),
              testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(HostSignalsTest, OneThatIsSentToAKernelsThreadIsTheProgramsToo) {
  auto test = [&](int number) {
    signal(number, count);
    start("sends");
    EXPECT_EQ(run(&number), HET_FAULT_NONE);
    EXPECT_EQ(calls, 1);
    finish();
  };
  for (int number : {SIGSEGV, SIGFPE})
    EXPECT_EXIT(test(number), testing::ExitedWithCode(0), "");
  auto unhandled = [&](int number) {
    start("sends");
    run(&number);
    finish();
  };
  EXPECT_EXIT(unhandled(SIGFPE), testing::KilledBySignal(SIGFPE), "");
}

TEST_F(HostSignalsTest, HandlersOfBeforeAreCalledAsTheSystemDoes) {
  auto test = [&] {
    struct sigaction masked = {}, once = {};
    const struct sigaction info = withInfo(countWithInfo);
    masked.sa_handler = countMasked;
    sigaddset(&masked.sa_mask, SIGUSR1);
    once.sa_handler = count;
    once.sa_flags = SA_RESETHAND;
    sigaction(SIGSEGV, &info, nullptr);
    sigaction(SIGBUS, &masked, nullptr);
    sigaction(SIGFPE, &once, nullptr);
    runStore();
    for (int turn = 1; turn <= 3; ++turn) {
      raise(SIGSEGV);
      raise(SIGBUS);
      EXPECT_EQ(calls, turn);
      EXPECT_EQ(maskedCalls, turn);
    }
    sigset_t now;
    sigprocmask(SIG_BLOCK, nullptr, &now);
    EXPECT_FALSE(sigismember(&now, SIGUSR1) || sigismember(&now, SIGBUS));
    raise(SIGFPE);
    EXPECT_EQ(calls, 4);
    if (!HasFailure())
      raise(SIGFPE);
    finish();
  };
  EXPECT_EXIT(test(), testing::KilledBySignal(SIGFPE), "");
}

TEST_F(HostSignalsTest, IgnoredOnesStayIgnored) {
  auto test = [&] {
    signal(SIGFPE, SIG_IGN);
    runStore();
    raise(SIGFPE);
    raise(SIGFPE);
    finish();
  };
  EXPECT_EXIT(test(), testing::ExitedWithCode(0), "");
}

TEST_F(HostSignalsTest, AHandlerThatIsSetLaterGetsTheProgramsSignalsOnly) {
  auto test = [&] {
    runStore();
    for (int turn = 0; turn < 3; ++turn) {
      signal(SIGSEGV, count);
      int number = 0;
      EXPECT_EQ(run(&number), HET_FAULT_NONE);
    }
    raise(SIGSEGV);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(run(noMemory()), HET_FAULT_ILLEGAL_ADDRESS);
    EXPECT_EQ(calls, 1);
    raise(SIGSEGV);
    EXPECT_EQ(calls, 2);
    finish();
  };
  EXPECT_EXIT(test(), testing::ExitedWithCode(0), "");
}

TEST_F(HostSignalsTest, AHandlerThatHandsOnReachesTheOneBefore) {
  auto test = [&] {
    const struct sigaction first = withInfo(countOlder), second = withInfo(handOn);
    sigaction(SIGSEGV, &first, nullptr);
    runStore();
    sigaction(SIGSEGV, &second, &older); // ours
    int number = 0;
    EXPECT_EQ(run(&number), HET_FAULT_NONE);
    for (int turn = 1; turn <= 3; ++turn) {
      raise(SIGSEGV);
      EXPECT_EQ(calls, turn);
      EXPECT_EQ(olderCalls, turn);
    }
    finish();
  };
  EXPECT_EXIT(test(), testing::ExitedWithCode(0), "");
}

/// Some programs set one around each call of a library.
TEST_F(HostSignalsTest, HandlersByTurnsTakeNoMemory) {
  auto test = [&] {
    auto turn = [&](sighandler_t handler) {
      int number = 0;
      signal(SIGSEGV, handler);
      EXPECT_EQ(run(&number), HET_FAULT_NONE);
      raise(SIGSEGV);
    };
    runStore();
    auto turns = [&](int rounds) {
      for (int i = 0; i < rounds; ++i) {
        turn(count);
        turn(countOther);
      }
    };
    // The least of several: a thread that begins takes some memory once.
    size_t growth = SIZE_MAX;
    for (int times = 0; times < 5; ++times) {
      const size_t before = mallinfo2().uordblks;
      turns(1000);
      growth = std::min(growth, std::max(mallinfo2().uordblks, before) - before);
    }
    EXPECT_LT(growth, size_t(64) << 10);
    EXPECT_EQ(calls, 5000);
    EXPECT_EQ(olderCalls, 5000);
    finish();
  };
  EXPECT_EXIT(test(), testing::ExitedWithCode(0), "");
}

TEST_F(HostSignalsTest, AHandlerMayJumpAway) {
  auto test = [&] {
    signal(SIGSEGV, jump);
    runStore();
    for (int turn = 1; turn <= 3; ++turn) {
      if (sigsetjmp(place, 1) == 0)
        *static_cast<volatile int *>(noMemory()) = 1;
      EXPECT_EQ(calls, turn);
    }
    EXPECT_EQ(run(noMemory()), HET_FAULT_ILLEGAL_ADDRESS);
    EXPECT_EQ(calls, 3);
    finish();
  };
  EXPECT_EXIT(test(), testing::ExitedWithCode(0), "");
}

} // namespace
