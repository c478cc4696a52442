// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: a statement of one known instruction becomes LLVM instructions and
// intrinsics before optimisation. What is not known stays, to be refused later.

#ifndef HET_LIB_FRONTEND_INLINEASSEMBLY_H
#define HET_LIB_FRONTEND_INLINEASSEMBLY_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

#include <functional>
#include <optional>

namespace het {

struct CompileOptions;

/// One PTX instruction with its operands as values.
struct PtxInstruction {
  llvm::IRBuilder<> &builder;
  llvm::CallInst &call;
  const CompileOptions &options;
  llvm::SmallVector<llvm::Value *> sources;
  /// The destination's type; void if there is none.
  llvm::Type *result;

  llvm::Type *integer(unsigned bits) const { return builder.getIntNTy(bits); }
  /// A source seen as an integer of so many bits, or as another type.
  llvm::Value *source(unsigned index, llvm::Type *type) const;
  llvm::Value *source(unsigned index, unsigned bits) const {
    return source(index, integer(bits));
  }
};

/// Makes the destination's value: null if there is none. Its type is adapted to
/// the destination's.
using PtxHandler = std::function<llvm::Value *(PtxInstruction &)>;

/// An instruction's handler and how many sources it takes.
struct PtxEntry {
  unsigned sources = 0;
  PtxHandler handler;
  unsigned optionalSources = 0; ///< further ones, at the end
};
using PtxTable = llvm::StringMap<PtxEntry>;

/// The groups, by full name (`bfe.u32`).
void addPtxIntegers(PtxTable &table);
void addPtxFloats(PtxTable &table);
void addPtxSystem(PtxTable &table);

/// An access to memory by its name (`ld.global.u32`); nothing if it is none that is
/// known.
std::optional<PtxEntry> readPtxAccess(llvm::StringRef name);

/// Raises what is known in a whole module.
void expandInlineAssembly(llvm::Module &module, const CompileOptions &options);

} // namespace het

#endif // HET_LIB_FRONTEND_INLINEASSEMBLY_H
