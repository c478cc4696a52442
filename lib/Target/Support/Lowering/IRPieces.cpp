// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IRPieces.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace het::target {

llvm::Type *mapParts(llvm::Type *type,
                     llvm::function_ref<llvm::Type *(llvm::Type *)> image) {
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    return llvm::ArrayType::get(image(array->getElementType()), array->getNumElements());
  if (auto *vector = llvm::dyn_cast<llvm::VectorType>(type))
    return llvm::VectorType::get(image(vector->getElementType()),
                                 vector->getElementCount());
  if (auto *function = llvm::dyn_cast<llvm::FunctionType>(type)) {
    llvm::SmallVector<llvm::Type *> parameters =
        llvm::map_to_vector(function->params(), image);
    return llvm::FunctionType::get(image(function->getReturnType()), parameters,
                                   function->isVarArg());
  }
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  if (!structure)
    return nullptr;
  llvm::SmallVector<llvm::Type *> elements =
      llvm::map_to_vector(structure->elements(), image);
  if (llvm::ArrayRef(elements) == structure->elements())
    return type;
  return llvm::StructType::get(type->getContext(), elements, structure->isPacked());
}

llvm::Value *createPair(llvm::IRBuilderBase &builder, llvm::Type *type,
                        llvm::Value *first, llvm::Value *second) {
  llvm::Value *pair = builder.CreateInsertValue(llvm::PoisonValue::get(type), first, 0);
  return builder.CreateInsertValue(pair, second, 1);
}

} // namespace het::target
