// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files and arguments of a source that is in memory (SourceInMemory of Frontend.h).

#ifndef HET_LIB_FRONTEND_MEMORYSOURCE_H
#define HET_LIB_FRONTEND_MEMORYSOURCE_H

#include "het/Frontend/Frontend.h"

#include "llvm/Support/VirtualFileSystem.h"

namespace het {

/// The file system that Clang reads: the files of this machine, with the source and its
/// headers among them, and without Clang's own headers of the C library.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesOf(const CompileOptions &options);

/// Arguments that lead to headers in memory, and to none of the C and C++ libraries.
std::vector<std::string> memoryArguments();

/// The source's file, which is in memory where there is such a source.
std::string pathOf(const CompileOptions &options);

/// Replaces the names of files in messages by those that the program knows.
void restoreNames(std::string &text);

} // namespace het

#endif // HET_LIB_FRONTEND_MEMORYSOURCE_H
