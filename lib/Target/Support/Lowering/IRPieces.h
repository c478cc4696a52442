// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small pieces of LLVM IR that several back ends' passes need: types made of other types,
// and the results of instructions that have two.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_IRPIECES_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_IRPIECES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"

namespace het::target {

/// An array, vector, structure or function type with the image of each of its parts. Null
/// for a type that has none.
llvm::Type *mapParts(llvm::Type *type,
                     llvm::function_ref<llvm::Type *(llvm::Type *)> image);

/// A structure of two values.
llvm::Value *createPair(llvm::IRBuilderBase &builder, llvm::Type *type,
                        llvm::Value *first, llvm::Value *second);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_IRPIECES_H
