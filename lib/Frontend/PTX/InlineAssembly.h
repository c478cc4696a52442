// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: each asm statement becomes a call of a function that does what it says.

#ifndef HET_LIB_FRONTEND_PTX_INLINEASSEMBLY_H
#define HET_LIB_FRONTEND_PTX_INLINEASSEMBLY_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace het {

/// What the text of an asm statement begins with that is refused; why follows. It is
/// shown only if code that a kernel reaches has it.
inline constexpr llvm::StringLiteral refusedAssembly = "het.refused:";

/// Raises the asm statements of a whole module, before optimisation.
void expandInlineAssembly(llvm::Module &module);

/// Removes asm statements without text (EmptyAssembly.cpp). After optimisation.
void removeEmptyAssembly(llvm::Module &module);

} // namespace het

#endif // HET_LIB_FRONTEND_PTX_INLINEASSEMBLY_H
