// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of widths that SPIR-V for OpenCL has not. One of less than 64 bits lies in
// the next wider one; one of 65 to 128 bits in two of 64, the lower first. The bits
// above the width are always zero.

#include "../Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/IntegerDivision.h"

namespace het::spirv {
namespace {

bool isIllegal(llvm::Type *type) {
  if (!type->isIntegerTy())
    return false;
  unsigned bits = type->getIntegerBitWidth();
  return bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64;
}

/// The parts of one value: one word, or a lower and an upper one.
struct Parts {
  llvm::Value *low = nullptr, *high = nullptr;
};

class Legalizer {
public:
  explicit Legalizer(llvm::Function &function)
      : function(function), builder(function.getContext()) {}

  llvm::Error run();

private:
  using Op = llvm::Instruction;
  llvm::Error convert(llvm::Instruction &instruction);
  Parts convertBinary(llvm::BinaryOperator &op);
  Parts binaryOfPair(unsigned opcode, Parts a, Parts b, llvm::Type *type);
  Parts multiply(Parts a, Parts b);
  Parts shift(unsigned opcode, Parts a, Parts amount, llvm::Type *type);
  llvm::Value *compare(llvm::ICmpInst &op);
  llvm::Error convertCast(llvm::CastInst &op);
  llvm::Error convertMemory(llvm::Instruction &op);
  llvm::Error convertIntrinsic(llvm::IntrinsicInst &op);
  llvm::Error convertIndices(llvm::GetElementPtrInst &op);
  llvm::Error convertSwitch(llvm::SwitchInst &op);
  void fillPhis();

  Parts partsOf(llvm::Value *value);
  Parts constantParts(const llvm::APInt &value);
  Parts signedParts(llvm::Value *value);
  Parts wide(llvm::Value *value, bool isSigned);
  llvm::Value *narrow(Parts parts, llvm::Type *type);
  Parts fit(Parts parts, llvm::Type *type);
  Parts masked(Parts parts, llvm::Type *type);

  static bool isPair(llvm::Type *type) { return type->getIntegerBitWidth() > 64; }
  llvm::Type *wordOf(llvm::Type *type) {
    unsigned bits = type->getIntegerBitWidth();
    return builder.getIntNTy(bits > 32 ? 64 : bits > 16 ? 32 : bits > 8 ? 16 : 8);
  }
  llvm::Value *select(llvm::Value *condition, llvm::Value *a, llvm::Value *b) {
    return builder.CreateSelect(condition, a, b);
  }
  llvm::Error refuse(llvm::Instruction &instruction) {
    std::string text;
    llvm::raw_string_ostream out(text);
    out << instruction;
    return llvm::createStringError("an integer of a width that SPIR-V has not:%s",
                                   text.c_str());
  }
  /// The instruction's value is these parts from now on.
  void set(llvm::Instruction &instruction, Parts parts) { map[&instruction] = parts; }
  void replace(llvm::Instruction &instruction, llvm::Value *value) {
    instruction.replaceAllUsesWith(value);
  }

  llvm::Function &function;
  llvm::IRBuilder<> builder;
  llvm::DenseMap<llvm::Value *, Parts> map;
  llvm::SmallVector<llvm::Instruction *> dead;
  llvm::SmallVector<llvm::PHINode *> phis;
};

Parts Legalizer::constantParts(const llvm::APInt &value) {
  unsigned bits = value.getBitWidth();
  if (bits <= 64) {
    llvm::Type *word = wordOf(builder.getIntNTy(bits));
    return {llvm::ConstantInt::get(word, value.zext(word->getIntegerBitWidth())),
            nullptr};
  }
  llvm::APInt all = value.zext(128);
  return {builder.getInt64(all.extractBitsAsZExtValue(64, 0)),
          builder.getInt64(all.extractBitsAsZExtValue(64, 64))};
}

Parts Legalizer::partsOf(llvm::Value *value) {
  if (auto it = map.find(value); it != map.end())
    return it->second;
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return constantParts(constant->getValue());
  // Zero is as good as any for what is undefined.
  return constantParts(llvm::APInt::getZero(value->getType()->getIntegerBitWidth()));
}

/// Clears the bits above the width.
Parts Legalizer::masked(Parts parts, llvm::Type *type) {
  unsigned bits = type->getIntegerBitWidth();
  if (!parts.high) {
    llvm::Type *word = parts.low->getType();
    unsigned width = word->getIntegerBitWidth();
    if (bits < width)
      parts.low = builder.CreateAnd(
          parts.low,
          llvm::ConstantInt::get(word, llvm::APInt::getLowBitsSet(width, bits)));
  } else if (bits < 128) {
    parts.high = builder.CreateAnd(
        parts.high, llvm::ConstantInt::get(builder.getInt64Ty(),
                                           llvm::APInt::getLowBitsSet(64, bits - 64)));
  }
  return parts;
}

/// The parts with the sign in the bits above the width.
Parts Legalizer::signedParts(llvm::Value *value) {
  Parts parts = partsOf(value);
  unsigned bits = value->getType()->getIntegerBitWidth();
  auto extend = [&](llvm::Value *word, unsigned used) {
    unsigned left = word->getType()->getIntegerBitWidth() - used;
    return left ? builder.CreateAShr(builder.CreateShl(word, left), left) : word;
  };
  if (parts.high)
    parts.high = extend(parts.high, bits - 64);
  else
    parts.low = extend(parts.low, bits);
  return parts;
}

/// Any integer as two words.
Parts Legalizer::wide(llvm::Value *value, bool isSigned) {
  llvm::Type *i64 = builder.getInt64Ty();
  Parts parts{value, nullptr};
  if (isIllegal(value->getType()))
    parts = isSigned ? signedParts(value) : partsOf(value);
  if (parts.high)
    return parts;
  parts.low =
      isSigned ? builder.CreateSExt(parts.low, i64) : builder.CreateZExt(parts.low, i64);
  parts.high = isSigned ? builder.CreateAShr(parts.low, 63) : builder.getInt64(0);
  return parts;
}

/// Two words as an integer of a legal type.
llvm::Value *Legalizer::narrow(Parts parts, llvm::Type *type) {
  return builder.CreateTrunc(parts.low, type);
}

/// Two words as the parts of an integer of this type.
Parts Legalizer::fit(Parts parts, llvm::Type *type) {
  if (!isPair(type))
    parts = {builder.CreateTrunc(parts.low, wordOf(type)), nullptr};
  return masked(parts, type);
}

/// The high half by OpenCL's mul_hi.
Parts Legalizer::multiply(Parts a, Parts b) {
  llvm::Type *i64 = builder.getInt64Ty();
  auto multiplyHigh =
      function.getParent()->getOrInsertFunction("_Z6mul_himm", i64, i64, i64);
  llvm::Value *high = builder.CreateCall(multiplyHigh, {a.low, b.low});
  high = builder.CreateAdd(high, builder.CreateMul(a.low, b.high));
  high = builder.CreateAdd(high, builder.CreateMul(a.high, b.low));
  return {builder.CreateMul(a.low, b.low), high};
}

Parts Legalizer::shift(unsigned opcode, Parts a, Parts amount, llvm::Type *type) {
  llvm::Value *count = builder.CreateAnd(amount.low, 63);
  llvm::Value *isFar =
      builder.CreateICmpNE(builder.CreateAnd(amount.low, 64), builder.getInt64(0));
  llvm::Value *rest = builder.CreateSub(builder.getInt64(63), count);
  if (opcode == Op::Shl) {
    llvm::Value *low = builder.CreateShl(a.low, count);
    llvm::Value *across = builder.CreateLShr(builder.CreateLShr(a.low, 1), rest);
    llvm::Value *high = builder.CreateOr(builder.CreateShl(a.high, count), across);
    return masked({select(isFar, builder.getInt64(0), low), select(isFar, low, high)},
                  type);
  }
  bool isSigned = opcode == Op::AShr;
  llvm::Value *high =
      isSigned ? builder.CreateAShr(a.high, count) : builder.CreateLShr(a.high, count);
  llvm::Value *across = builder.CreateShl(builder.CreateShl(a.high, 1), rest);
  llvm::Value *low = builder.CreateOr(builder.CreateLShr(a.low, count), across);
  llvm::Value *fill = isSigned ? builder.CreateAShr(a.high, 63) : builder.getInt64(0);
  return masked({select(isFar, high, low), select(isFar, fill, high)}, type);
}

Parts Legalizer::binaryOfPair(unsigned opcode, Parts a, Parts b, llvm::Type *type) {
  switch (opcode) {
  case Op::Add: {
    llvm::Value *low = builder.CreateAdd(a.low, b.low);
    llvm::Value *carry =
        builder.CreateZExt(builder.CreateICmpULT(low, a.low), builder.getInt64Ty());
    return masked({low, builder.CreateAdd(builder.CreateAdd(a.high, b.high), carry)},
                  type);
  }
  case Op::Sub: {
    llvm::Value *borrow =
        builder.CreateZExt(builder.CreateICmpULT(a.low, b.low), builder.getInt64Ty());
    return masked({builder.CreateSub(a.low, b.low),
                   builder.CreateSub(builder.CreateSub(a.high, b.high), borrow)},
                  type);
  }
  case Op::Mul:
    return masked(multiply(a, b), type);
  case Op::Shl:
  case Op::LShr:
  case Op::AShr:
    return shift(opcode, a, b, type);
  default: // and, or, xor
    return {builder.CreateBinOp(Op::BinaryOps(opcode), a.low, b.low),
            builder.CreateBinOp(Op::BinaryOps(opcode), a.high, b.high)};
  }
}

Parts Legalizer::convertBinary(llvm::BinaryOperator &op) {
  unsigned opcode = op.getOpcode();
  llvm::Type *type = op.getType();
  bool isDivision = opcode == Op::SDiv || opcode == Op::SRem;
  bool isSigned = opcode == Op::AShr || isDivision;
  Parts a = isSigned ? signedParts(op.getOperand(0)) : partsOf(op.getOperand(0));
  Parts b = isDivision ? signedParts(op.getOperand(1)) : partsOf(op.getOperand(1));
  if (isPair(type))
    return binaryOfPair(opcode, a, b, type);
  llvm::Value *result = builder.CreateBinOp(op.getOpcode(), a.low, b.low);
  return masked({result, nullptr}, type);
}

llvm::Value *Legalizer::compare(llvm::ICmpInst &op) {
  auto predicate = op.getPredicate();
  bool isSigned = op.isSigned();
  auto parts = [&](unsigned index) {
    return isSigned ? signedParts(op.getOperand(index)) : partsOf(op.getOperand(index));
  };
  Parts a = parts(0), b = parts(1);
  if (!a.high)
    return builder.CreateICmp(predicate, a.low, b.low);
  if (op.isEquality())
    return builder.CreateICmp(predicate,
                              builder.CreateOr(builder.CreateXor(a.low, b.low),
                                               builder.CreateXor(a.high, b.high)),
                              builder.getInt64(0));
  llvm::Value *high = builder.CreateICmp(predicate, a.high, b.high);
  llvm::Value *low =
      builder.CreateICmp(llvm::ICmpInst::getUnsignedPredicate(predicate), a.low, b.low);
  return select(builder.CreateICmpEQ(a.high, b.high), low, high);
}

llvm::Error Legalizer::convertCast(llvm::CastInst &op) {
  llvm::Value *from = op.getOperand(0);
  llvm::Type *to = op.getType();
  bool isSigned = op.getOpcode() == Op::SExt || op.getOpcode() == Op::SIToFP;
  switch (op.getOpcode()) {
  case Op::Trunc:
  case Op::ZExt:
  case Op::SExt: {
    Parts parts;
    if (from->getType()->isIntegerTy(1) && isSigned)
      parts = wide(builder.CreateSExt(from, builder.getInt64Ty()), true);
    else
      parts = wide(from, isSigned);
    if (isIllegal(to))
      set(op, fit(parts, to));
    else
      replace(op, narrow(parts, to));
    return llvm::Error::success();
  }
  case Op::UIToFP:
  case Op::SIToFP:
    if (isPair(from->getType()))
      return refuse(op);
    replace(op, isSigned ? builder.CreateSIToFP(signedParts(from).low, to)
                         : builder.CreateUIToFP(partsOf(from).low, to));
    return llvm::Error::success();
  case Op::FPToUI:
  case Op::FPToSI: {
    if (isPair(to))
      return refuse(op);
    llvm::Value *word = op.getOpcode() == Op::FPToSI
                            ? builder.CreateFPToSI(from, wordOf(to))
                            : builder.CreateFPToUI(from, wordOf(to));
    set(op, masked({word, nullptr}, to));
    return llvm::Error::success();
  }
  case Op::IntToPtr:
    replace(op, builder.CreateIntToPtr(wide(from, false).low, to));
    return llvm::Error::success();
  default:
    return refuse(op);
  }
}

/// In memory: whole words.
llvm::Error Legalizer::convertMemory(llvm::Instruction &op) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&op);
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&op);
  llvm::Value *pointer = load ? load->getPointerOperand() : store->getPointerOperand();
  llvm::Type *type = load ? load->getType() : store->getValueOperand()->getType();
  llvm::Align alignment = load ? load->getAlign() : store->getAlign();
  bool isVolatile = load ? load->isVolatile() : store->isVolatile();
  if (type->getIntegerBitWidth() != 128)
    return refuse(op);
  llvm::Type *i64 = builder.getInt64Ty();
  llvm::Value *upper = builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, 8);
  llvm::Align upperAlignment = llvm::commonAlignment(alignment, 8);
  if (load) {
    set(op, {builder.CreateAlignedLoad(i64, pointer, alignment, isVolatile),
             builder.CreateAlignedLoad(i64, upper, upperAlignment, isVolatile)});
    return llvm::Error::success();
  }
  Parts parts = partsOf(store->getValueOperand());
  builder.CreateAlignedStore(parts.low, pointer, alignment, isVolatile);
  builder.CreateAlignedStore(parts.high, upper, upperAlignment, isVolatile);
  return llvm::Error::success();
}

llvm::Error Legalizer::convertIntrinsic(llvm::IntrinsicInst &op) {
  llvm::Type *type = op.getType();
  auto unary = [&](llvm::Intrinsic::ID id, llvm::Value *word) -> llvm::Value * {
    if (id == llvm::Intrinsic::ctpop)
      return builder.CreateUnaryIntrinsic(id, word);
    return builder.CreateBinaryIntrinsic(id, word, builder.getFalse());
  };
  llvm::Intrinsic::ID id = op.getIntrinsicID();
  bool isCount = id == llvm::Intrinsic::ctpop || id == llvm::Intrinsic::ctlz ||
                 id == llvm::Intrinsic::cttz;
  if (isCount && type->isIntegerTy(128)) {
    Parts a = partsOf(op.getArgOperand(0));
    llvm::Value *low = unary(id, a.low), *high = unary(id, a.high);
    llvm::Value *zero = builder.getInt64(0), *word = builder.getInt64(64);
    llvm::Value *count;
    if (id == llvm::Intrinsic::ctpop)
      count = builder.CreateAdd(low, high);
    else if (id == llvm::Intrinsic::ctlz)
      count =
          select(builder.CreateICmpEQ(a.high, zero), builder.CreateAdd(low, word), high);
    else
      count =
          select(builder.CreateICmpEQ(a.low, zero), builder.CreateAdd(high, word), low);
    set(op, {count, zero});
    return llvm::Error::success();
  }
  if (id == llvm::Intrinsic::umin || id == llvm::Intrinsic::umax ||
      id == llvm::Intrinsic::smin || id == llvm::Intrinsic::smax) {
    auto &choice = llvm::cast<llvm::MinMaxIntrinsic>(op);
    std::unique_ptr<llvm::ICmpInst> test(
        new llvm::ICmpInst(choice.getPredicate(), choice.getLHS(), choice.getRHS()));
    llvm::Value *isFirst = compare(*test);
    Parts a = partsOf(choice.getLHS()), b = partsOf(choice.getRHS());
    set(op, {select(isFirst, a.low, b.low),
             a.high ? select(isFirst, a.high, b.high) : nullptr});
    return llvm::Error::success();
  }
  return refuse(op);
}

llvm::Error Legalizer::convertIndices(llvm::GetElementPtrInst &op) {
  for (llvm::Use &index : op.indices())
    if (isIllegal(index->getType()))
      index.set(wide(index.get(), /*isSigned=*/true).low);
  return llvm::Error::success();
}

llvm::Error Legalizer::convertSwitch(llvm::SwitchInst &op) {
  if (isPair(op.getCondition()->getType()))
    return refuse(op);
  auto *made = builder.CreateSwitch(partsOf(op.getCondition()).low, op.getDefaultDest(),
                                    op.getNumCases());
  for (auto choice : op.cases())
    made->addCase(llvm::cast<llvm::ConstantInt>(
                      constantParts(choice.getCaseValue()->getValue()).low),
                  choice.getCaseSuccessor());
  return llvm::Error::success();
}

llvm::Error Legalizer::convert(llvm::Instruction &op) {
  builder.SetInsertPoint(&op);
  if (auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(&op)) {
    set(op, convertBinary(*binary));
    return llvm::Error::success();
  }
  if (auto *test = llvm::dyn_cast<llvm::ICmpInst>(&op)) {
    replace(op, compare(*test));
    return llvm::Error::success();
  }
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&op))
    return convertCast(*cast);
  if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(op))
    return convertMemory(op);
  if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(&op)) {
    Parts a = partsOf(choice->getTrueValue()), b = partsOf(choice->getFalseValue());
    set(op, {select(choice->getCondition(), a.low, b.low),
             a.high ? select(choice->getCondition(), a.high, b.high) : nullptr});
    return llvm::Error::success();
  }
  if (llvm::isa<llvm::FreezeInst>(op)) {
    Parts parts = partsOf(op.getOperand(0));
    set(op, {builder.CreateFreeze(parts.low),
             parts.high ? builder.CreateFreeze(parts.high) : nullptr});
    return llvm::Error::success();
  }
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&op)) {
    unsigned count = phi->getNumIncomingValues();
    set(op, {builder.CreatePHI(wordOf(op.getType()), count),
             isPair(op.getType()) ? builder.CreatePHI(builder.getInt64Ty(), count)
                                  : nullptr});
    phis.push_back(phi);
    return llvm::Error::success();
  }
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&op))
    return convertIntrinsic(*intrinsic);
  if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&op))
    return convertSwitch(*choice);
  return refuse(op);
}

void Legalizer::fillPhis() {
  for (llvm::PHINode *phi : phis) {
    Parts parts = map[phi];
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      Parts incoming = partsOf(phi->getIncomingValue(i));
      llvm::BasicBlock *from = phi->getIncomingBlock(i);
      llvm::cast<llvm::PHINode>(parts.low)->addIncoming(incoming.low, from);
      if (parts.high)
        llvm::cast<llvm::PHINode>(parts.high)->addIncoming(incoming.high, from);
    }
  }
}

/// Divisions of more than 64 bits become loops first.
void expandDivisions(llvm::Function &function) {
  llvm::SmallVector<llvm::BinaryOperator *> divisions;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (instruction.isIntDivRem() && instruction.getType()->getScalarSizeInBits() > 64)
      divisions.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
  for (llvm::BinaryOperator *division : divisions) {
    bool isQuotient = division->getOpcode() == llvm::Instruction::UDiv ||
                      division->getOpcode() == llvm::Instruction::SDiv;
    isQuotient ? llvm::expandDivision(division) : llvm::expandRemainder(division);
  }
}

llvm::Error Legalizer::run() {
  expandDivisions(function);
  llvm::SmallVector<llvm::Instruction *> work;
  llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
  for (llvm::BasicBlock *block : order)
    for (llvm::Instruction &instruction : *block)
      if (isIllegal(instruction.getType()) ||
          llvm::any_of(instruction.operand_values(), [](llvm::Value *operand) {
            return isIllegal(operand->getType());
          }))
        work.push_back(&instruction);
  for (llvm::Instruction *instruction : work) {
    llvm::Type *type = instruction->getType();
    if (type->isIntegerTy() && type->getIntegerBitWidth() > 128)
      return refuse(*instruction);
    if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      builder.SetInsertPoint(gep);
      if (llvm::Error error = convertIndices(*gep))
        return error;
      continue;
    }
    if (llvm::Error error = convert(*instruction))
      return error;
    dead.push_back(instruction);
  }
  fillPhis();
  for (llvm::Instruction *instruction : dead)
    instruction->dropAllReferences();
  for (llvm::Instruction *instruction : dead) {
    if (!instruction->use_empty())
      instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
    instruction->eraseFromParent();
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error legalizeIntegers(llvm::Function &function) {
  return function.isDeclaration() ? llvm::Error::success() : Legalizer(function).run();
}

} // namespace het::spirv
