// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of lowered kernels: what is damaged is never used, many processes
// share it, and it stays within its size.

#include "core/code/Cache.h"
#include "Support.h"

#include "het/Base/File.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

using namespace het;
using namespace het::core;
namespace fs = std::filesystem;

namespace {

Bytes someBytes(size_t size, uint8_t seed) {
  Bytes bytes(size);
  for (size_t index = 0; index < size; ++index)
    bytes[index] = static_cast<uint8_t>(seed + index * 7);
  return bytes;
}

/// The files of the cache; temporary ones too.
std::vector<fs::path> filesOfCache() {
  std::vector<fs::path> files;
  std::error_code missing; // until something is stored
  for (const auto &file :
       fs::recursive_directory_iterator(cacheFolder(), missing))
    if (file.is_regular_file())
      files.push_back(file.path());
  return files;
}

/// Where this key's artifact lies: the file that storing it made.
fs::path storeAlone(const std::string &key, const Bytes &artifact) {
  for (const fs::path &file : filesOfCache())
    fs::remove(file);
  Cache::get().store(key, artifact);
  std::vector<fs::path> files = filesOfCache();
  EXPECT_EQ(files.size(), 1u);
  return files.empty() ? fs::path() : files[0];
}

TEST(CacheTest, KeysTellPartsApart) {
  EXPECT_EQ(Cache::key({"ab", "c"}), Cache::key({"ab", "c"}));
  EXPECT_NE(Cache::key({"ab", "c"}), Cache::key({"a", "bc"}));
  EXPECT_NE(Cache::key({"ab", "c"}), Cache::key({"ab", "c", ""}));
}

TEST(CacheTest, GivesBackWhatWasStored) {
  std::string key = Cache::key({"gives", "back"});
  EXPECT_FALSE(Cache::get().load(key).has_value());
  for (size_t size : {0, 1, 1000}) {
    Bytes bytes = someBytes(size, 3);
    Cache::get().store(key, bytes);
    EXPECT_EQ(Cache::get().load(key), bytes);
  }
}

TEST(CacheTest, KnowsWhatIsThere) {
  std::string key = Cache::key({"is", "there"});
  fs::path path = storeAlone(key, someBytes(10, 1));
  EXPECT_FALSE(Cache::get().isEmpty());
  std::optional<int64_t> before = Cache::get().lastUse(key);
  ASSERT_TRUE(before.has_value());
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(2));
  EXPECT_EQ(Cache::get().lastUse(key), *before - int64_t(7200) * 1'000'000'000);
  EXPECT_TRUE(Cache::get().load(key).has_value()); // is a use
  EXPECT_GE(Cache::get().lastUse(key), before);
  fs::remove(path);
  EXPECT_FALSE(Cache::get().lastUse(key).has_value());
  EXPECT_TRUE(Cache::get().isEmpty());
}

TEST(CacheTest, EveryFlippedByteIsNoticed) {
  std::string key = Cache::key({"flips"});
  Bytes artifact = someBytes(50, 9);
  fs::path path = storeAlone(key, artifact);
  Bytes good = *readFile(path);
  for (size_t index = 0; index < good.size(); ++index)
    for (uint8_t mask : {0x01, 0x80, 0xFF}) {
      Bytes bad = good;
      bad[index] ^= mask;
      ASSERT_TRUE(writeFileAtomically(path, bad).ok());
      ASSERT_FALSE(Cache::get().load(key).has_value()) << "byte " << index;
    }
  Cache::get().store(key, artifact);
  EXPECT_EQ(Cache::get().load(key), artifact);
}

TEST(CacheTest, EveryTruncationIsNoticed) {
  std::string key = Cache::key({"truncations"});
  Bytes artifact = someBytes(50, 5);
  fs::path path = storeAlone(key, artifact);
  Bytes good = *readFile(path);
  for (size_t size = 0; size < good.size(); ++size) {
    ASSERT_TRUE(writeFileAtomically(path, ByteView(good.data(), size)).ok());
    ASSERT_FALSE(Cache::get().load(key).has_value()) << size << " bytes";
  }
  Bytes longer = good;
  longer.push_back(0);
  ASSERT_TRUE(writeFileAtomically(path, longer).ok());
  EXPECT_FALSE(Cache::get().load(key).has_value());
}

TEST(CacheTest, AnotherKeysFileIsNoticed) {
  std::string first = Cache::key({"first"}), second = Cache::key({"second"});
  fs::path other = storeAlone(second, someBytes(10, 1));
  fs::path path = storeAlone(first, someBytes(10, 2));
  fs::rename(path, other);
  EXPECT_FALSE(Cache::get().load(second).has_value());
}

TEST(CacheTest, UseIsNotedByTheHour) {
  using namespace std::chrono_literals;
  std::string key = Cache::key({"use"});
  fs::path path = storeAlone(key, someBytes(10, 1));
  const auto now = fs::file_time_type::clock::now();
  for (auto [age, isNoted] : {std::pair(10min, false), std::pair(70min, true)}) {
    fs::last_write_time(path, now - age);
    EXPECT_TRUE(Cache::get().load(key).has_value());
    EXPECT_EQ(fs::last_write_time(path) > now - 1min, isNoted);
  }
}

TEST(CacheTest, StaysWithinItsSize) {
  constexpr size_t limit = 256 << 10; // Support.cpp sets it
  std::string last;
  for (int index = 0; index < 40; ++index) {
    last = Cache::key({"size", std::to_string(index)});
    Cache::get().store(last, someBytes(20 << 10, 1));
  }
  size_t total = 0;
  for (const fs::path &file : filesOfCache())
    total += fs::file_size(file);
  EXPECT_LE(total, limit);
  EXPECT_GT(total, limit / 2);
  EXPECT_TRUE(Cache::get().load(last).has_value());
}

TEST(CacheTest, ManyProcessesShareIt) {
  (void)Cache::get();
  std::vector<pid_t> children;
  for (int child = 0; child < 8; ++child) {
    pid_t pid = fork();
    if (pid == 0) {
      for (int round = 0; round < 50; ++round) {
        std::string key = Cache::key({"shared", std::to_string(round % 5)});
        Bytes expected = someBytes(2000, static_cast<uint8_t>(round % 5));
        std::optional<Bytes> found = Cache::get().load(key);
        if (found && *found != expected)
          std::_Exit(1);
        Cache::get().store(key, expected);
      }
      std::_Exit(0);
    }
    children.push_back(pid);
  }
  for (pid_t pid : children) {
    int status = -1;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  for (const fs::path &file : filesOfCache())
    EXPECT_EQ(file.extension(), ".hetart") << file; // nothing left aside
}

/// In a process of its own: a cache that cannot be made holds nothing and
/// fails nothing.
void useBrokenCache() {
  setenv("HET_CACHE_DIR", "/proc/self/no-such-folder", 1);
  std::string key = Cache::key({"broken"});
  Cache::get().store(key, someBytes(10, 1));
  std::_Exit(Cache::get().load(key) ? 1 : 0);
}

TEST(CacheDeathTest, CannotBeWritten) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(useBrokenCache(), testing::ExitedWithCode(0), "");
}

} // namespace
