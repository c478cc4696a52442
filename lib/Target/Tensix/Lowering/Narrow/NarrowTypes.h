// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps types and constants where pointers to a core's own memory get 32 bits and all
// others become integers. In memory, and inside of structures, every pointer keeps
// hetIR's 64 bits.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_NARROW_NARROWTYPES_H
#define HET_LIB_TARGET_TENSIX_LOWERING_NARROW_NARROWTYPES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

namespace het::tensix {

class NarrowTypes {
public:
  /// `wide`: hetIR's layout.
  NarrowTypes(llvm::LLVMContext &context, const llvm::DataLayout &wide)
      : context(context), wide(wide), flat(llvm::Type::getInt64Ty(context)),
        near(llvm::PointerType::get(context, 0)) {}

  /// The type of a value.
  llvm::Type *image(llvm::Type *type) const;
  /// The type in memory or in a structure.
  llvm::Type *stored(llvm::Type *type) const;
  llvm::FunctionType *image(llvm::FunctionType *type) const;
  bool changes(llvm::Type *type) const { return image(type) != type; }

  /// A constant, which is no function of instructions' constants.
  llvm::Constant *image(llvm::Constant *constant) const;
  /// As bytes in memory: its type is another one of the same size.
  llvm::Constant *initializer(llvm::Constant *constant) const;

  /// Objects and functions that were made again.
  llvm::DenseMap<llvm::Constant *, llvm::Constant *> made;

  llvm::LLVMContext &context;
  const llvm::DataLayout wide;
  llvm::IntegerType *const flat;
  llvm::PointerType *const near;

private:
  llvm::Constant *nearImage(llvm::Constant *pointer) const;
  llvm::Constant *flatImage(llvm::Constant *pointer) const;
  llvm::Constant *storedPointer(llvm::Constant *pointer) const;
  llvm::Constant *padded(llvm::ArrayRef<llvm::Constant *> parts,
                         llvm::ArrayRef<uint64_t> offsets, uint64_t size) const;
};

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_NARROW_NARROWTYPES_H
