// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file's part of a device link (-rdc=true): kernels that are finished, LLVM IR of the
// rest, and the symbols that it shares with other files.

#ifndef HET_LIB_FRONTEND_RELOCATABLE_H
#define HET_LIB_FRONTEND_RELOCATABLE_H

#include "het/Frontend/Frontend.h"
#include "het/Package/RelocatableCode.h"

#include "llvm/ADT/StringRef.h"

#include <memory>

namespace llvm {
class Module;
}

namespace het {

/// Identifies one compilation of one file: a hash of the file's path and the arguments,
/// in hexadecimal.
std::string relocatableId(const CompileOptions &options);

/// One file: what is compiled now, and what waits for the link.
struct RelocatableFile {
  /// Kernels that need nothing of other files, with what they use.
  std::unique_ptr<llvm::Module> closed;
  RelocatableCode code;
};

/// Splits a module that is prepared and not yet closed.
RelocatableFile splitRelocatable(std::unique_ptr<llvm::Module> module,
                                 const CompileOptions &options);

/// A name without the id that Clang appends to those of static kernels and variables.
llvm::StringRef withoutId(llvm::StringRef name);

/// Reads a linked module's options into `options`. Those of a second module must be the
/// same: the spelling of the first that is not is returned, else null.
const char *readLinkOptions(const llvm::Module &module, bool isFirst,
                            CompileOptions &options);

} // namespace het

#endif // HET_LIB_FRONTEND_RELOCATABLE_H
