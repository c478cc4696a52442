// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, constants and values.

#include "Translator.h"
#include "llvm/IR/Constants.h"

namespace het::spirv {

Id Values::fail(const llvm::Twine &what) {
  if (failure.empty())
    failure = what.str();
  return 0;
}

Id Values::failAt(const llvm::Instruction &instruction) {
  std::string text;
  llvm::raw_string_ostream(text) << instruction;
  return fail("SPIR-V for Vulkan has no instruction for" + text);
}

Id Values::typeOf(llvm::Type *type) {
  if (type->isVoidTy())
    return builder.nothing();
  if (type->isPointerTy())
    return builder.integer(64);
  if (auto *integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
    const unsigned bits = integer->getBitWidth();
    if (bits == 1)
      return builder.truth();
    if (bits == 8 || bits == 16 || bits == 32 || bits == 64)
      return builder.integer(bits);
  }
  if (type->isHalfTy() || type->isFloatTy() || type->isDoubleTy()) {
    numberWidths.insert(type->getScalarSizeInBits());
    return builder.number(type->getScalarSizeInBits());
  }
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
      vector && vector->getNumElements() >= 2 && vector->getNumElements() <= 4)
    return builder.vector(typeOf(vector->getElementType()), vector->getNumElements());
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
      array && array->getNumElements())
    return builder.array(typeOf(array->getElementType()), u32(array->getNumElements()));
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    llvm::SmallVector<uint32_t> members;
    for (llvm::Type *member : structure->elements())
      members.push_back(typeOf(member));
    return builder.structure(members);
  }
  std::string text;
  llvm::raw_string_ostream(text) << *type;
  fail("SPIR-V for Vulkan has no type '" + text + "'");
  return builder.nothing();
}

/// Whether it is its operand in other words.
bool isAlias(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Freeze:
  case llvm::Instruction::AddrSpaceCast:
    return true;
  case llvm::Instruction::PtrToInt:
    return instruction.getType()->isIntegerTy(64);
  case llvm::Instruction::IntToPtr:
    return instruction.getOperand(0)->getType()->isIntegerTy(64);
  case llvm::Instruction::BitCast:
    return instruction.getType() == instruction.getOperand(0)->getType();
  default:
    return false;
  }
}

/// The number that an expression over addresses of local objects comes to.
static std::optional<llvm::APInt> evaluate(const llvm::Constant &constant) {
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return integer->getValue();
  if (constant.isNullValue() && constant.getType()->isPointerTy())
    return llvm::APInt(64, 0);
  auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
  if (!expression || expression->getType()->isVectorTy())
    return std::nullopt;
  std::optional<llvm::APInt> value = evaluate(*expression->getOperand(0));
  if (!value)
    return std::nullopt;
  if (expression->isCast())
    return value->zextOrTrunc(expression->getType()->isPointerTy()
                                  ? 64
                                  : expression->getType()->getIntegerBitWidth());
  std::optional<llvm::APInt> other = evaluate(*expression->getOperand(1));
  if (!other)
    return std::nullopt;
  switch (expression->getOpcode()) {
  case llvm::Instruction::Add:
    return *value + *other;
  case llvm::Instruction::Sub:
    return *value - *other;
  case llvm::Instruction::Xor:
    return *value ^ *other;
  default:
    return std::nullopt;
  }
}

Id Values::constantOf(llvm::Constant &constant) {
  llvm::Type *type = constant.getType();
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (type->isIntegerTy(1))
      return builder.truth(integer->isOne());
    if (type->isIntegerTy() && integer->getBitWidth() <= 64)
      return builder.constant(integer->getBitWidth(), integer->getZExtValue());
  }
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(&constant);
      number && !type->isVectorTy()) {
    const uint64_t bits = number->getValueAPF().bitcastToAPInt().getZExtValue();
    const auto low = static_cast<uint32_t>(bits),
               high = static_cast<uint32_t>(bits >> 32);
    return type->isDoubleTy() ? builder.constant(typeOf(type), Words{low, high})
                              : builder.constant(typeOf(type), Words{low});
  }
  if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant))
    return type->isPointerTy() ? builder.constant(64, 0) : builder.null(typeOf(type));
  if (auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant))
    if (std::optional<llvm::APInt> value = evaluate(*expression))
      return builder.constant(value->getBitWidth(), value->getZExtValue());
  if (type->isAggregateType() || type->isVectorTy()) {
    llvm::SmallVector<uint32_t> parts;
    for (unsigned index = 0; llvm::Constant *part = constant.getAggregateElement(index);
         ++index)
      parts.push_back(constantOf(*part));
    if (!parts.empty())
      return builder.composite(typeOf(type), parts);
  }
  std::string text;
  llvm::raw_string_ostream(text) << constant;
  return fail("SPIR-V for Vulkan has no constant '" + text + "'");
}

Id Values::idOf(llvm::Value *value) {
  for (auto *alias = llvm::dyn_cast<llvm::Instruction>(value); alias && isAlias(*alias);
       alias = llvm::dyn_cast<llvm::Instruction>(value))
    value = alias->getOperand(0);
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value);
      constant && !llvm::isa<llvm::Function>(value))
    return constantOf(*constant);
  Id &id = ids[value];
  if (!id)
    id = builder.newId();
  return id;
}

Id Values::make(llvm::Instruction &instruction, spv::Op op, Words operands) {
  return builder.appendTo(idOf(&instruction), op, typeOf(instruction.getType()),
                          operands);
}

Id Values::makeExact(llvm::Instruction &instruction, spv::Op op, Words operands) {
  Id id = make(instruction, op, operands);
  builder.decorate(id, spv::DecorationNoContraction);
  return id;
}

} // namespace het::spirv
