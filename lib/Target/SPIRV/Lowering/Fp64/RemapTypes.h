// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other types for all values of a module, of the same sizes.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_FP64_REMAPTYPES_H
#define HET_LIB_TARGET_SPIRV_LOWERING_FP64_REMAPTYPES_H

#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace het::spirv {

/// Maps types to others, from what becomes of the numbers and pointers in them.
class TypeImages : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type *remapType(llvm::Type *type) override;

private:
  /// The image of a type that has no parts.
  virtual llvm::Type *image(llvm::Type *type) = 0;
};

/// `constants` gives those whose values a change of type does not say.
void remapTypes(llvm::Module &module, TypeImages &types,
                llvm::ValueMaterializer *constants = nullptr);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_FP64_REMAPTYPES_H
