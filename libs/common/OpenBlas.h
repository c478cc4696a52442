// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenBLAS, the host's library of BLAS and LAPACK: found where the loader looks.

#ifndef HET_LIBS_COMMON_OPENBLAS_H
#define HET_LIBS_COMMON_OPENBLAS_H

#include "het/Base/Status.h"

#include <string>
#include <type_traits>

namespace het::libs {

/// OpenBLAS as one of our libraries uses it; it stays open.
class OpenBlas {
public:
  /// Opens it and has `findAll` find functions; fails where one is missing. `user` is
  /// NVIDIA's name of the library that asks, for the log.
  static Status open(const char *user, void (*findAll)(OpenBlas &library));

  /// Finds a function; notes the name of one that is missing.
  template <class Function> void find(Function *&function, const std::string &name) {
    function = reinterpret_cast<Function *>(find(name));
  }

private:
  void *find(const std::string &name);
  void *handle = nullptr;
  std::string lacks;
};

} // namespace het::libs

#endif // HET_LIBS_COMMON_OPENBLAS_H
