// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that come as PTX text, which another compiler or a person wrote.

#ifndef HET_FRONTEND_PTXTEXT_H
#define HET_FRONTEND_PTXTEXT_H

#include "het/Base/Bytes.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace het {

/// Makes a package of a text. Fails with all messages, each with its line. Needs no
/// Clang.
llvm::Expected<Bytes> compilePtxText(llvm::StringRef text);

} // namespace het

#endif // HET_FRONTEND_PTXTEXT_H
