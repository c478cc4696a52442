// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's back end finds out what pointers lead to by how they are used, and starts anew
// where it finds out more of the pointers that lie there: then the type of an access, or
// that by which its address is computed, becomes that of the whole object, and an array
// of pointers that a loop goes through a single one. So pointers lie in memory as
// integers: what objects, addresses and accesses are made of stays what it is.

#include "../Fp64/RemapTypes.h"
#include "../Passes.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace het::spirv {
namespace {

class AddressImages : public TypeImages {
  llvm::Type *image(llvm::Type *type) override {
    return type->isPointerTy() ? llvm::Type::getInt64Ty(type->getContext()) : type;
  }
};

} // namespace

/// An access of an integer instead, behind or in front of a cast.
static void accessInteger(llvm::LoadInst &load) {
  auto *integer = llvm::Type::getInt64Ty(load.getContext());
  llvm::Type *pointer = load.getType();
  if (!pointer->isPointerTy())
    return;
  auto *bits = new llvm::LoadInst(integer, load.getPointerOperand(), "",
                                  load.isVolatile(), load.getAlign(), load.getOrdering(),
                                  load.getSyncScopeID(), load.getIterator());
  load.replaceAllUsesWith(new llvm::IntToPtrInst(bits, pointer, "", load.getIterator()));
  load.eraseFromParent();
}

static void accessInteger(llvm::StoreInst &store) {
  auto *integer = llvm::Type::getInt64Ty(store.getContext());
  llvm::Value *pointer = store.getValueOperand();
  if (pointer->getType()->isPointerTy())
    store.setOperand(0,
                     new llvm::PtrToIntInst(pointer, integer, "", store.getIterator()));
}

void hidePointers(llvm::Function &function) {
  AddressImages images;
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      object->setAllocatedType(images.remapType(object->getAllocatedType()));
    } else if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      address->setSourceElementType(images.remapType(address->getSourceElementType()));
      address->setResultElementType(images.remapType(address->getResultElementType()));
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      accessInteger(*load);
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      accessInteger(*store);
    }
  }
}

} // namespace het::spirv
