// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps types and constants for narrowPointers.

#include "NarrowTypes.h"
#include "../../../Support/Lowering/IRPieces.h"
#include "../Passes.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Operator.h"

namespace het::tensix {

llvm::Type *NarrowTypes::image(llvm::Type *type) const {
  if (auto *pointer = llvm::dyn_cast<llvm::PointerType>(type))
    return isNear(pointer) ? static_cast<llvm::Type *>(near) : flat;
  return stored(type);
}

llvm::Type *NarrowTypes::stored(llvm::Type *type) const {
  if (type->isPointerTy())
    return flat;
  llvm::Type *mapped =
      target::mapParts(type, [&](llvm::Type *part) { return stored(part); });
  return mapped ? mapped : type;
}

llvm::FunctionType *NarrowTypes::image(llvm::FunctionType *type) const {
  return llvm::cast<llvm::FunctionType>(
      target::mapParts(type, [&](llvm::Type *part) { return image(part); }));
}

/// The 32-bit form of a pointer to the core's own memory or to a function. Null where it
/// is none.
llvm::Constant *NarrowTypes::nearImage(llvm::Constant *pointer) const {
  if (auto it = made.find(pointer); it != made.end())
    return it->second;
  if (pointer->isNullValue())
    return llvm::ConstantPointerNull::get(near);
  if (llvm::isa<llvm::UndefValue>(pointer))
    return llvm::UndefValue::get(near);
  if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer))
    return nearImage(llvm::cast<llvm::Constant>(cast->getPointerOperand()));
  if (auto *element = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    llvm::APInt offset(64, 0);
    llvm::Constant *base =
        nearImage(llvm::cast<llvm::Constant>(element->getPointerOperand()));
    if (!base || !element->accumulateConstantOffset(wide, offset))
      return nullptr;
    return llvm::ConstantExpr::getGetElementPtr(
        llvm::Type::getInt8Ty(context), base,
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), offset.trunc(32)));
  }
  return nullptr;
}

/// The number that a pointer is made of. Null where it is none.
llvm::Constant *NarrowTypes::flatImage(llvm::Constant *pointer) const {
  auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(pointer);
  if (!expression)
    return nullptr;
  if (expression->getOpcode() == llvm::Instruction::IntToPtr)
    return llvm::ConstantFoldIntegerCast(expression->getOperand(0), flat,
                                         /*IsSigned=*/false, wide);
  if (expression->getOpcode() == llvm::Instruction::AddrSpaceCast)
    return flatImage(expression->getOperand(0));
  auto *element = llvm::dyn_cast<llvm::GEPOperator>(expression);
  llvm::APInt offset(64, 0);
  if (!element || !element->accumulateConstantOffset(wide, offset))
    return nullptr;
  auto *base = llvm::cast<llvm::Constant>(element->getPointerOperand());
  llvm::Constant *number =
      base->isNullValue() ? llvm::ConstantInt::get(flat, 0) : flatImage(base);
  return number ? llvm::ConstantExpr::getAdd(number, llvm::ConstantInt::get(flat, offset))
                : nullptr;
}

llvm::Constant *NarrowTypes::image(llvm::Constant *constant) const {
  llvm::Type *type = image(constant->getType());
  if (llvm::isa<llvm::PoisonValue>(constant))
    return llvm::PoisonValue::get(type);
  if (llvm::isa<llvm::UndefValue>(constant))
    return llvm::UndefValue::get(type);
  if (constant->isNullValue())
    return llvm::Constant::getNullValue(type);
  if (constant->getType()->isPointerTy()) {
    llvm::Constant *pointer = nearImage(constant);
    if (pointer)
      return type == near ? pointer : llvm::ConstantExpr::getPtrToInt(pointer, flat);
    llvm::Constant *number = flatImage(constant);
    return number && type == near ? llvm::ConstantExpr::getIntToPtr(number, near)
                                  : number;
  }
  auto *aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(constant);
  if (!aggregate || type == constant->getType())
    return constant;
  llvm::SmallVector<llvm::Constant *> parts;
  for (llvm::Use &part : aggregate->operands()) {
    auto *old = llvm::cast<llvm::Constant>(part.get());
    llvm::Constant *value = image(old);
    if (value && value->getType() == near)
      value = llvm::ConstantExpr::getPtrToInt(value, flat);
    if (!value)
      return nullptr;
    parts.push_back(value);
  }
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    return llvm::ConstantArray::get(array, parts);
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::ConstantStruct::get(structure, parts);
  return llvm::ConstantVector::get(parts);
}

/// 32 bits of an address, and 32 of zeros: an object file can not relocate more.
llvm::Constant *NarrowTypes::storedPointer(llvm::Constant *pointer) const {
  llvm::Constant *value = nearImage(pointer);
  if (!value)
    return image(pointer);
  llvm::Constant *zero = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 0);
  return llvm::ConstantStruct::getAnon({value, zero}, /*Packed=*/true);
}

/// A packed structure with its parts at these offsets.
llvm::Constant *NarrowTypes::padded(llvm::ArrayRef<llvm::Constant *> parts,
                                    llvm::ArrayRef<uint64_t> offsets,
                                    uint64_t size) const {
  llvm::SmallVector<llvm::Constant *> fields;
  uint64_t end = 0;
  auto pad = [&](uint64_t until) {
    if (until > end)
      fields.push_back(llvm::Constant::getNullValue(
          llvm::ArrayType::get(llvm::Type::getInt8Ty(context), until - end)));
  };
  for (auto [part, offset] : llvm::zip(parts, offsets)) {
    pad(offset);
    fields.push_back(part);
    end = offset + wide.getTypeAllocSize(part->getType());
    if (part->getType() == near)
      end = offset + 4;
  }
  pad(size);
  return llvm::ConstantStruct::getAnon(context, fields, /*Packed=*/true);
}

llvm::Constant *NarrowTypes::initializer(llvm::Constant *constant) const {
  llvm::Type *type = constant->getType();
  if (stored(type) == type)
    return constant;
  if (type->isPointerTy())
    return storedPointer(constant);
  uint64_t size = wide.getTypeAllocSize(type);
  if (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant))
    return padded({}, {}, size);
  llvm::SmallVector<llvm::Constant *> parts;
  llvm::SmallVector<uint64_t> offsets;
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  unsigned count = structure ? structure->getNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i) {
    llvm::Constant *old = constant->getAggregateElement(i);
    llvm::Constant *part = old ? initializer(old) : nullptr;
    if (!part)
      return nullptr;
    parts.push_back(part);
    offsets.push_back(structure ? wide.getStructLayout(structure)->getElementOffset(i)
                                : i * wide.getTypeAllocSize(old->getType()));
  }
  return padded(parts, offsets, size);
}

} // namespace het::tensix
