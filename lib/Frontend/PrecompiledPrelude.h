// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers with which every CUDA file begins (__het_cuda_prelude.h), read once for
// many compilations: Clang's syntax tree of them is kept in the user's cache. Reading
// them takes most of the time of a small file.

#ifndef HET_LIB_FRONTEND_PRECOMPILEDPRELUDE_H
#define HET_LIB_FRONTEND_PRECOMPILEDPRELUDE_H

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace het {

using FileSystemPointer = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

/// Lets a pass that is to parse a file take its prelude from the cache, which gets it
/// first if it has none that fits. Where there is no cache, or another part of the
/// command line could change what the headers say, the invocation stays as it is, and the
/// pass reads them itself. The result is the same.
void usePrecompiledPrelude(clang::CompilerInvocation &invocation,
                           FileSystemPointer &files);

/// Whether a message is Clang's refusal of the precompiled prelude, where a pass has one.
bool isOfPrecompiledPrelude(unsigned diagnostic,
                            const clang::PreprocessorOptions &options);

} // namespace het

#endif // HET_LIB_FRONTEND_PRECOMPILEDPRELUDE_H
