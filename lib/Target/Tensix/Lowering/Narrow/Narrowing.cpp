// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values: those that are pointers change their type in place or are computed anew.
// Accesses and calls are in NarrowAccesses.cpp.

#include "Narrowing.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/InstIterator.h"

namespace het::tensix {

void Narrowing::fail(const llvm::Instruction &instruction, const llvm::Twine &what) {
  if (!error.empty())
    return;
  llvm::raw_string_ostream out(error);
  out << "function '" << function.getName() << "': " << what
      << " is not supported on Tensix cores yet:" << instruction;
}

llvm::Value *Narrowing::get(llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant)
    return value;
  if (auto it = types.made.find(constant); it != types.made.end())
    return types.image(constant);
  if (types.image(constant->getType()) == constant->getType())
    return value;
  llvm::Constant *image = types.image(constant);
  if (image)
    return image;
  if (error.empty()) {
    llvm::raw_string_ostream out(error);
    out << "function '" << function.getName()
        << "': a constant is not supported on Tensix cores yet: " << *constant;
  }
  return llvm::PoisonValue::get(types.image(constant->getType()));
}

llvm::Value *Narrowing::flat(llvm::Value *pointer) {
  llvm::Value *value = get(pointer);
  return value->getType()->isPointerTy() ? builder.CreatePtrToInt(value, types.flat)
                                         : value;
}

llvm::Value *Narrowing::toNear(llvm::Value *address) {
  if (address->getType()->isPointerTy())
    return address;
  return builder.CreateIntToPtr(builder.CreateZExtOrTrunc(address, builder.getInt32Ty()),
                                types.near);
}

void Narrowing::replace(llvm::Instruction &old, llvm::Value *made) {
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(made))
    if (!instruction->hasName())
      instruction->takeName(&old);
  if (llvm::Type *was = before.lookup(&old); was && !llvm::isa<llvm::Constant>(made))
    before[made] = was;
  old.replaceAllUsesWith(made);
  before.erase(&old);
  old.eraseFromParent();
}

llvm::Value *Narrowing::callCore(llvm::StringRef name, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Value *> operands) {
  llvm::SmallVector<llvm::Type *> parameters;
  for (llvm::Value *operand : operands)
    parameters.push_back(operand->getType());
  llvm::FunctionCallee callee = function.getParent()->getOrInsertFunction(
      name, llvm::FunctionType::get(result, parameters, false));
  if (auto *made = llvm::dyn_cast<llvm::Function>(callee.getCallee()))
    made->setDoesNotThrow();
  return builder.CreateCall(callee, operands);
}

/// Offsets are hetIR's.
void Narrowing::rewriteElement(llvm::GetElementPtrInst &element) {
  if (element.getType()->isVectorTy())
    return fail(element, "a vector of pointers");
  llvm::Value *base = get(element.getPointerOperand());
  bool isNearBase = wasNear(element.getPointerOperand());
  // emitGEPOffset looks at the pointer's type, which is that of hetIR only for this.
  llvm::Type *own = before.lookup(&element);
  element.mutateType(own);
  llvm::Value *offset = llvm::emitGEPOffset(&builder, types.wide, &element);
  element.mutateType(types.image(own));
  offset = builder.CreateSExtOrTrunc(offset, types.flat);
  if (!isNearBase)
    return replace(element, builder.CreateAdd(base, offset));
  offset = builder.CreateTrunc(offset, builder.getInt32Ty());
  replace(element, builder.CreatePtrAdd(base, offset));
}

void Narrowing::rewriteCast(llvm::CastInst &cast) {
  llvm::Type *was = before.lookup(&cast);
  switch (cast.getOpcode()) {
  case llvm::Instruction::AddrSpaceCast:
    return replace(cast, isNear(was) ? toNear(get(cast.getOperand(0)))
                                     : flat(cast.getOperand(0)));
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::PtrToAddr:
    return replace(cast,
                   builder.CreateZExtOrTrunc(flat(cast.getOperand(0)), cast.getType()));
  case llvm::Instruction::IntToPtr: {
    llvm::Value *number = builder.CreateZExtOrTrunc(get(cast.getOperand(0)), types.flat);
    return replace(cast, isNear(was) ? toNear(number) : number);
  }
  default:
    return rewriteOperands(cast);
  }
}

void Narrowing::rewriteObject(llvm::AllocaInst &object) {
  uint64_t size = types.wide.getTypeAllocSize(object.getAllocatedType());
  llvm::Value *bytes =
      object.isArrayAllocation()
          ? builder.CreateMul(builder.CreateZExtOrTrunc(get(object.getArraySize()),
                                                        builder.getInt32Ty()),
                              i32(size))
          : nullptr;
  llvm::Type *type =
      bytes ? static_cast<llvm::Type *>(builder.getInt8Ty())
            : llvm::ArrayType::get(builder.getInt8Ty(), std::max<uint64_t>(size, 1));
  auto *made =
      new llvm::AllocaInst(type, 0, bytes, object.getAlign(), "", object.getIterator());
  llvm::Value *pointer = made;
  if (!isNear(before.lookup(&object)))
    pointer = builder.CreatePtrToInt(made, types.flat);
  replace(object, pointer);
}

void Narrowing::rewriteExtract(llvm::ExtractValueInst &extract) {
  llvm::Type *was = before.lookup(&extract);
  extract.setOperand(0, get(extract.getAggregateOperand()));
  if (!was || !was->isPointerTy() || !isNear(was))
    return;
  extract.mutateType(types.flat);
  builder.SetInsertPoint(extract.getNextNode());
  llvm::Value *number = builder.CreateTrunc(&extract, builder.getInt32Ty());
  llvm::Value *pointer = builder.CreateIntToPtr(number, types.near);
  before.erase(&extract);
  before[pointer] = was;
  extract.replaceUsesWithIf(pointer,
                            [&](llvm::Use &use) { return use.getUser() != number; });
}

void Narrowing::rewriteInsert(llvm::InsertValueInst &insert) {
  llvm::Value *value = insert.getInsertedValueOperand();
  if (typeOf(value)->isPointerTy())
    insert.setOperand(1, flat(value));
  else
    insert.setOperand(1, get(value));
  insert.setOperand(0, get(insert.getAggregateOperand()));
}

void Narrowing::rewriteOperands(llvm::Instruction &instruction) {
  for (llvm::Use &use : instruction.operands())
    if (llvm::isa<llvm::Constant>(use.get()) && !llvm::isa<llvm::BasicBlock>(use.get()))
      use.set(get(use.get()));
}

void Narrowing::rewrite(llvm::Instruction &instruction) {
  builder.SetInsertPoint(&instruction);
  if (auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return rewriteElement(*element);
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return rewriteCast(*cast);
  if (auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return rewriteObject(*object);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return rewriteLoad(*load);
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return rewriteStore(*store);
  if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    return rewriteExtract(*extract);
  if (auto *insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction))
    return rewriteInsert(*insert);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return rewriteCall(*call);
  // Phis, choices and comparisons have operands of one space.
  rewriteOperands(instruction);
}

llvm::Error Narrowing::run() {
  llvm::SmallVector<llvm::Instruction *> instructions;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    instructions.push_back(&instruction);
    llvm::Type *type = instruction.getType();
    if (type->isVectorTy() && type->isPtrOrPtrVectorTy())
      fail(instruction, "a vector of pointers");
    if (!types.changes(type))
      continue;
    before[&instruction] = type;
    instruction.mutateType(types.image(type));
  }
  for (llvm::Instruction *instruction : instructions)
    if (error.empty())
      rewrite(*instruction);
  if (error.empty())
    return llvm::Error::success();
  return llvm::createStringError(error);
}

} // namespace het::tensix
