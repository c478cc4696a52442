// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that -Xcompiler gave, for its three readers: Clang's passes over CUDA sources,
// the host compiler, and the host linker. The words are g++'s; Clang takes most of them.

#ifndef HET_LIB_DRIVER_HOSTFLAGS_H
#define HET_LIB_DRIVER_HOSTFLAGS_H

#include <optional>
#include <string>
#include <vector>

namespace het::driver {

struct HostFlags {
  /// For both passes of Clang: macros, header folders, the standard.
  std::vector<std::string> language;
  /// For Clang's host pass alone.
  std::vector<std::string> clang;
  /// For the linker: the words as given, but for OpenMP's.
  std::vector<std::string> link;
  std::optional<unsigned> optimization; ///< -O among the words.
  bool openmp = false;
  bool warningsAreErrors = false; ///< -Werror; others of that name are among Clang's.
  /// Words that Clang does not know and does without.
  std::vector<std::string> dropped;
};

HostFlags readHostFlags(const std::vector<std::string> &words);

} // namespace het::driver

#endif // HET_LIB_DRIVER_HOSTFLAGS_H
