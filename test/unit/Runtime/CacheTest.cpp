// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of lowered kernels: what is damaged is never used, many processes
// share it, and it stays within its size.

#include "het/Base/Cache.h"
#include "Support.h"

#include "het/Base/File.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>
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
  for (const auto &file : fs::recursive_directory_iterator(cacheFolder(), missing))
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

/// A file is there in the place of a key's artifact; it must not be used, and must be
/// replaced.
void expectReplaced(const std::string &key, const fs::path &path) {
  EXPECT_FALSE(Cache::get().lastUse(key).has_value()) << path;
  EXPECT_FALSE(Cache::get().load(key).has_value()) << path;
  Cache::get().store(key, someBytes(30, 4));
  EXPECT_EQ(Cache::get().load(key), someBytes(30, 4)) << path;
}

TEST(CacheTest, FilesThatOthersCanWriteAreNotUsed) {
  std::string key = Cache::key({"modes"});
  for (mode_t mode : {0620, 0602, 0666, 0777}) {
    fs::path path = storeAlone(key, someBytes(10, 1));
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    expectReplaced(key, path);
    struct stat about;
    ASSERT_EQ(::stat(path.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600u);
  }
}

TEST(CacheTest, FilesOfOthersAreNotUsed) {
  std::string key = Cache::key({"owners"});
  fs::path path = storeAlone(key, someBytes(10, 1));
  if (::chown(path.c_str(), 65534, 65534) != 0)
    GTEST_SKIP() << "only root can give files away";
  expectReplaced(key, path);
}

TEST(CacheTest, LinksPipesAndHolesAreNotUsed) {
  std::string key = Cache::key({"kinds"});
  fs::path path = storeAlone(key, someBytes(10, 1)), other = cacheFolder() + "elsewhere";
  fs::rename(path, other);
  fs::create_symlink(other, path);
  expectReplaced(key, path);
  fs::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  expectReplaced(key, path);
  fs::resize_file(path, uint64_t(1) << 43);
  expectReplaced(key, path);
  fs::remove(other);
}

/// Sets a limit of the process until the end of a scope.
class Limited {
public:
  Limited(decltype(RLIMIT_NOFILE) resource, rlim_t value) : resource(resource) {
    ::getrlimit(resource, &before);
    const struct rlimit lower = {value, before.rlim_max};
    ::setrlimit(resource, &lower);
  }
  ~Limited() { ::setrlimit(resource, &before); }

private:
  decltype(RLIMIT_NOFILE) resource;
  struct rlimit before = {};
};

/// What cannot be read now may be good.
TEST(CacheTest, WithoutDescriptorsArtifactsStay) {
  std::string key = Cache::key({"no", "descriptors"});
  fs::path path = storeAlone(key, someBytes(10, 1));
  const int next = ::dup(STDERR_FILENO);
  ASSERT_EQ(::close(next), 0);
  // None for the folder; one for it, and none for the file.
  for (int spare : {0, 1}) {
    {
      Limited limited(RLIMIT_NOFILE, static_cast<rlim_t>(next + spare));
      EXPECT_FALSE(Cache::get().load(key).has_value());
    }
    EXPECT_TRUE(fs::exists(path)) << spare << " descriptors";
  }
  EXPECT_EQ(Cache::get().load(key), someBytes(10, 1));
}

/// What a process leaves that dies while it stores.
TEST(CacheTest, LeftoversAreCountedAndRemovedWhenStale) {
  using namespace std::chrono_literals;
  std::string key = Cache::key({"left"});
  fs::path path = storeAlone(key, someBytes(10, 1));
  const fs::path stale = path.string() + ".abcdef", fresh = path.string() + ".ghijkl";
  for (const fs::path &left : {stale, fresh})
    ASSERT_TRUE(writeFileAtomically(left, someBytes(100 << 10, 1)).ok());
  fs::last_write_time(stale, fs::last_write_time(stale) - 2h);
  for (int index = 0; index < 20; ++index)
    Cache::get().store(Cache::key({"left", std::to_string(index)}),
                       someBytes(20 << 10, 1));
  EXPECT_FALSE(fs::exists(stale));
  EXPECT_TRUE(fs::exists(fresh)) << "another process stores it";
  size_t total = 0;
  for (const fs::path &file : filesOfCache())
    total += fs::file_size(file);
  EXPECT_LE(total, 256u << 10); // Support.cpp sets it
  fs::remove(fresh);
}

/// A path beside the cache's.
std::string besideCache(const char *name) {
  return fs::path(cacheFolder()).parent_path().parent_path() / name;
}

/// In a process of its own, whose cache is this folder: whether anything is kept.
void useFolder(const std::string &folder) {
  setenv("HET_CACHE_DIR", folder.c_str(), 1);
  std::string key = Cache::key({"folder"});
  Cache::get().store(key, someBytes(10, 1));
  std::_Exit(Cache::get().load(key) ? 0 : 1);
}

TEST(CacheDeathTest, FoldersThatOthersCanWriteAreNotUsed) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const std::string folder = besideCache("folder");
  fs::create_directory(folder);
  EXPECT_EXIT(useFolder(folder), testing::ExitedWithCode(0), "");
  for (mode_t mode : {0770, 0707, 01777}) {
    ASSERT_EQ(::chmod(folder.c_str(), mode), 0);
    EXPECT_EXIT(useFolder(folder), testing::ExitedWithCode(1), "others own or can write");
  }
  ASSERT_EQ(::chmod(folder.c_str(), 0700), 0);
  if (::chown(folder.c_str(), 65534, 65534) == 0)
    EXPECT_EXIT(useFolder(folder), testing::ExitedWithCode(1), "others own or can write");
  fs::remove_all(folder);
}

TEST(CacheDeathTest, FoldersAreMadeForTheOwner) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const std::string folder = besideCache("made");
  auto make = [&] {
    ::umask(0);
    useFolder(folder + "/in/it");
  };
  EXPECT_EXIT(make(), testing::ExitedWithCode(0), "");
  for (const char *part : {"", "/in", "/in/it"})
    EXPECT_EQ(fs::status(folder + part).permissions(), fs::perms::owner_all) << part;
  fs::remove_all(folder);
}

#ifndef __SANITIZE_ADDRESS__ // which reserves terabytes
/// In a process of its own: an artifact that takes more memory than there is, and then
/// does not.
void loadWithoutMemory(const std::string &folder) {
  constexpr size_t size = 64 << 20;
  setenv("HET_CACHE_DIR", folder.c_str(), 1);
  setenv("HET_CACHE_SIZE", "1G", 1);
  std::string key = Cache::key({"no", "memory"});
  Cache::get().store(key, Bytes(size));
  {
    Limited limited(RLIMIT_AS, size / 2); // less than is used now
    if (Cache::get().load(key))
      std::_Exit(1);
  }
  std::optional<Bytes> found = Cache::get().load(key);
  std::_Exit(found && found->size() == size ? 0 : 2);
}

TEST(CacheDeathTest, WithoutMemoryArtifactsStay) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const std::string folder = besideCache("memory");
  EXPECT_EXIT(loadWithoutMemory(folder), testing::ExitedWithCode(0), "");
  fs::remove_all(folder);
}
#endif

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
