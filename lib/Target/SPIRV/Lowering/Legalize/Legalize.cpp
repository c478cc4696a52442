// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces what LLVM IR has and SPIR-V for OpenCL has not. LLVM's back end ends the
// process at some of it and quietly changes the meaning of other (integers of odd
// widths), so nothing gets there that is not known to be right.

#include "../../../Support/Lowering/IRPieces.h"
#include "../../../Support/Lowering/KernelLowering.h"
#include "../Passes.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace het::spirv {
namespace {

/// Integers of a number's size, or as many of them.
llvm::Type *bitsOf(llvm::Type *type) {
  llvm::Type *integer =
      llvm::IntegerType::get(type->getContext(), type->getScalarSizeInBits());
  if (auto *vector = llvm::dyn_cast<llvm::VectorType>(type))
    return llvm::VectorType::get(integer, vector->getElementCount());
  return integer;
}

/// A float to an integer of any size, saturating; NaN gives 0.
llvm::Value *expandSaturating(llvm::IntrinsicInst &call, bool isSigned) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *from = call.getArgOperand(0);
  auto *to = llvm::cast<llvm::IntegerType>(call.getType());
  unsigned bits = to->getBitWidth();
  const llvm::fltSemantics &semantics = from->getType()->getFltSemantics();
  llvm::APInt least =
      isSigned ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
  llvm::APInt most =
      isSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  auto bound = [&](const llvm::APInt &value) {
    llvm::APFloat result(semantics);
    result.convertFromAPInt(value, isSigned, llvm::APFloat::rmTowardZero);
    return llvm::ConstantFP::get(from->getContext(), result);
  };
  llvm::Value *low = bound(least), *high = bound(most);
  llvm::Value *isLow = builder.CreateFCmpOLT(from, low);
  llvm::Value *isHigh = builder.CreateFCmpOGT(from, high);
  llvm::Value *isOrdered = builder.CreateFCmpORD(from, from);
  llvm::Value *isInside =
      builder.CreateAnd(isOrdered, builder.CreateNot(builder.CreateOr(isLow, isHigh)));
  llvm::Value *safe =
      builder.CreateSelect(isInside, from, llvm::ConstantFP::getZero(from->getType()));
  llvm::Value *result =
      isSigned ? builder.CreateFPToSI(safe, to) : builder.CreateFPToUI(safe, to);
  result = builder.CreateSelect(isLow, llvm::ConstantInt::get(to, least), result);
  return builder.CreateSelect(isHigh, llvm::ConstantInt::get(to, most), result);
}

/// -1, 0 or 1.
llvm::Value *expandCompare(llvm::IntrinsicInst &call, bool isSigned) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *a = call.getArgOperand(0), *b = call.getArgOperand(1);
  llvm::Value *less =
      isSigned ? builder.CreateICmpSLT(a, b) : builder.CreateICmpULT(a, b);
  llvm::Value *more =
      isSigned ? builder.CreateICmpSGT(a, b) : builder.CreateICmpUGT(a, b);
  return builder.CreateSub(builder.CreateZExt(more, call.getType()),
                           builder.CreateZExt(less, call.getType()));
}

/// The smaller or greater of two numbers. -0 is less than 0; of a NaN and a number
/// comes the number, or the NaN where `spreads`.
llvm::Value *expandExtremum(llvm::IntrinsicInst &call, bool isMin, bool spreads) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *a = call.getArgOperand(0), *b = call.getArgOperand(1);
  llvm::Value *isA = isMin ? builder.CreateFCmpOLT(a, b) : builder.CreateFCmpOGT(a, b);
  llvm::Value *result = builder.CreateSelect(isA, a, b);
  llvm::Type *bits = bitsOf(a->getType());
  llvm::Value *wordA = builder.CreateBitCast(a, bits),
              *wordB = builder.CreateBitCast(b, bits);
  llvm::Value *both =
      isMin ? builder.CreateOr(wordA, wordB) : builder.CreateAnd(wordA, wordB);
  result = builder.CreateSelect(builder.CreateFCmpOEQ(a, b),
                                builder.CreateBitCast(both, a->getType()), result);
  llvm::Value *isNanA = builder.CreateFCmpUNO(a, a),
              *isNanB = builder.CreateFCmpUNO(b, b);
  result = builder.CreateSelect(isNanA, spreads ? a : b, result);
  return builder.CreateSelect(isNanB, spreads ? b : a, result);
}

/// The bits of a word in the other order: halves change places, then halves of those.
llvm::Value *expandReverse(llvm::IntrinsicInst &call, unsigned least = 1) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *word = call.getArgOperand(0);
  unsigned bits = word->getType()->getScalarSizeInBits();
  for (unsigned step = bits / 2; step >= least; step /= 2) {
    llvm::APInt low =
        llvm::APInt::getSplat(bits, llvm::APInt::getLowBitsSet(2 * step, step));
    llvm::Constant *mask = llvm::ConstantInt::get(word->getType(), low);
    llvm::Value *up = builder.CreateShl(builder.CreateAnd(word, mask), step);
    llvm::Value *down = builder.CreateAnd(builder.CreateLShr(word, step), mask);
    word = builder.CreateOr(up, down);
  }
  return word;
}

/// The upper (fshl) or lower (fshr) half of two words behind each other, shifted; null
/// where SPIR-V's own words are as wide.
llvm::Value *expandFunnelShift(llvm::IntrinsicInst &call, bool isLeft) {
  unsigned bits = call.getType()->getScalarSizeInBits();
  if (bits <= 64 && llvm::isPowerOf2_32(bits))
    return nullptr;
  llvm::IRBuilder<> builder(&call);
  llvm::Value *upper = call.getArgOperand(0), *lower = call.getArgOperand(1);
  llvm::Value *width = llvm::ConstantInt::get(call.getType(), bits);
  llvm::Value *zero = llvm::Constant::getNullValue(call.getType());
  llvm::Value *count = builder.CreateFreeze(call.getArgOperand(2));
  count = llvm::isPowerOf2_32(bits)
              ? builder.CreateAnd(count, llvm::ConstantInt::get(call.getType(), bits - 1))
              : builder.CreateURem(count, width);
  llvm::Value *isNone = builder.CreateICmpEQ(count, zero);
  llvm::Value *rest = builder.CreateSelect(isNone, zero, builder.CreateSub(width, count));
  llvm::Value *up = isLeft ? count : rest, *down = isLeft ? rest : count;
  llvm::Value *result =
      builder.CreateOr(builder.CreateShl(upper, up), builder.CreateLShr(lower, down));
  return builder.CreateSelect(isNone, isLeft ? upper : lower, result);
}

/// Null where SPIR-V's own words are as wide.
llvm::Value *expandAbs(llvm::IntrinsicInst &call) {
  unsigned bits = call.getType()->getScalarSizeInBits();
  if (bits <= 64 && llvm::isPowerOf2_32(bits))
    return nullptr;
  llvm::IRBuilder<> builder(&call);
  llvm::Value *value = call.getArgOperand(0);
  llvm::Value *isNegative =
      builder.CreateICmpSLT(value, llvm::Constant::getNullValue(value->getType()));
  return builder.CreateSelect(isNegative, builder.CreateNeg(value), value);
}

/// The product of two unsigned words, and whether it is more than a word: Intel's
/// compiler for CPUs does not take OpUMulExtended.
llvm::Value *expandMultiplication(llvm::IntrinsicInst &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *a = builder.CreateFreeze(call.getArgOperand(0));
  llvm::Value *b = builder.CreateFreeze(call.getArgOperand(1));
  llvm::Type *type = a->getType();
  llvm::Value *product = builder.CreateMul(a, b);
  llvm::Constant *zero = llvm::Constant::getNullValue(type);
  llvm::Value *isZero = builder.CreateICmpEQ(a, zero);
  llvm::Value *divisor = builder.CreateSelect(isZero, llvm::ConstantInt::get(type, 1), a);
  llvm::Value *differs = builder.CreateICmpNE(builder.CreateUDiv(product, divisor),
                                              builder.CreateSelect(isZero, zero, b));
  return target::createPair(builder, call.getType(), product, differs);
}

/// Makes what is put in place of a call; null: it stays.
llvm::Value *expand(llvm::IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::fptosi_sat:
    return expandSaturating(call, /*isSigned=*/true);
  case llvm::Intrinsic::fptoui_sat:
    return expandSaturating(call, /*isSigned=*/false);
  case llvm::Intrinsic::scmp:
    return expandCompare(call, /*isSigned=*/true);
  case llvm::Intrinsic::ucmp:
    return expandCompare(call, /*isSigned=*/false);
  case llvm::Intrinsic::bitreverse:
    return expandReverse(call);
  case llvm::Intrinsic::bswap:
    return expandReverse(call, /*least=*/8);
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::minimumnum:
    return expandExtremum(call, /*isMin=*/true, /*spreads=*/false);
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::maximumnum:
    return expandExtremum(call, /*isMin=*/false, /*spreads=*/false);
  case llvm::Intrinsic::minimum:
    return expandExtremum(call, /*isMin=*/true, /*spreads=*/true);
  case llvm::Intrinsic::maximum:
    return expandExtremum(call, /*isMin=*/false, /*spreads=*/true);
  case llvm::Intrinsic::is_fpclass:
    return testClass(call);
  case llvm::Intrinsic::umul_with_overflow:
    return expandMultiplication(call);
  case llvm::Intrinsic::abs:
    return expandAbs(call);
  case llvm::Intrinsic::fshl:
    return expandFunnelShift(call, /*isLeft=*/true);
  case llvm::Intrinsic::fshr:
    return expandFunnelShift(call, /*isLeft=*/false);
  default:
    return nullptr;
  }
}

/// Those whose SPIR-V is known to be right.
bool isKnown(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::abs:
  case llvm::Intrinsic::ceil:
  case llvm::Intrinsic::copysign:
  case llvm::Intrinsic::ctlz:
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::cttz:
  case llvm::Intrinsic::fabs:
  case llvm::Intrinsic::floor:
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
  case llvm::Intrinsic::memcpy:
  case llvm::Intrinsic::memmove:
  case llvm::Intrinsic::memset:
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
  case llvm::Intrinsic::round:
  case llvm::Intrinsic::roundeven:
  case llvm::Intrinsic::sadd_sat:
  case llvm::Intrinsic::sadd_with_overflow:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smul_with_overflow:
  case llvm::Intrinsic::sqrt:
  case llvm::Intrinsic::ssub_sat:
  case llvm::Intrinsic::ssub_with_overflow:
  case llvm::Intrinsic::trunc:
  case llvm::Intrinsic::uadd_sat:
  case llvm::Intrinsic::uadd_with_overflow:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::umul_with_overflow:
  case llvm::Intrinsic::usub_sat:
  case llvm::Intrinsic::usub_with_overflow:
    return true;
  default:
    return false;
  }
}

llvm::Error checkType(llvm::Type *type) {
  if (auto *integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
    unsigned bits = integer->getBitWidth();
    if (bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64)
      return llvm::Error::success();
    return llvm::createStringError("an integer of %u bits: SPIR-V has none", bits);
  }
  if (type->isBFloatTy() || type->isFP128Ty() || type->isX86_FP80Ty())
    return llvm::createStringError("a floating-point number of a kind that OpenCL "
                                   "has not");
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    unsigned lanes = vector->getNumElements();
    if (lanes != 2 && lanes != 3 && lanes != 4 && lanes != 8 && lanes != 16)
      return llvm::createStringError("a vector of %u elements: SPIR-V has none", lanes);
    return checkType(vector->getElementType());
  }
  for (llvm::Type *part : type->subtypes())
    if (llvm::Error error = checkType(part))
      return error;
  return llvm::Error::success();
}

llvm::Error checkInstruction(llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    if (!isKnown(call->getIntrinsicID()))
      return llvm::createStringError("'%s': SPIR-V has none yet",
                                     call->getCalledFunction()->getName().str().c_str());
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    if (!call->getCalledFunction())
      return llvm::createStringError("a call through a pointer: SPIR-V has none");
  if (llvm::Error error = checkType(instruction.getType()))
    return error;
  for (llvm::Value *operand : instruction.operands())
    if (!operand->getType()->isLabelTy() && !operand->getType()->isMetadataTy() &&
        !llvm::isa<llvm::Function>(operand))
      if (llvm::Error error = checkType(operand->getType()))
        return error;
  return llvm::Error::success();
}

/// A part of a pair that was put together here is one of its two values.
void takeApart(llvm::User &user, llvm::Value *pair) {
  auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(&user);
  auto *second = llvm::dyn_cast<llvm::InsertValueInst>(pair);
  if (!part || !second)
    return;
  auto *first = llvm::cast<llvm::InsertValueInst>(second->getAggregateOperand());
  part->replaceAllUsesWith(
      (part->getIndices()[0] ? second : first)->getInsertedValueOperand());
}

/// Addresses and local objects whose types have integers that SPIR-V has not: in bytes.
void useBytes(llvm::Instruction &instruction) {
  auto isLegal = [](llvm::Type *type) {
    llvm::Error error = checkType(type);
    bool legal = !error;
    llvm::consumeError(std::move(error));
    return legal;
  };
  const llvm::DataLayout &layout = instruction.getDataLayout();
  llvm::IRBuilder<> builder(&instruction);
  if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      gep && !isLegal(gep->getSourceElementType())) {
    llvm::Value *offset = llvm::emitGEPOffset(&builder, layout, gep);
    gep->replaceAllUsesWith(
        builder.CreateGEP(builder.getInt8Ty(), gep->getPointerOperand(), offset));
    gep->eraseFromParent();
  } else if (auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
             object && !isLegal(object->getAllocatedType())) {
    uint64_t bytes = layout.getTypeAllocSize(object->getAllocatedType());
    object->setAllocatedType(llvm::ArrayType::get(builder.getInt8Ty(), bytes));
  }
}

/// An integer of less than a word in memory: the bytes that it takes, at once where
/// there are 1, 2, 4 or 8, or in pieces of such sizes. Its upper bits are zero there.
void useWholeBytes(llvm::Instruction &instruction) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (!load && !store)
    return;
  llvm::Type *type = load ? load->getType() : store->getValueOperand()->getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() >= 64 ||
      instruction.isAtomic() ||
      (llvm::isPowerOf2_32(type->getIntegerBitWidth()) &&
       type->getIntegerBitWidth() >= 8))
    return;
  llvm::IRBuilder<> builder(&instruction);
  llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  llvm::Align alignment = llvm::getLoadStoreAlignment(&instruction);
  bool isVolatile = instruction.isVolatile();
  unsigned bytes = (type->getIntegerBitWidth() + 7) / 8;
  llvm::Type *word = builder.getInt64Ty();
  llvm::Value *all =
      store ? builder.CreateZExt(store->getValueOperand(), word) : builder.getInt64(0);
  for (unsigned at = 0; at < bytes;) {
    unsigned size = llvm::bit_floor(bytes - at);
    llvm::Type *piece = builder.getIntNTy(8 * size);
    llvm::Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, at);
    llvm::Align known = llvm::commonAlignment(alignment, at);
    if (load) {
      llvm::Value *part = builder.CreateZExt(
          builder.CreateAlignedLoad(piece, place, known, isVolatile), word);
      all = builder.CreateOr(all, builder.CreateShl(part, 8 * at));
    } else {
      builder.CreateAlignedStore(
          builder.CreateTrunc(builder.CreateLShr(all, 8 * at), piece), place, known,
          isVolatile);
    }
    at += size;
  }
  if (load)
    load->replaceAllUsesWith(builder.CreateTrunc(all, type));
  instruction.eraseFromParent();
}

/// LLVM's back end makes a truth value only of 32 bits right.
void testLowestBit(llvm::Instruction &instruction) {
  auto *cast = llvm::dyn_cast<llvm::TruncInst>(&instruction);
  if (!cast || !cast->getType()->isIntegerTy(1))
    return;
  llvm::IRBuilder<> builder(cast);
  llvm::Value *bit = builder.CreateAnd(cast->getOperand(0), 1);
  cast->replaceAllUsesWith(builder.CreateIsNotNull(bit));
  cast->eraseFromParent();
}

/// A truth value as a number: LLVM's back end makes 1 of it, which as a signed number is
/// -1.
void chooseNumber(llvm::Instruction &instruction) {
  auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction);
  if (!cast || !cast->getSrcTy()->isIntOrIntVectorTy(1) ||
      !(llvm::isa<llvm::SIToFPInst>(cast) || llvm::isa<llvm::UIToFPInst>(cast)))
    return;
  llvm::IRBuilder<> builder(cast);
  llvm::Constant *one = llvm::ConstantFP::get(
      cast->getType(), llvm::isa<llvm::SIToFPInst>(cast) ? -1.0 : 1.0);
  cast->replaceAllUsesWith(builder.CreateSelect(
      cast->getOperand(0), one, llvm::Constant::getNullValue(cast->getType())));
  cast->eraseFromParent();
}

/// OpenCL has no recursion: its compilers take it and make something of it.
llvm::Error checkCalls(llvm::Module &module) {
  llvm::CallGraph graph(module);
  for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it)
    if (it.hasCycle())
      for (llvm::CallGraphNode *node : *it)
        if (llvm::Function *function = node->getFunction())
          return llvm::createStringError("recursion, of '%s': SPIR-V has none",
                                         target::sourceName(*function).str().c_str());
  return llvm::Error::success();
}

/// May replace and erase the instruction.
using Rewriting = void(llvm::Instruction &);

void rewriteAll(llvm::Function &function, Rewriting *rewrite) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function)))
    rewrite(instruction);
}

} // namespace

llvm::Value *testClass(llvm::IntrinsicInst &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *value = call.getArgOperand(0);
  auto mask = static_cast<llvm::FPClassTest>(
      llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue());
  llvm::Type *type = value->getType()->getScalarType(), *bits = bitsOf(value->getType());
  const llvm::fltSemantics &semantics = type->getFltSemantics();
  auto word = [&](const llvm::APFloat &number) {
    return llvm::ConstantInt::get(bits, number.bitcastToAPInt());
  };
  llvm::Constant *infinity = word(llvm::APFloat::getInf(semantics));
  llvm::Constant *least = word(llvm::APFloat::getSmallestNormalized(semantics));
  llvm::Constant *quiet = word(llvm::APFloat::getQNaN(semantics));
  llvm::Constant *zero = llvm::ConstantInt::get(bits, 0);
  llvm::Value *all = builder.CreateBitCast(value, bits);
  llvm::Value *isNegative = builder.CreateICmpSLT(all, zero);
  llvm::Value *size = builder.CreateAnd(
      all, llvm::ConstantInt::get(
               bits, llvm::APInt::getSignedMaxValue(bits->getScalarSizeInBits())));
  llvm::Value *isPositive = builder.CreateNot(isNegative);
  llvm::Value *result = llvm::Constant::getNullValue(call.getType());
  auto add = [&](llvm::FPClassTest negative, llvm::FPClassTest positive,
                 llvm::Value *is) {
    if ((mask & negative) && (mask & positive))
      result = builder.CreateOr(result, is);
    else if (mask & negative)
      result = builder.CreateOr(result, builder.CreateAnd(is, isNegative));
    else if (mask & positive)
      result = builder.CreateOr(result, builder.CreateAnd(is, isPositive));
  };
  add(llvm::fcNegZero, llvm::fcPosZero, builder.CreateICmpEQ(size, zero));
  add(llvm::fcNegInf, llvm::fcPosInf, builder.CreateICmpEQ(size, infinity));
  add(llvm::fcNegSubnormal, llvm::fcPosSubnormal,
      builder.CreateAnd(builder.CreateICmpNE(size, zero),
                        builder.CreateICmpULT(size, least)));
  add(llvm::fcNegNormal, llvm::fcPosNormal,
      builder.CreateAnd(builder.CreateICmpUGE(size, least),
                        builder.CreateICmpULT(size, infinity)));
  if (mask & llvm::fcQNan)
    result = builder.CreateOr(result, builder.CreateICmpUGE(size, quiet));
  if (mask & llvm::fcSNan)
    result =
        builder.CreateOr(result, builder.CreateAnd(builder.CreateICmpUGT(size, infinity),
                                                   builder.CreateICmpULT(size, quiet)));
  return result;
}

llvm::Error legalize(llvm::Module &module, const Machine &machine) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (llvm::Value *value = call ? expand(*call) : nullptr) {
        for (llvm::User *user : llvm::make_early_inc_range(call->users()))
          takeApart(*user, value);
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
      }
    }
  if (machine.isCPU) {
    negateAsBits(module);
    hideComplements(module);
  }
  for (llvm::Function &function : module) {
    splitAggregates(function);
    hidePointers(function);
    expandTruthVectors(function);
    for (Rewriting *rewrite : {useBytes, useWholeBytes, testLowestBit, chooseNumber})
      rewriteAll(function, rewrite);
    if (machine.isCPU) {
      rewriteAll(function, chooseQuotient);
      hideTruncations(function);
    }
    if (llvm::Error error = legalizeIntegers(function))
      return error;
    splitSwitchEdges(function);
  }
  for (llvm::GlobalVariable &global : module.globals())
    if (llvm::Error error = checkType(global.getValueType()))
      return error;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::Error error = checkInstruction(instruction))
        return error;
  return checkCalls(module);
}

} // namespace het::spirv
