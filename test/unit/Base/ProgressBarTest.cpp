// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "het/Base/ProgressBar.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <thread>
#include <unistd.h>

using het::ProgressBar;

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

TEST(ProgressBarTest, IsDrawnWhenItTakesLong) {
  Terminal terminal;
  if (terminal.slave < 0)
    GTEST_SKIP() << "there are no terminals here";
  {
    ProgressBar bar("save", terminal.slave);
    bar.update(1, 10);
    EXPECT_EQ(terminal.read(), "");
    std::this_thread::sleep_for(std::chrono::milliseconds(1020));
    bar.update(5, 10);
    EXPECT_NE(terminal.read().find("\rsave [####################"), std::string::npos);
    bar.update(6, 10); // too soon
    EXPECT_EQ(terminal.read(), "");
  }
  EXPECT_EQ(terminal.read(), "\r\x1b[K");
}

TEST(ProgressBarTest, IsNotDrawnElsewhere) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    ProgressBar bar("save", ends[1]);
    std::this_thread::sleep_for(std::chrono::milliseconds(1020));
    bar.update(5, 10);
  }
  close(ends[1]);
  char text[10];
  EXPECT_EQ(read(ends[0], text, sizeof(text)), 0);
  close(ends[0]);
}

} // namespace
