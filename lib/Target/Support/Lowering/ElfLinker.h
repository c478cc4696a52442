// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lld, run in this process on files in memory: a temporary folder that is full, missing
// or another user's is none of a lowering's business, and nothing is left behind.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_ELFLINKER_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_ELFLINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>

namespace het::target {

/// The linker's output. Among its arguments `@name` stands for the path of the file of
/// that name.
llvm::Expected<llvm::SmallVector<char, 0>>
linkELF(llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> files,
        llvm::ArrayRef<std::string> arguments);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_ELFLINKER_H
