// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces operations that SPIR-V for Vulkan has not, or for words of 32 bits alone.

#include "../../../Support/Lowering/IRPieces.h"
#include "../../../Support/Lowering/TargetLowering.h"
#include "Vulkan.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

namespace het::spirv {
namespace {

using Intrinsic = llvm::IntrinsicInst;

/// What is put in place of an intrinsic's call.
class Expansion {
public:
  explicit Expansion(Intrinsic &call)
      : call(call), builder(&call), type(call.getType()),
        bits(type->getScalarSizeInBits()) {}

  /// Null: it stays.
  llvm::Value *run();

private:
  llvm::Value *at(unsigned index) { return call.getArgOperand(index); }
  llvm::Value *number(uint64_t value) { return llvm::ConstantInt::get(type, value); }
  llvm::Value *choose(llvm::CmpInst::Predicate predicate) {
    return builder.CreateSelect(builder.CreateICmp(predicate, at(0), at(1)), at(0),
                                at(1));
  }
  llvm::Value *word(llvm::Intrinsic::ID id, llvm::Value *value) {
    llvm::Value *isPoison = builder.getFalse();
    return id == llvm::Intrinsic::ctpop
               ? builder.CreateIntrinsic(builder.getInt32Ty(), id, {value})
               : builder.CreateIntrinsic(builder.getInt32Ty(), id, {value, isPoison});
  }
  llvm::Value *countBits(llvm::Intrinsic::ID id);
  llvm::Value *countBitsOfTwo(llvm::Intrinsic::ID id);
  llvm::Value *funnel(bool isLeft);
  llvm::Value *overflow(llvm::Value *result, llvm::Instruction::BinaryOps op);
  llvm::Value *saturate(llvm::Instruction::BinaryOps op);
  llvm::Value *withOverflow(llvm::Instruction::BinaryOps op, bool isSigned);
  llvm::Value *multiply();
  llvm::Value *copySign(llvm::Value *size, llvm::Value *sign);
  llvm::Value *round();

  Intrinsic &call;
  llvm::IRBuilder<> builder;
  llvm::Type *type;
  unsigned bits;
};

llvm::Value *Expansion::countBitsOfTwo(llvm::Intrinsic::ID id) {
  llvm::Type *half = builder.getInt32Ty();
  llvm::Value *low = builder.CreateTrunc(at(0), half);
  llvm::Value *high = builder.CreateTrunc(builder.CreateLShr(at(0), 32), half);
  llvm::Value *ofLow = word(id, low), *ofHigh = word(id, high), *result = nullptr;
  llvm::Value *all = builder.getInt32(32), *none = builder.getInt32(0);
  if (id == llvm::Intrinsic::ctpop)
    result = builder.CreateAdd(ofLow, ofHigh);
  else if (id == llvm::Intrinsic::ctlz)
    result = builder.CreateSelect(builder.CreateICmpEQ(high, none),
                                  builder.CreateAdd(ofLow, all), ofHigh);
  else
    result = builder.CreateSelect(builder.CreateICmpEQ(low, none),
                                  builder.CreateAdd(ofHigh, all), ofLow);
  return builder.CreateZExt(result, type);
}

llvm::Value *Expansion::countBits(llvm::Intrinsic::ID id) {
  if (bits == 32)
    return nullptr;
  if (bits == 64)
    return countBitsOfTwo(id);
  llvm::Value *wide = builder.CreateZExt(at(0), builder.getInt32Ty());
  if (id == llvm::Intrinsic::cttz) // not beyond its own bits
    wide = builder.CreateOr(wide, builder.getInt32(1u << bits));
  llvm::Value *count = word(id, wide);
  if (id == llvm::Intrinsic::ctlz)
    count = builder.CreateSub(count, builder.getInt32(32 - bits));
  return builder.CreateTrunc(count, type);
}

llvm::Value *Expansion::funnel(bool isLeft) {
  llvm::Value *most = number(bits - 1), *one = number(1);
  llvm::Value *count = builder.CreateAnd(builder.CreateFreeze(at(2)), most);
  llvm::Value *rest = builder.CreateSub(most, count);
  if (isLeft)
    return builder.CreateOr(builder.CreateShl(at(0), count),
                            builder.CreateLShr(builder.CreateLShr(at(1), one), rest));
  return builder.CreateOr(builder.CreateShl(builder.CreateShl(at(0), one), rest),
                          builder.CreateLShr(at(1), count));
}

/// Whether a signed sum or difference is beyond its word.
llvm::Value *Expansion::overflow(llvm::Value *result, llvm::Instruction::BinaryOps op) {
  llvm::Value *ofA = builder.CreateXor(at(0), result);
  llvm::Value *other = op == llvm::Instruction::Add ? builder.CreateXor(at(1), result)
                                                    : builder.CreateXor(at(0), at(1));
  return builder.CreateICmpSLT(builder.CreateAnd(ofA, other), number(0));
}

llvm::Value *Expansion::saturate(llvm::Instruction::BinaryOps op) {
  llvm::Value *result = builder.CreateBinOp(op, at(0), at(1));
  llvm::Value *sign = builder.CreateAShr(at(0), number(bits - 1));
  llvm::Value *bound = builder.CreateXor(
      sign, llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits)));
  return builder.CreateSelect(overflow(result, op), bound, result);
}

llvm::Value *Expansion::withOverflow(llvm::Instruction::BinaryOps op, bool isSigned) {
  type = at(0)->getType();
  bits = type->getScalarSizeInBits();
  llvm::Value *result = builder.CreateBinOp(op, at(0), at(1)), *isBeyond = nullptr;
  if (isSigned)
    isBeyond = overflow(result, op);
  else if (op == llvm::Instruction::Add)
    isBeyond = builder.CreateICmpULT(result, at(0));
  else
    isBeyond = builder.CreateICmpULT(at(0), at(1));
  return target::createPair(builder, call.getType(), result, isBeyond);
}

/// A signed product, and whether dividing it does not give the factor back.
llvm::Value *Expansion::multiply() {
  type = at(0)->getType();
  bits = type->getScalarSizeInBits();
  llvm::Value *a = builder.CreateFreeze(at(0)), *b = builder.CreateFreeze(at(1));
  llvm::Value *product = builder.CreateMul(a, b), *isBeyond = nullptr;
  if (bits < 64) {
    llvm::Type *wide = builder.getIntNTy(2 * bits);
    llvm::Value *all =
        builder.CreateMul(builder.CreateSExt(a, wide), builder.CreateSExt(b, wide));
    isBeyond = builder.CreateICmpNE(all, builder.CreateSExt(product, wide));
  } else {
    llvm::Constant *least =
        llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
    llvm::Value *isMinus =
        builder.CreateICmpEQ(a, llvm::ConstantInt::getSigned(type, -1));
    llvm::Value *isPlain =
        builder.CreateAnd(builder.CreateNot(isMinus), builder.CreateICmpNE(a, number(0)));
    llvm::Value *divisor = builder.CreateSelect(isPlain, a, number(1));
    llvm::Value *differs = builder.CreateICmpNE(builder.CreateSDiv(product, divisor), b);
    isBeyond =
        builder.CreateOr(builder.CreateAnd(isPlain, differs),
                         builder.CreateAnd(isMinus, builder.CreateICmpEQ(b, least)));
  }
  return target::createPair(builder, call.getType(), product, isBeyond);
}

llvm::Value *Expansion::copySign(llvm::Value *size, llvm::Value *sign) {
  llvm::Type *integer = builder.getIntNTy(bits);
  const llvm::APInt mask = llvm::APInt::getSignMask(bits);
  llvm::Value *ofSize = builder.CreateAnd(builder.CreateBitCast(size, integer), ~mask);
  llvm::Value *ofSign = builder.CreateAnd(builder.CreateBitCast(sign, integer), mask);
  return builder.CreateBitCast(builder.CreateOr(ofSize, ofSign), type);
}

/// Halves away from zero.
llvm::Value *Expansion::round() {
  llvm::Value *whole = builder.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, at(0));
  llvm::Value *rest = builder.CreateFSub(at(0), whole); // exact
  rest = builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, rest);
  llvm::Value *isUp = builder.CreateFCmpOGE(rest, llvm::ConstantFP::get(type, 0.5));
  llvm::Value *step = copySign(llvm::ConstantFP::get(type, 1.0), at(0));
  return copySign(builder.CreateSelect(isUp, builder.CreateFAdd(whole, step), whole),
                  at(0));
}

llvm::Value *Expansion::run() {
  using Op = llvm::Instruction;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::smin:
    return choose(llvm::CmpInst::ICMP_SLT);
  case llvm::Intrinsic::smax:
    return choose(llvm::CmpInst::ICMP_SGT);
  case llvm::Intrinsic::umin:
    return choose(llvm::CmpInst::ICMP_ULT);
  case llvm::Intrinsic::umax:
    return choose(llvm::CmpInst::ICMP_UGT);
  case llvm::Intrinsic::abs:
    return builder.CreateSelect(builder.CreateICmpSLT(at(0), number(0)),
                                builder.CreateNeg(at(0)), at(0));
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::ctlz:
  case llvm::Intrinsic::cttz:
    return countBits(call.getIntrinsicID());
  case llvm::Intrinsic::fshl:
    return funnel(/*isLeft=*/true);
  case llvm::Intrinsic::fshr:
    return funnel(/*isLeft=*/false);
  case llvm::Intrinsic::uadd_sat: {
    llvm::Value *sum = builder.CreateAdd(at(0), at(1));
    return builder.CreateSelect(builder.CreateICmpULT(sum, at(0)),
                                llvm::Constant::getAllOnesValue(type), sum);
  }
  case llvm::Intrinsic::usub_sat:
    return builder.CreateSelect(builder.CreateICmpULT(at(0), at(1)), number(0),
                                builder.CreateSub(at(0), at(1)));
  case llvm::Intrinsic::sadd_sat:
    return saturate(Op::Add);
  case llvm::Intrinsic::ssub_sat:
    return saturate(Op::Sub);
  case llvm::Intrinsic::uadd_with_overflow:
    return withOverflow(Op::Add, /*isSigned=*/false);
  case llvm::Intrinsic::usub_with_overflow:
    return withOverflow(Op::Sub, /*isSigned=*/false);
  case llvm::Intrinsic::sadd_with_overflow:
    return withOverflow(Op::Add, /*isSigned=*/true);
  case llvm::Intrinsic::ssub_with_overflow:
    return withOverflow(Op::Sub, /*isSigned=*/true);
  case llvm::Intrinsic::smul_with_overflow:
    return multiply();
  case llvm::Intrinsic::copysign:
    return copySign(at(0), at(1));
  case llvm::Intrinsic::round:
    return round();
  default:
    return nullptr;
  }
}

/// A copy of a known number of bytes, in pieces; a move reads all before it writes.
bool unroll(llvm::MemTransferInst &copy) {
  constexpr uint64_t most = 256;
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (!length || length->getZExtValue() > most)
    return false;
  const llvm::Align alignment =
      std::min({copy.getDestAlign().valueOrOne(), copy.getSourceAlign().valueOrOne(),
                llvm::Align(8)});
  llvm::IRBuilder<> builder(&copy);
  llvm::SmallVector<std::pair<uint64_t, llvm::Value *>> pieces;
  auto place = [&](llvm::Value *base, uint64_t offset) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), base, offset);
  };
  for (uint64_t at = 0, bytes = length->getZExtValue(); at < bytes;) {
    uint64_t size = alignment.value();
    while (size > bytes - at)
      size /= 2;
    pieces.push_back({at, builder.CreateAlignedLoad(
                              builder.getIntNTy(8 * size), place(copy.getSource(), at),
                              llvm::Align(size), copy.isVolatile())});
    at += size;
  }
  for (auto [at, value] : pieces)
    builder.CreateAlignedStore(value, place(copy.getDest(), at),
                               llvm::Align(value->getType()->getScalarSizeInBits() / 8),
                               copy.isVolatile());
  copy.eraseFromParent();
  return true;
}

void expandCopies(llvm::Function &function, llvm::TargetMachine &machine) {
  const llvm::TargetTransformInfo costs = machine.getTargetTransformInfo(function);
  llvm::SmallVector<llvm::MemIntrinsic *> found;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
      found.push_back(copy);
  for (llvm::MemIntrinsic *copy : found) {
    if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(copy);
        transfer && unroll(*transfer))
      continue;
    if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(copy))
      llvm::expandMemSetAsLoop(set);
    else if (auto *plain = llvm::dyn_cast<llvm::MemCpyInst>(copy))
      llvm::expandMemCpyAsLoop(plain, costs);
    else if (auto *move = llvm::dyn_cast<llvm::MemMoveInst>(copy);
             !move || !llvm::expandMemMoveAsLoop(move, costs))
      continue; // the translation names it
    copy->eraseFromParent();
  }
}

} // namespace

/// The upper half of the product of two words of 64 bits, by halves of them.
static void defineProduct(llvm::Module &module) {
  llvm::Function *function = module.getFunction("_Z6mul_himm");
  if (!function || !function->isDeclaration())
    return;
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
  function->setLinkage(llvm::GlobalValue::InternalLinkage);
  auto low = [&](llvm::Value *word) {
    return builder.CreateAnd(word, builder.getInt64(0xFFFFFFFF));
  };
  auto high = [&](llvm::Value *word) { return builder.CreateLShr(word, 32); };
  llvm::Value *a = function->getArg(0), *b = function->getArg(1);
  llvm::Value *lowest = builder.CreateMul(low(a), low(b));
  llvm::Value *one = builder.CreateMul(low(a), high(b));
  llvm::Value *other = builder.CreateMul(high(a), low(b));
  llvm::Value *middle =
      builder.CreateAdd(high(lowest), builder.CreateAdd(low(one), low(other)));
  llvm::Value *highest = builder.CreateMul(high(a), high(b));
  highest = builder.CreateAdd(highest, builder.CreateAdd(high(one), high(other)));
  builder.CreateRet(builder.CreateAdd(highest, high(middle)));
}

void expandOperations(llvm::Module &module, llvm::TargetMachine &machine) {
  defineProduct(module);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    expandCopies(function, machine);
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<Intrinsic>(&instruction);
      if (llvm::Value *value = call ? Expansion(*call).run() : nullptr) {
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
      }
    }
  }
}

void splitVectors(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::ScalarizerPass(options));
  target::runOnFunctions(module, machine, std::move(passes));
}

} // namespace het::spirv
