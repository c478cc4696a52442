// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading, atomic writing, listing.

#include "het/Base/File.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace het;
namespace fs = std::filesystem;

namespace {
class FileTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "het-file-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const char *name) const { return folder + "/" + name; }
  size_t entries() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
  }

  std::string folder;
};
} // namespace

TEST_F(FileTest, RoundTrip) {
  Bytes bytes(100000);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(i * 7);
  ASSERT_TRUE(writeFileAtomically(path("f"), bytes).ok());
  Result<Bytes> read = readFile(path("f"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, bytes);
  EXPECT_EQ(entries(), 1u) << "nothing left aside";
}

TEST_F(FileTest, EmptyFile) {
  ASSERT_TRUE(writeFileAtomically(path("f"), {}).ok());
  EXPECT_TRUE(readFile(path("f"))->empty());
}

TEST_F(FileTest, MissingFileIsUnavailableAndNamed) {
  Result<Bytes> read = readFile(path("none"));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.status().code, Code::Unavailable);
  EXPECT_NE(read.status().text().find(path("none")), std::string::npos);
}

TEST_F(FileTest, FolderIsNotAFile) {
  EXPECT_FALSE(readFile(folder).ok());
  EXPECT_FALSE(writeFileAtomically(folder, {}).ok());
  EXPECT_EQ(entries(), 0u);
}

TEST_F(FileTest, LimitIsKept) {
  ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(10)).ok());
  EXPECT_TRUE(readFile(path("f"), 10).ok());
  EXPECT_FALSE(readFile(path("f"), 9).ok());
}

TEST_F(FileTest, PseudoFilesWithoutASizeAreRead) {
  Result<Bytes> read = readFile("/proc/self/maps");
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->empty());
}

TEST_F(FileTest, FailedWriteLeavesNothing) {
  EXPECT_FALSE(writeFileAtomically(path("no/such/folder"), Bytes(4)).ok());
  EXPECT_EQ(entries(), 0u);
}

TEST_F(FileTest, DeviceIsWrittenInPlace) {
  EXPECT_TRUE(writeFileAtomically("/dev/null", Bytes(4)).ok());
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST_F(FileTest, ModeOfAnExistingFileIsKept) {
  ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(1)).ok());
  fs::permissions(path("f"), fs::perms::owner_all);
  ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(2)).ok());
  EXPECT_EQ(fs::status(path("f")).permissions(), fs::perms::owner_all);
}

TEST_F(FileTest, RightsOfTheProgramItWasArePassedToNoFile) {
  ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(1)).ok());
  ASSERT_EQ(::chmod(path("f").c_str(), 06755), 0);
  ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(2)).ok());
  struct stat about;
  ASSERT_EQ(::stat(path("f").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0755u);
}

TEST_F(FileTest, AnOwnersFileIsNobodyElses) {
  for (mode_t before : {0644, 0666, 04755}) {
    ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(1)).ok());
    ASSERT_EQ(::chmod(path("f").c_str(), before), 0);
    ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(2), FileAccess::Owner).ok());
    struct stat about;
    ASSERT_EQ(::stat(path("f").c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 07777, 0600u);
  }
}

TEST_F(FileTest, AnOwnersFileReplacesAPipe) {
  ASSERT_EQ(::mkfifo(path("f").c_str(), 0600), 0);
  ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(2), FileAccess::Owner).ok());
  EXPECT_EQ(readFile(path("f"))->size(), 2u);
}

TEST_F(FileTest, WhatHasNoEndIsRefused) {
  Result<Bytes> read = readFile("/dev/zero");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.status().text().find("/dev/zero: size: found more"), std::string::npos)
      << read.status().text();
}

TEST_F(FileTest, AFileOfHolesIsRefused) {
  ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(1)).ok());
  ASSERT_EQ(::truncate(path("f").c_str(), off_t(1) << 43), 0);
  EXPECT_FALSE(readFile(path("f")).ok());
}

/// In a process that can have little memory.
static void readWithoutMemory(const std::string &path) {
  const rlimit limit = {rlim_t(1) << 28, rlim_t(1) << 28};
  ::setrlimit(RLIMIT_AS, &limit);
  Result<Bytes> file = readFile(path), device = readFile("/dev/zero");
  std::_Exit(file.status().code == Code::Unavailable && !device.ok() ? 0 : 1);
}

TEST_F(FileTest, NoMemoryIsAFailure) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer has the address space";
#endif
  ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(1)).ok());
  ASSERT_EQ(::truncate(path("f").c_str(), off_t(1) << 30), 0);
  EXPECT_EXIT(readWithoutMemory(path("f")), testing::ExitedWithCode(0), "");
}

TEST_F(FileTest, FoldersAreListed) {
  EXPECT_TRUE(listFolder(folder)->empty());
  ASSERT_TRUE(writeFileAtomically(path("f"), Bytes(1)).ok());
  fs::create_directory(path("g"));
  std::vector<std::string> names = listFolder(folder).take();
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"f", "g"}));
  EXPECT_FALSE(listFolder(path("none")).ok());
  EXPECT_FALSE(listFolder(path("f")).ok());
}

/// The tasks of a process that has ended meanwhile can not be read.
TEST_F(FileTest, AFolderThatFailsWhileItIsReadIsAFailure) {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(0);
  const std::string tasks = "/proc/" + std::to_string(child) + "/task";
  Descriptor kept(::open(tasks.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_GE(kept, 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(listFolder("/proc/self/fd/" + std::to_string(kept)).ok());
}

TEST_F(FileTest, ReadersSeeOneWholeVersion) {
  Bytes ones(4096, 1), twos(8192, 2);
  ASSERT_TRUE(writeFileAtomically(path("f"), ones).ok());
  std::thread writer([&] {
    for (int i = 0; i < 200; ++i)
      ASSERT_TRUE(writeFileAtomically(path("f"), i % 2 ? ones : twos).ok());
  });
  for (int i = 0; i < 200; ++i) {
    Result<Bytes> read = readFile(path("f"));
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE(*read == ones || *read == twos);
  }
  writer.join();
}
