// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that come as PTX text, which another compiler or a person wrote.

#ifndef HET_FRONTEND_PTXTEXT_H
#define HET_FRONTEND_PTXTEXT_H

#include "het/Base/Bytes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace het {

/// A text, and its name in messages.
struct PtxText {
  std::string name;
  llvm::StringRef text;
};

/// Makes a package of texts, which may use functions and variables of each other. Fails
/// with all messages, each with its line. Needs no Clang.
llvm::Expected<Bytes> compilePtxTexts(llvm::ArrayRef<PtxText> texts);
llvm::Expected<Bytes> compilePtxText(llvm::StringRef text);

/// Whether a text by itself is well formed; what it uses need not be there.
llvm::Error checkPtxText(const PtxText &text);

} // namespace het

#endif // HET_FRONTEND_PTXTEXT_H
