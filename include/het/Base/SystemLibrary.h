// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens libraries of NVIDIA's where libraries of ours may have the same names
// (runtime/compat), which hetrun puts in front for programs that open them.

#ifndef HET_BASE_SYSTEMLIBRARY_H
#define HET_BASE_SYSTEMLIBRARY_H

#include <string>
#include <vector>

namespace het {

/// Whether an open library is one of ours under NVIDIA's name.
bool isStandIn(void *library);

/// Whether the process has a stand-in of that name: whoever asks the loader for the name
/// gets it, and never NVIDIA's.
bool hasStandIn(const std::string &file);

/// Opens the library of that name, by dlopen's `flags`, and passes over stand-ins: as the
/// loader finds it, else in the folders of LD_LIBRARY_PATH and those given. Null:
/// `reason` says why.
void *openPastStandIns(const std::string &file, const std::vector<std::string> &folders,
                       int flags, std::string &reason);

/// The file that an open library was read from.
std::string fileOf(void *library);

} // namespace het

#endif // HET_BASE_SYSTEMLIBRARY_H
