// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program has closed is no longer ours, whoever has the number now.

#include "het/Base/KeptDescriptor.h"

#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace het;

namespace {

bool isOpen(int number) { return ::fcntl(number, F_GETFD) >= 0; }

KeptDescriptor keepSocket() {
  return KeptDescriptor(Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)));
}

TEST(KeptDescriptor, ClosesItselfOnce) {
  int number = -1;
  {
    KeptDescriptor kept = keepSocket();
    number = kept.get();
    ASSERT_GE(number, 0);
    KeptDescriptor moved = std::move(kept);
    EXPECT_EQ(kept.get(), -1);
    EXPECT_EQ(moved.get(), number);
  }
  EXPECT_FALSE(isOpen(number));
}

TEST(KeptDescriptor, AnothersIsNeitherUsedNorClosed) {
  const int other = ::socket(AF_UNIX, SOCK_STREAM, 0);
  int number = -1;
  {
    KeptDescriptor kept = keepSocket();
    number = kept.get();
    ASSERT_EQ(::close(number), 0);
    EXPECT_EQ(kept.get(), -1);
    ASSERT_EQ(::dup2(other, number), number);
    EXPECT_EQ(kept.get(), -1);
  }
  EXPECT_TRUE(isOpen(number));
  ::close(number);
  ::close(other);
}

TEST(KeptDescriptor, HoldsNothingWhereNothingWasOpened) {
  EXPECT_EQ(KeptDescriptor().get(), -1);
  EXPECT_EQ(KeptDescriptor(Descriptor()).get(), -1);
}

/// In a process of its own, without one of the standard streams.
void keepWithout(int stream) {
  ::close(stream);
  KeptDescriptor kept = keepSocket();
  std::_Exit(kept.get() > STDERR_FILENO && !isOpen(stream) ? 0 : 1);
}

TEST(KeptDescriptorDeathTest, IsNoStandardStream) {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    EXPECT_EXIT(keepWithout(stream), testing::ExitedWithCode(0), "") << stream;
}

} // namespace
