// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of float arithmetic that flushes, as nvcc's -ftz=true asks for and PTX's
// modifier .ftz says: hetir.math of "mul_ftz", "exp2_ftz", and of "flush" for a number
// alone (docs/spec/hetir.md, Math).

#ifndef HET_IR_FLUSHEDARITHMETIC_H
#define HET_IR_FLUSHEDARITHMETIC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace het::ir {

class MathOp;

/// The end of the name of a function that flushes, and the function that does only that.
inline constexpr llvm::StringLiteral flushSuffix = "_ftz", flushFunction = "flush";

/// An operation of float in the LLVM dialect for which there is a function that flushes.
struct FlushedOperation {
  llvm::StringLiteral function; ///< Without the suffix: "mul".
  llvm::StringLiteral
      operation; ///< "llvm.fmul", or an intrinsic's name without the type.
  unsigned operands;
  bool isIntrinsic = false; ///< The dialect has no operation of its own for it.
};
llvm::ArrayRef<FlushedOperation> flushedOperations();
/// The one with that function; null if there is none.
const FlushedOperation *findFlushedOperation(llvm::StringRef function);

/// Whether an operation flushes its operands and its result.
bool flushes(MathOp op);

} // namespace het::ir

#endif // HET_IR_FLUSHEDARITHMETIC_H
