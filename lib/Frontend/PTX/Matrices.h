// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the instructions on matrices share: vectors of registers, and the product.

#ifndef HET_LIB_FRONTEND_PTX_MATRICES_H
#define HET_LIB_FRONTEND_PTX_MATRICES_H

#include "../MatrixCalls.h"
#include "Emitter.h"

namespace het::ptx {

/// The parts of a vector, or the one register.
llvm::ArrayRef<Operand> partsOf(const Operand &operand);

/// Whether an operand has as many registers as it must; fails otherwise.
bool hasParts(Emitter &e, unsigned index, unsigned count);

/// The values of an operand's registers.
llvm::SmallVector<llvm::Value *> readParts(Emitter &e, unsigned index, unsigned width);

/// "m16n8k16"; false if a word is no shape.
bool readShape(llvm::StringRef word, MatrixProduct &product);

/// The registers of D, of those of A, B and C.
llvm::SmallVector<llvm::Value *>
multiplyMatrices(Emitter &e, const MatrixProduct &product,
                 llvm::ArrayRef<llvm::Value *> registers);

/// The registers of matrices of rows.
llvm::SmallVector<llvm::Value *>
loadMatrixRows(Emitter &e, MatrixRows rows, llvm::Value *address, llvm::Value *stride);

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_MATRICES_H
