// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds to Clang's preprocessing what nvcc's has: macros that stand for a pragma, braces
// around a launch's arguments, and the names of CUDA's libraries that are not available
// yet.

#ifndef HET_LIB_FRONTEND_PREPROCESSORHOOKS_H
#define HET_LIB_FRONTEND_PREPROCESSORHOOKS_H

#include "llvm/Support/VirtualFileSystem.h"

namespace clang {
class CompilerInstance;
}

namespace het {

/// Takes effect in the file that `compiler` reads next.
void addPreprocessorHooks(clang::CompilerInstance &compiler);

/// `files` without the headers of CUDA's libraries that are not available yet,
/// where a CUDA toolkit has put its own into the system's folders.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
hideUnavailableHeaders(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace het

#endif // HET_LIB_FRONTEND_PREPROCESSORHOOKS_H
