// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How code about textures is marked.

#ifndef HET_IR_TEXTURES_H
#define HET_IR_TEXTURES_H

#include "llvm/ADT/StringRef.h"

namespace het::ir {

/// On a function that samples textures where no unit does. It stays out of line as long
/// as there may be units, so that loops with fetches are short; a target without inlines
/// it.
constexpr llvm::StringLiteral textureCodeAttrName = "hetir.texture_code";

} // namespace het::ir

#endif // HET_IR_TEXTURES_H
