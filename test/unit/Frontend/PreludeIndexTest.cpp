// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of a precompiled prelude: what it says of files, macros and folders, and that
// no damaged text is taken for one.

#include "PreludeIndex.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace het;
namespace fs = std::filesystem;

namespace {

class PreludeIndexTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "prelude index XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    fs::create_directories(folder / "bits");
    write(folder / "first.h", "int x;");
    index.addFile((folder / "first.h").string());
    index.headers = {"math.h", "bits/types.h"};
    index.names += "NDEBUG int x ";
  }
  void TearDown() override { fs::remove_all(folder); }

  static void write(const fs::path &file, const char *text) {
    std::ofstream(file) << text;
  }

  fs::path folder;
  PreludeIndex index;
};

TEST_F(PreludeIndexTest, GivesBackWhatWasWritten) {
  const std::optional<Bytes> text = index.toBytes();
  ASSERT_TRUE(text);
  const std::optional<PreludeIndex> read = PreludeIndex::parse(*text);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->files.size(), 1u);
  EXPECT_EQ(read->files[0].path, index.files[0].path);
  EXPECT_EQ(read->files[0].size, 6u);
  EXPECT_EQ(read->files[0].time, index.files[0].time);
  EXPECT_GT(read->files[0].time, 0);
  EXPECT_EQ(read->headers, index.headers);
  EXPECT_EQ(read->names, index.names);
}

TEST_F(PreludeIndexTest, TakesNoPartOfAText) {
  const Bytes text = *index.toBytes();
  for (size_t size = 0; size + 1 < text.size(); ++size) // the last is a line's end
    if (auto part = PreludeIndex::parse({text.data(), size}))
      EXPECT_EQ(part->files.size(), 1u) << size; // the list of names was cut
  Bytes other = text;
  other[0] = 'F';
  EXPECT_FALSE(PreludeIndex::parse(other));
  other = text;
  other.push_back('\n');
  EXPECT_FALSE(PreludeIndex::parse(other));
}

TEST_F(PreludeIndexTest, RefusesAPathThatEndsALine) {
  index.files[0].path = "a\nb";
  EXPECT_FALSE(index.toBytes());
}

TEST_F(PreludeIndexTest, SeesThatAFileIsAnother) {
  EXPECT_TRUE(index.isCurrent());
  write(folder / "first.h", "int xx;"); // another size
  EXPECT_FALSE(index.isCurrent());
  write(folder / "first.h", "int y;");
  fs::last_write_time(folder / "first.h",
                      fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_FALSE(index.isCurrent());
  fs::remove(folder / "first.h");
  EXPECT_FALSE(index.isCurrent());
}

TEST_F(PreludeIndexTest, SeesThatAFolderHasMore) {
  const fs::path none = folder / "none";
  index.addFile(folder.string());
  index.addFile(none.string());
  EXPECT_TRUE(index.isCurrent());
  fs::create_directory(none);
  fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(1));
  EXPECT_FALSE(index.isCurrent());
  index.files.clear();
  index.addFile(none.string());
  EXPECT_TRUE(index.isCurrent());
  write(none / "math.h", "");
  fs::last_write_time(none, fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_FALSE(index.isCurrent());
}

TEST_F(PreludeIndexTest, KnowsWholeNames) {
  EXPECT_TRUE(index.mentions("NDEBUG"));
  EXPECT_TRUE(index.mentions("x"));
  EXPECT_FALSE(index.mentions("DEBUG"));
  EXPECT_FALSE(index.mentions("NDEBU"));
}

TEST_F(PreludeIndexTest, SeesHeadersInFolders) {
  EXPECT_FALSE(index.isShadowedBy(folder.string()));
  EXPECT_FALSE(index.isShadowedBy((folder / "none").string()));
  write(folder / "bits" / "types.h", "");
  EXPECT_TRUE(index.isShadowedBy(folder.string()));
}

} // namespace
