// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages inside other files: programs, objects, libraries, archives.

#ifndef HET_PACKAGE_EMBEDDED_H
#define HET_PACKAGE_EMBEDDED_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <string>
#include <vector>

namespace het {

/// A place in a file that holds a package: its header is intact, the rest is
/// not checked yet.
struct EmbeddedPackage {
  uint64_t offset = 0;
  ByteView bytes;
};

/// Results of a search.
struct EmbeddedPackages {
  std::vector<EmbeddedPackage> packages;
  /// File names of packages that lie beside the program.
  std::vector<std::string> references;
  /// Places that look like a package whose header is damaged or of another
  /// version, with the reason.
  std::vector<Status> damaged;
};

/// Searches a whole file for packages and references by their magic.
EmbeddedPackages findPackages(ByteView file, const std::string &origin);

} // namespace het

#endif // HET_PACKAGE_EMBEDDED_H
