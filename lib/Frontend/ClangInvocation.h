// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one pass of Clang in this process: the command line of clang's driver,
// the cc1 arguments that its driver makes of it, and a compiler instance whose
// diagnostics go to Messages.

#ifndef HET_LIB_FRONTEND_CLANGINVOCATION_H
#define HET_LIB_FRONTEND_CLANGINVOCATION_H

#include "het/Frontend/Frontend.h"

#include "clang/Frontend/FrontendAction.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace het {

class IncludedFiles;
class Messages;

using ClangArguments = std::vector<std::string>;

/// Arguments of both passes: language, headers, the user's own.
ClangArguments commonClangArguments(const CompileOptions &options);

/// Runs `action` on the single job that clang's driver makes of `arguments`
/// (the source file included). Returns false, with the reason shown, if it
/// fails. What it includes is added to `included`. Messages that contain `hidden` (if it
/// is not empty) are not shown.
bool runClang(const ClangArguments &arguments, const CompileOptions &options,
              Messages &messages,
              const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &files,
              clang::FrontendAction &action, IncludedFiles &included,
              llvm::StringRef hidden = "");

} // namespace het

#endif // HET_LIB_FRONTEND_CLANGINVOCATION_H
