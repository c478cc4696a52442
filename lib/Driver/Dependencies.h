// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -M and its relatives, in the words of Clang and g++.

#ifndef HET_LIB_DRIVER_DEPENDENCIES_H
#define HET_LIB_DRIVER_DEPENDENCIES_H

#include "Settings.h"

namespace het::driver {

/// Where the list goes that is made beside a source's compilation.
std::string dependencyFile(const Settings &settings, const Source &source);

/// The words that list a source's dependencies in a file; "": in the output.
std::vector<std::string> dependencyWords(const Settings &settings, const Source &source,
                                         const std::string &file);

} // namespace het::driver

#endif // HET_LIB_DRIVER_DEPENDENCIES_H
