// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading, atomic writing, mapping.

#include "het/Base/File.h"

#include <filesystem>
#include <gtest/gtest.h>
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
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder), {}));
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
  Result<MappedFile> mapped = MappedFile::open(path("f"));
  ASSERT_TRUE(mapped.ok());
  EXPECT_TRUE(sameBytes(mapped->view(), bytes));
  EXPECT_EQ(entries(), 1u) << "nothing left aside";
}

TEST_F(FileTest, EmptyFile) {
  ASSERT_TRUE(writeFileAtomically(path("f"), {}).ok());
  EXPECT_TRUE(readFile(path("f"))->empty());
  EXPECT_TRUE(MappedFile::open(path("f"))->view().empty());
}

TEST_F(FileTest, MissingFileIsUnavailableAndNamed) {
  Result<Bytes> read = readFile(path("none"));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.status().code, Code::Unavailable);
  EXPECT_NE(read.status().text().find(path("none")), std::string::npos);
}

TEST_F(FileTest, FolderIsNotAFile) {
  EXPECT_FALSE(readFile(folder).ok());
  EXPECT_FALSE(MappedFile::open(folder).ok());
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
