// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that a source includes (-M and its relatives). Kernels and host code may
// include different ones; a build system must know all of them.

#ifndef HET_LIB_FRONTEND_INCLUDEDFILES_H
#define HET_LIB_FRONTEND_INCLUDEDFILES_H

#include "clang/Frontend/DependencyOutputOptions.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class CompilerInvocation;
} // namespace clang

namespace het {

class Messages;

/// What the passes over one source have included. Thread-safe: they run at the same time.
class IncludedFiles {
public:
  /// Takes the wish for a list out of a pass's invocation: what Clang itself would write
  /// is what one pass includes.
  void take(clang::CompilerInvocation &invocation);
  /// Makes a run of a pass add what it includes, when it ends.
  void attach(clang::CompilerInstance &compiler);
  /// Writes the list, if there was a wish. Returns false with the reason shown.
  bool write(Messages &messages) const;

  /// What a run of one of the passes has included.
  void add(llvm::ArrayRef<std::string> files, bool isDevice);

private:
  mutable std::mutex mutex;
  clang::DependencyOutputOptions options;
  std::vector<std::string> hostFiles, deviceFiles; ///< In the order of the source.
};

} // namespace het

#endif // HET_LIB_FRONTEND_INCLUDEDFILES_H
