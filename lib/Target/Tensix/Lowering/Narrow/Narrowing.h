// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Narrows the instructions of one function, for narrowPointers.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_NARROW_NARROWING_H
#define HET_LIB_TARGET_TENSIX_LOWERING_NARROW_NARROWING_H

#include "../Passes.h"
#include "NarrowTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace het::tensix {

/// Without what is said of pointers, and of the memory that a function touches: accesses
/// become calls.
llvm::AttributeList plainAttributes(llvm::AttributeList list,
                                    const llvm::FunctionType *type);

class Narrowing {
public:
  Narrowing(llvm::Function &function, const NarrowTypes &types)
      : function(function), types(types), builder(function.getContext()) {}

  /// A value that has its image's type, and what it was.
  void note(llvm::Value *value, llvm::Type *was) { before[value] = was; }
  llvm::Error run();

private:
  /// The type that a value had at first.
  llvm::Type *typeOf(llvm::Value *value) const {
    auto it = before.find(value);
    return it == before.end() ? value->getType() : it->second;
  }
  bool wasNear(llvm::Value *pointer) const { return isNear(typeOf(pointer)); }
  /// The image of an operand.
  llvm::Value *get(llvm::Value *value);
  /// As a flat address, an i64.
  llvm::Value *flat(llvm::Value *pointer);
  llvm::Value *toNear(llvm::Value *address);
  void replace(llvm::Instruction &old, llvm::Value *made);
  void fail(const llvm::Instruction &instruction, const llvm::Twine &what);

  void rewrite(llvm::Instruction &instruction);
  void rewriteOperands(llvm::Instruction &instruction);
  void rewriteElement(llvm::GetElementPtrInst &element);
  void rewriteCast(llvm::CastInst &cast);
  void rewriteObject(llvm::AllocaInst &object);
  void rewriteLoad(llvm::LoadInst &load);
  void rewriteStore(llvm::StoreInst &store);
  void rewriteExtract(llvm::ExtractValueInst &extract);
  void rewriteInsert(llvm::InsertValueInst &insert);
  void rewriteCall(llvm::CallBase &call);
  bool rewriteIntrinsic(llvm::IntrinsicInst &call);
  void rewriteTransfer(llvm::AnyMemTransferInst &transfer);
  void rewriteFill(llvm::AnyMemSetInst &fill);

  llvm::Value *callCore(llvm::StringRef name, llvm::Type *result,
                        llvm::ArrayRef<llvm::Value *> operands);
  llvm::Value *i32(uint64_t value) { return builder.getInt32(value); }
  llvm::Value *length(llvm::Value *bytes) {
    return builder.CreateZExtOrTrunc(get(bytes), builder.getInt32Ty());
  }
  /// A place of this function's own for a value that may lie across lines.
  llvm::AllocaInst *createPlace(llvm::Type *type, llvm::Align alignment);

  llvm::Function &function;
  const NarrowTypes &types;
  llvm::IRBuilder<> builder;
  llvm::DenseMap<llvm::Value *, llvm::Type *> before;
  std::string error;
};

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_NARROW_NARROWING_H
