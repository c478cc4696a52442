// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of float that flushes, as nvcc's -ftz=true asks for and PTX's modifier .ftz
// names: hetir.math of "mul_ftz", "exp2_ftz", and of "flush" for a number alone
// (docs/spec/hetir.md, Math). For targets without such instructions it is
// written out here.

#ifndef HET_TRANSFORMS_FLUSHEDARITHMETIC_H
#define HET_TRANSFORMS_FLUSHEDARITHMETIC_H

#include "het/IR/HetIR.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

namespace het::transforms {

/// What the names of functions that flush end with, and the function that does only that.
inline constexpr llvm::StringLiteral flushSuffix = "_ftz", flushFunction = "flush";

/// Whether the operation flushes its operands and its result.
bool flushes(ir::MathOp op);

/// Whether a float can not be subnormal: a result that is flushed, a number of an integer
/// or a half, or one chosen of such.
bool isFlushed(mlir::Value value);

/// Replaces an operation that flushes by ones that do not. Returns the functions that are
/// among these.
llvm::SmallVector<ir::MathOp> expandFlushed(ir::MathOp op);
/// Replaces all of a module.
void expandFlushed(mlir::ModuleOp module);

} // namespace het::transforms

#endif // HET_TRANSFORMS_FLUSHEDARITHMETIC_H
