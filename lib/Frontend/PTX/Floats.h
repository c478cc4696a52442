// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point operations that several groups of instructions share.

#ifndef HET_LIB_FRONTEND_PTX_FLOATS_H
#define HET_LIB_FRONTEND_PTX_FLOATS_H

#include "Emitter.h"

namespace het::ptx {

/// The value with subnormals of float turned to zeros of their sign.
llvm::Value *flushed(llvm::IRBuilder<> &b, llvm::Value *value);
/// An operand as a float or double, flushed in its own type: a half whose number is
/// subnormal for halves is a zero.
llvm::Value *flushedOperand(llvm::IRBuilder<> &b, llvm::Value *value);
/// The value clamped to [0, 1]; NaN becomes 0.
llvm::Value *saturated(llvm::IRBuilder<> &b, llvm::Value *value);
/// A half of any format as a float, which holds it exactly; others as they are.
llvm::Value *widened(llvm::IRBuilder<> &b, llvm::Value *value);
/// A float as a half of the type, rounded to the nearest.
llvm::Value *rounded(Emitter &e, llvm::Value *value, Type type);
/// The same in a direction: "rn", "rz", "rd" or "ru".
llvm::Value *roundedTo(Emitter &e, llvm::Value *value, Type type,
                       llvm::StringRef direction);
/// A float that rounds to a half as the double, or the integer, itself does.
llvm::Value *oddFromDouble(Emitter &e, llvm::Value *value);
llvm::Value *oddFromInteger(Emitter &e, llvm::Value *value, bool isSigned);

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_FLOATS_H
