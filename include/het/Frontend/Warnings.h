// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's warnings by their numbers and names, and Clang's by their groups.

#ifndef HET_FRONTEND_WARNINGS_H
#define HET_FRONTEND_WARNINGS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace het {

using WarningGroups = llvm::SmallVector<llvm::StringRef, 4>;

/// Clang's groups for a message of cudafe++, by its number ("177") or its name
/// ("declared_but_not_referenced"); none if Clang says no such thing.
WarningGroups warningGroups(llvm::StringRef message);

/// Whether nvcc's tools have such a warning: by themselves, or with -Wall, -Wextra.
bool isSharedWarning(llvm::StringRef group, bool all, bool extra);

} // namespace het

#endif // HET_FRONTEND_WARNINGS_H
