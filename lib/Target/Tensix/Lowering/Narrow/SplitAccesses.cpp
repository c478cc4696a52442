// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before pointers change their size: accesses of structures and arrays, which lie in
// memory as hetIR lays them out, become accesses of their elements, and an argument that
// is passed by value a copy that the caller makes.

#include "../Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace het::tensix {
namespace {

/// Reads or writes the parts of a value of any type one by one.
class Parts {
public:
  Parts(llvm::Instruction &access, llvm::Value *pointer, llvm::Align alignment,
        bool isVolatile)
      : builder(&access), layout(access.getDataLayout()), pointer(pointer),
        alignment(alignment), isVolatile(isVolatile) {}

  llvm::Value *load(llvm::Type *type, uint64_t offset) {
    if (!type->isAggregateType())
      return builder.CreateAlignedLoad(
          type, at(offset), llvm::commonAlignment(alignment, offset), isVolatile);
    llvm::Value *value = llvm::PoisonValue::get(type);
    forEach(type, offset, [&](unsigned index, llvm::Type *part, uint64_t place) {
      value = builder.CreateInsertValue(value, load(part, place), index);
    });
    return value;
  }
  void store(llvm::Value *value, uint64_t offset) {
    llvm::Type *type = value->getType();
    if (!type->isAggregateType()) {
      builder.CreateAlignedStore(value, at(offset),
                                 llvm::commonAlignment(alignment, offset), isVolatile);
      return;
    }
    forEach(type, offset, [&](unsigned index, llvm::Type *, uint64_t place) {
      store(builder.CreateExtractValue(value, index), place);
    });
  }

private:
  llvm::Value *at(uint64_t offset) {
    return builder.CreatePtrAdd(pointer, builder.getInt64(offset));
  }
  void forEach(llvm::Type *type, uint64_t offset,
               llvm::function_ref<void(unsigned, llvm::Type *, uint64_t)> visit) {
    if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
      const llvm::StructLayout *places = layout.getStructLayout(structure);
      for (unsigned i = 0; i < structure->getNumElements(); ++i)
        visit(i, structure->getElementType(i), offset + places->getElementOffset(i));
      return;
    }
    llvm::Type *element = type->getArrayElementType();
    uint64_t size = layout.getTypeAllocSize(element);
    for (unsigned i = 0; i < type->getArrayNumElements(); ++i)
      visit(i, element, offset + i * size);
  }

  llvm::IRBuilder<> builder;
  const llvm::DataLayout &layout;
  llvm::Value *pointer;
  llvm::Align alignment;
  bool isVolatile;
};

void splitAccess(llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!load->getType()->isAggregateType())
      return;
    Parts parts(*load, load->getPointerOperand(), load->getAlign(), load->isVolatile());
    load->replaceAllUsesWith(parts.load(load->getType(), 0));
    load->eraseFromParent();
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (!store->getValueOperand()->getType()->isAggregateType())
      return;
    Parts parts(*store, store->getPointerOperand(), store->getAlign(),
                store->isVolatile());
    parts.store(store->getValueOperand(), 0);
    store->eraseFromParent();
  }
}

void copyArguments(llvm::CallBase &call) {
  llvm::Function &caller = *call.getFunction();
  const llvm::DataLayout &layout = caller.getDataLayout();
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Type *type = call.getParamByValType(i);
    if (!type)
      continue;
    llvm::Align alignment =
        std::max(call.getParamAlign(i).valueOrOne(), layout.getABITypeAlign(type));
    auto *copy = new llvm::AllocaInst(type, ir::localSpace, nullptr, alignment, "",
                                      caller.getEntryBlock().getFirstInsertionPt());
    llvm::IRBuilder<> builder(&call);
    llvm::Value *given = call.getArgOperand(i);
    builder.CreateMemCpy(copy, alignment, given, alignment,
                         layout.getTypeAllocSize(type));
    call.setArgOperand(i, given->getType() == copy->getType()
                              ? static_cast<llvm::Value *>(copy)
                              : builder.CreateAddrSpaceCast(copy, given->getType()));
    call.removeParamAttr(i, llvm::Attribute::ByVal);
  }
}

} // namespace

void splitAccesses(llvm::Module &module) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        copyArguments(*call);
      else
        splitAccess(instruction);
    }
    for (llvm::Argument &argument : function.args())
      argument.removeAttr(llvm::Attribute::ByVal);
  }
}

} // namespace het::tensix
