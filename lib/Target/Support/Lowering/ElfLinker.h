// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lld, run in this process on files of a folder of their own.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_ELFLINKER_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_ELFLINKER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace het::target {

/// The linker's output, the file "linked". Among its arguments `@name` stands for the path
/// of the file of that name.
llvm::Expected<llvm::SmallVector<char, 0>>
linkELF(llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> files,
        llvm::ArrayRef<std::string> arguments);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_ELFLINKER_H
