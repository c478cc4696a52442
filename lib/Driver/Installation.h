// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where this hetcc's own files lie, and the host's tools.
//
//   <prefix>/bin/hetcc
//   <prefix>/lib               the runtime: libhetrt.so.0, libcudart.so, …
//   <prefix>/lib/het           laid out as a CUDA toolkit is, for programs that
//                              look for one: include, bin/nvcc, lib64, nvvm
//
// All is found from the place of the running program, so that an installation
// can be moved. A build folder has the same layout.

#ifndef HET_LIB_DRIVER_INSTALLATION_H
#define HET_LIB_DRIVER_INSTALLATION_H

#include "llvm/Support/Error.h"

#include <string>

namespace het::driver {

struct Installation {
  std::string executable;
  std::string libraries; ///< <prefix>/lib
  std::string toolkit;   ///< <prefix>/lib/het
  std::string headers;   ///< Our CUDA headers.
  std::string cccl;      ///< CCCL's, in a folder beside them; empty without one.

  /// `argv0` serves where the system cannot tell the program's path.
  static Installation find(const char *argv0);

  /// Whether this runtime is the one that a program finds without a run path.
  bool isKnownToSystem() const;
};

/// The host compiler that compiles and links C++. `chosen` is what -ccbin says:
/// a program, a folder that holds one, or "" for g++, else clang++.
llvm::Expected<std::string> findHostCompiler(const std::string &chosen);

/// The folder of the g++ behind a host compiler, whose headers of the C++ library belong
/// to what it links; "" if it does not say.
std::string findGccFolder(const std::string &compiler);

/// A program by its path, or by its name in PATH.
llvm::Expected<std::string> findProgram(const std::string &name);

} // namespace het::driver

#endif // HET_LIB_DRIVER_INSTALLATION_H
