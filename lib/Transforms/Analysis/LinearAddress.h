// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses as sums: where the arithmetic of a pointer starts, and what it adds.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_LINEARADDRESS_H
#define HET_LIB_TRANSFORMS_ANALYSIS_LINEARADDRESS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace het::transforms {

/// `base + offset + the sum of each value * factor`, in bytes. Indices are taken for
/// integers that do not overflow; the offset and factors are kept to 32 bits, which
/// shared memory never exceeds.
struct LinearAddress {
  struct Term {
    mlir::Value value;
    int64_t factor;
  };

  mlir::Value base;
  llvm::SmallVector<Term, 4> terms; ///< Each value once, none with the factor 0.
  int64_t offset = 0;
  /// Bytes that the last index of the nearest address computation with one counts, or 1.
  int64_t element = 1;

  /// Takes apart what address computations, casts between address spaces, sums and
  /// products with constants there are.
  LinearAddress(mlir::Value pointer, const mlir::DataLayout &layout);
  /// An index by itself, with a null base.
  static LinearAddress ofIndex(mlir::Value index);

  /// The factor of a value, or 0.
  int64_t factorOf(mlir::Value value) const;

private:
  LinearAddress() = default;
  void addIndices(mlir::LLVM::GEPOp gep, const mlir::DataLayout &layout);
  void addIndex(llvm::PointerUnion<mlir::IntegerAttr, mlir::Value> index, int64_t bytes);
  void add(mlir::Value value, int64_t factor);

  unsigned sumsLeft = 32; ///< Further ones are not taken apart.
};

/// The integer that a value is made of by extending or cutting it, or the value itself.
mlir::Value withoutCasts(mlir::Value value);

/// Where a structure's member begins, in bytes.
int64_t memberOffset(mlir::LLVM::LLVMStructType structure, int64_t member,
                     const mlir::DataLayout &layout);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_LINEARADDRESS_H
