// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's own library behind one of ours. It has ours' functions under the same names,
// so it is opened apart: what it calls is found in it and in what it needs first, and
// never in a stand-in.

#ifndef HET_LIBS_COMMON_VENDORLIBRARY_H
#define HET_LIBS_COMMON_VENDORLIBRARY_H

#include "het/Base/Status.h"

#include <functional>
#include <string>
#include <vector>

namespace het::libs {

/// One version of a library: its file, and those of NVIDIA's that it needs.
struct VendorFile {
  std::string file;
  std::vector<std::string> needs;
};

class VendorLibrary {
public:
  /// Opens the first of the versions that is installed and that `accept` takes (the
  /// driver may be too old for it). `package` is what to install where there is none.
  static Result<VendorLibrary>
  open(const std::vector<VendorFile> &versions, const std::string &package,
       const std::function<Status(const VendorLibrary &)> &accept);

  /// A function; null if the library does not have it.
  void *find(const char *function) const;
  template <class Function> bool find(const char *name, Function *&function) const {
    function = reinterpret_cast<Function *>(find(name));
    return function;
  }
  /// Where it lies.
  std::string file() const;

private:
  static Result<VendorLibrary> open(const VendorFile &version);
  void *handle = nullptr; ///< Never closed.
};

} // namespace het::libs

#endif // HET_LIBS_COMMON_VENDORLIBRARY_H
