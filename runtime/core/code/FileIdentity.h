// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifies one build of a file among others, for keys of caches. Sizes and times do
// not: many installations give all files one time.

#ifndef HET_RUNTIME_CORE_CODE_FILEIDENTITY_H
#define HET_RUNTIME_CORE_CODE_FILEIDENTITY_H

#include <string>

namespace het::core {

/// A shared object's build ID, which the linker has made of its contents; of one without,
/// size and times. "none" where there is no such file.
std::string identityOfLibrary(const std::string &path);

/// A digest of a file's contents. For small files.
std::string identityOfContents(const std::string &path);

} // namespace het::core

#endif // HET_RUNTIME_CORE_CODE_FILEIDENTITY_H
