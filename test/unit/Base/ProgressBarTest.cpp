// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "het/Base/ProgressBar.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

using het::ProgressBar;
using std::chrono::milliseconds;

namespace {

TEST(ProgressBarTest, Line) {
  EXPECT_EQ(ProgressBar::line("save", 1200000000, 3000000000, 1.5, 80),
            "save [###############........................]  40% 1.2 GB of 3.0 GB, "
            "800.0 MB/s");
  EXPECT_EQ(ProgressBar::line("save", 0, 100, 0, 80),
            "save [........................................]   0% 0 B of 100 B");
  EXPECT_EQ(ProgressBar::line("save", 120, 100, 0, 80),
            "save [########################################] 100% 120 B of 100 B");
  EXPECT_EQ(ProgressBar::line("save", 50, 100, 0, 40),
            "save [#######.......]  50% 50 B of 100 B");
  EXPECT_EQ(ProgressBar::line("save", 50, 100, 0, 20), "save  50% 50 B of 10");
  EXPECT_EQ(ProgressBar::line("x", 0, 0, 0, 80).substr(0, 4), "x [#");
  EXPECT_EQ(ProgressBar::line("lower", 5000, 10000, 3, 40, ProgressBar::Unit::Items),
            "lower [######.......]  50% 5000 of 10000");
}

/// A terminal of the test's own.
class Terminal {
public:
  Terminal() : master(posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master >= 0 && !grantpt(master) && !unlockpt(master))
      slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  }
  ~Terminal() {
    close(slave);
    close(master);
  }
  std::string read() {
    char text[1000];
    fcntl(master, F_SETFL, O_NONBLOCK);
    const ssize_t size = ::read(master, text, sizeof(text));
    return size > 0 ? std::string(text, size) : "";
  }
  int master, slave = -1;
};

/// A clock that a test sets.
struct FakeClock {
  ProgressBar::Clock::time_point time;
  ProgressBar::Now now() {
    return [this] { return time; };
  }
};

TEST(ProgressBarTest, IsDrawnWhenItTakesLong) {
  Terminal terminal;
  if (terminal.slave < 0)
    GTEST_SKIP() << "there are no terminals here";
  FakeClock clock;
  {
    ProgressBar bar("save", terminal.slave, clock.now());
    clock.time += milliseconds(999);
    bar.update(1, 10);
    EXPECT_EQ(terminal.read(), "");
    clock.time += milliseconds(1);
    bar.update(5, 10);
    EXPECT_NE(terminal.read().find("\rsave [####################"), std::string::npos);
    clock.time += milliseconds(99);
    bar.update(6, 10); // too soon
    EXPECT_EQ(terminal.read(), "");
    clock.time += milliseconds(1);
    bar.update(7, 10);
    EXPECT_NE(terminal.read().find(" 70% 7 B of 10 B, 6 B/s"), std::string::npos);
  }
  EXPECT_EQ(terminal.read(), "\r\x1b[K");
}

TEST(ProgressBarTest, IsNotDrawnElsewhere) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  FakeClock clock;
  {
    ProgressBar bar("save", ends[1], clock.now());
    clock.time += milliseconds(5000);
    bar.update(5, 10);
  }
  close(ends[1]);
  char text[10];
  EXPECT_EQ(read(ends[0], text, sizeof(text)), 0);
  close(ends[0]);
}

} // namespace
