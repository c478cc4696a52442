// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints --help, --version and the lists of architectures.

#ifndef HET_LIB_DRIVER_HELP_H
#define HET_LIB_DRIVER_HELP_H

#include <string>

namespace het::driver {

std::string helpText();
std::string versionText();
/// One `<prefix>N` a line.
std::string architectureList(const char *prefix);

} // namespace het::driver

#endif // HET_LIB_DRIVER_HELP_H
