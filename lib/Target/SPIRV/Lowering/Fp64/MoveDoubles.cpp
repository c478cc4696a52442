// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a device without 64-bit floating point. What only moves such numbers
// (loads, stores, copies, merges, choices), looks at their bits, turns their
// signs or makes them of smaller ones, as for printf, does it by integers.
// Where a module does more with one, and it was not emulated before
// (EmulateDoubles.cpp), nothing is changed: CheckFeatures.cpp refuses it.

#include "../Passes.h"
#include "Doubles.h"
#include "RemapTypes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace het::spirv {
namespace {

bool hasDouble(llvm::Type *type) {
  return type->isDoubleTy() || llvm::any_of(type->subtypes(), hasDouble);
}

} // namespace

bool usesDouble(const llvm::Instruction &instruction) {
  return hasDouble(instruction.getType()) ||
         llvm::any_of(instruction.operand_values(), [](const llvm::Value *operand) {
           return hasDouble(operand->getType());
         });
}

bool movesDouble(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::BitCast:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::FNeg:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::InsertValue:
  case llvm::Instruction::Load:
  case llvm::Instruction::PHI:
  case llvm::Instruction::Ret:
  case llvm::Instruction::Select:
  case llvm::Instruction::ShuffleVector:
  case llvm::Instruction::Store:
    return true;
  default:
    break;
  }
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *function = call ? call->getCalledFunction() : nullptr;
  return function && (!function->isDeclaration() ||
                      function->getIntrinsicID() == llvm::Intrinsic::fabs ||
                      function->getIntrinsicID() == llvm::Intrinsic::copysign);
}

namespace {

/// A number of 32 bits as the bits of one of 64, exactly; a NaN becomes quiet.
llvm::Value *extend(llvm::IRBuilder<> &builder, llvm::Value *number) {
  constexpr unsigned shift = 52 - 23;
  constexpr uint64_t one = 1ull << 52; // of the exponent
  llvm::Type *words = number->getType()->getWithNewType(builder.getInt32Ty());
  llvm::Type *doubleWords = number->getType()->getWithNewType(builder.getInt64Ty());
  auto word = [&](uint32_t value) { return llvm::ConstantInt::get(words, value); };
  auto wide = [&](uint64_t value) { return llvm::ConstantInt::get(doubleWords, value); };
  llvm::Value *all = builder.CreateBitCast(number, words);
  llvm::Value *sign = builder.CreateShl(
      builder.CreateZExt(builder.CreateAnd(all, word(0x80000000)), doubleWords), 32);
  llvm::Value *size = builder.CreateAnd(all, word(0x7fffffff));
  auto spread = [&](llvm::Value *bits) {
    return builder.CreateShl(builder.CreateZExt(bits, doubleWords), shift);
  };
  llvm::Value *result = builder.CreateAdd(spread(size), wide((1023 - 127) * one));
  // Without an exponent of its own: the first bit that is set becomes the
  // hidden one.
  llvm::Value *zeros =
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, size, builder.getFalse());
  llvm::Value *up = builder.CreateAnd(builder.CreateSub(zeros, word(8)), word(31));
  llvm::Value *exponent = builder.CreateSub(word(1023 - 127 + 8), zeros);
  llvm::Value *small =
      builder.CreateAdd(spread(builder.CreateShl(size, up)),
                        builder.CreateShl(builder.CreateZExt(exponent, doubleWords), 52));
  result =
      builder.CreateSelect(builder.CreateICmpULT(size, word(0x00800000)), small, result);
  result = builder.CreateSelect(builder.CreateICmpEQ(size, word(0)), wide(0), result);
  llvm::Value *special = builder.CreateOr(spread(size), wide(0x7ff * one));
  result = builder.CreateSelect(builder.CreateICmpUGE(size, word(0x7f800000)), special,
                                result);
  llvm::Value *quiet = builder.CreateOr(special, wide(one >> 1));
  result =
      builder.CreateSelect(builder.CreateICmpUGT(size, word(0x7f800000)), quiet, result);
  return builder.CreateOr(result, sign);
}

/// The bits of what an instruction computes that is more than a move; null: it
/// is none.
llvm::Value *computeBits(llvm::Instruction &instruction) {
  llvm::IRBuilder<> builder(&instruction);
  if (!instruction.getType()->isFPOrFPVectorTy())
    return nullptr;
  llvm::Type *words = instruction.getType()->getWithNewType(builder.getInt64Ty());
  auto bits = [&](unsigned operand) {
    return builder.CreateBitCast(instruction.getOperand(operand), words);
  };
  llvm::Constant *sign = llvm::ConstantInt::get(words, llvm::APInt::getSignMask(64));
  llvm::Constant *rest =
      llvm::ConstantInt::get(words, llvm::APInt::getSignedMaxValue(64));
  if (instruction.getOpcode() == llvm::Instruction::FNeg)
    return builder.CreateXor(bits(0), sign);
  if (instruction.getOpcode() == llvm::Instruction::FPExt) {
    llvm::Value *from = instruction.getOperand(0);
    if (!from->getType()->getScalarType()->isFloatTy())
      from = builder.CreateFPExt(from,
                                 from->getType()->getWithNewType(builder.getFloatTy()));
    return extend(builder, from);
  }
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call)
    return nullptr;
  llvm::Value *size = builder.CreateAnd(bits(0), rest);
  return call->getIntrinsicID() == llvm::Intrinsic::fabs
             ? size
             : builder.CreateOr(size, builder.CreateAnd(bits(1), sign));
}

class WordImages : public TypeImages {
  llvm::Type *image(llvm::Type *type) override {
    return type->isDoubleTy() ? llvm::Type::getInt64Ty(type->getContext()) : type;
  }
};

/// Constants as their bits.
class ConstantBits : public llvm::ValueMaterializer {
  llvm::Value *materialize(llvm::Value *value) override {
    if (!hasDouble(value->getType()))
      return nullptr;
    llvm::Type *word = llvm::Type::getInt64Ty(value->getContext());
    if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(value))
      return llvm::ConstantInt::get(number->getType()->getWithNewType(word),
                                    number->getValueAPF().bitcastToAPInt());
    auto *numbers = llvm::dyn_cast<llvm::ConstantDataSequential>(value);
    if (!numbers)
      return nullptr;
    uint64_t count = numbers->getNumElements();
    if (llvm::isa<llvm::ConstantDataVector>(numbers))
      return llvm::ConstantDataVector::getRaw(numbers->getRawDataValues(), count, word);
    return llvm::ConstantDataArray::getRaw(numbers->getRawDataValues(), count, word);
  }
};

/// Casts between numbers and their bits are none any more.
void removeLeftovers(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
          cast && cast->getSrcTy() == cast->getDestTy()) {
        cast->replaceAllUsesWith(cast->getOperand(0));
        cast->eraseFromParent();
      }
}

/// Intrinsics over numbers whose calls have gone.
void dropUnused(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

} // namespace

void moveDoubles(llvm::Module &module) {
  llvm::SmallVector<llvm::Instruction *> users;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (usesDouble(instruction)) {
        if (!movesDouble(instruction))
          return;
        users.push_back(&instruction);
      }
  for (llvm::Instruction *user : users)
    if (llvm::Value *bits = computeBits(*user)) {
      user->replaceAllUsesWith(
          new llvm::BitCastInst(bits, user->getType(), "", user->getIterator()));
      user->eraseFromParent();
    }
  dropUnused(module);
  WordImages images;
  ConstantBits constants;
  remapTypes(module, images, &constants);
  removeLeftovers(module);
}

} // namespace het::spirv
