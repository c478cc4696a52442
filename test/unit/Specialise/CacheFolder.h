// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of the runtime's cache, in the folder that the tests have set.

#ifndef HET_TEST_SPECIALISE_CACHEFOLDER_H
#define HET_TEST_SPECIALISE_CACHEFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <set>

inline std::set<std::filesystem::path> cacheFiles() {
  std::set<std::filesystem::path> files;
  std::error_code error; // nothing was cached yet
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(std::getenv("HET_CACHE_DIR"), error))
    if (entry.is_regular_file())
      files.insert(entry.path());
  return files;
}

/// So that a test which runs again finds what it found first.
inline void emptyCache() {
  for (const std::filesystem::path &file : cacheFiles())
    std::filesystem::remove(file);
}

#endif // HET_TEST_SPECIALISE_CACHEFOLDER_H
