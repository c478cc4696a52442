// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a device without 64-bit floating point: what computes with such numbers becomes
// calls of the device library's floating point in integers
// (runtime/devicelib/SoftFloat.h), and then there are only moves (MoveDoubles.cpp). It is
// LLVM IR, not hetIR, that is emulated, since the device library's own functions compute
// with such numbers too, and what the optimiser has folded need not be emulated.

#include "../../../Support/Lowering/TargetLowering.h"
#include "../Passes.h"
#include "Doubles.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

namespace het::spirv {
namespace {

using Operands = llvm::ArrayRef<llvm::Value *>;

/// Emulates one instruction, over scalars: that of a vector is put together.
class Emulation {
public:
  explicit Emulation(llvm::Instruction &instruction)
      : instruction(instruction), builder(&instruction),
        type(instruction.getType()->getScalarType()) {}

  /// The result; null: there is no emulation.
  llvm::Value *run();

private:
  using Op = llvm::Instruction;
  llvm::Value *emulate(Operands operands);
  llvm::Value *compare(llvm::Value *a, llvm::Value *b);
  llvm::Value *fromInteger(llvm::Value *integer, bool isSigned);
  llvm::Value *toInteger(llvm::Value *number, bool isSigned, bool saturates);
  llvm::Value *emulateCall(llvm::IntrinsicInst &call, Operands operands);

  llvm::Value *call(llvm::StringRef name, llvm::Type *result, Operands operands);
  /// Computes a 64-bit number from others.
  llvm::Value *compute(llvm::StringRef name, Operands operands) {
    return fromBits(call((name + "_f64").str(), builder.getInt64Ty(), operands));
  }
  llvm::Value *holds(llvm::StringRef name, llvm::Value *a, llvm::Value *b) {
    return builder.CreateIsNotNull(
        call((name + "_f64").str(), builder.getInt32Ty(), {a, b}));
  }
  llvm::Value *fromBits(llvm::Value *bits) { return builder.CreateBitCast(bits, type); }

  llvm::Instruction &instruction;
  llvm::IRBuilder<> builder;
  llvm::Type *type; ///< of the result, or of its elements
};

llvm::Value *Emulation::call(llvm::StringRef name, llvm::Type *result,
                             Operands operands) {
  llvm::SmallVector<llvm::Value *> arguments;
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *operand : operands) {
    if (operand->getType()->isDoubleTy())
      operand = builder.CreateBitCast(operand, builder.getInt64Ty());
    arguments.push_back(operand);
    types.push_back(operand->getType());
  }
  auto function = instruction.getModule()->getOrInsertFunction(
      ("__het_soft_" + name).str(), llvm::FunctionType::get(result, types, false));
  return builder.CreateCall(function, arguments);
}

/// A predicate is one of four, of the numbers in one or the other order, or not one.
llvm::Value *Emulation::compare(llvm::Value *a, llvm::Value *b) {
  using Predicate = llvm::CmpInst::Predicate;
  switch (llvm::cast<llvm::FCmpInst>(instruction).getPredicate()) {
  case Predicate::FCMP_OEQ:
    return holds("eq", a, b);
  case Predicate::FCMP_UNE:
    return builder.CreateNot(holds("eq", a, b));
  case Predicate::FCMP_OLT:
    return holds("lt", a, b);
  case Predicate::FCMP_UGE:
    return builder.CreateNot(holds("lt", a, b));
  case Predicate::FCMP_OGT:
    return holds("lt", b, a);
  case Predicate::FCMP_ULE:
    return builder.CreateNot(holds("lt", b, a));
  case Predicate::FCMP_OLE:
    return holds("le", a, b);
  case Predicate::FCMP_UGT:
    return builder.CreateNot(holds("le", a, b));
  case Predicate::FCMP_OGE:
    return holds("le", b, a);
  case Predicate::FCMP_ULT:
    return builder.CreateNot(holds("le", b, a));
  case Predicate::FCMP_UNO:
    return holds("uno", a, b);
  case Predicate::FCMP_ORD:
    return builder.CreateNot(holds("uno", a, b));
  case Predicate::FCMP_UEQ:
    return builder.CreateOr(holds("eq", a, b), holds("uno", a, b));
  case Predicate::FCMP_ONE:
    return builder.CreateNot(builder.CreateOr(holds("eq", a, b), holds("uno", a, b)));
  default:
    return builder.getInt1(llvm::cast<llvm::FCmpInst>(instruction).getPredicate() ==
                           Predicate::FCMP_TRUE);
  }
}

llvm::Value *Emulation::fromInteger(llvm::Value *integer, bool isSigned) {
  unsigned bits = integer->getType()->getIntegerBitWidth();
  if (bits > 64)
    return nullptr;
  unsigned word = bits > 32 ? 64 : 32;
  llvm::Value *extended =
      builder.CreateIntCast(integer, builder.getIntNTy(word), isSigned);
  std::string name =
      std::string("f64_from_") + (isSigned ? "i" : "u") + std::to_string(word);
  return fromBits(call(name, builder.getInt64Ty(), extended));
}

/// A number out of range for an instruction gives poison: the nearest integer will do.
llvm::Value *Emulation::toInteger(llvm::Value *number, bool isSigned, bool saturates) {
  unsigned bits = type->getIntegerBitWidth();
  if (bits > 64)
    return nullptr;
  unsigned word = bits > 32 ? 64 : 32;
  std::string name = (isSigned ? "i" : "u") + std::to_string(word) + "_from_f64";
  llvm::Type *wordType = builder.getIntNTy(word);
  llvm::Value *integer = call(name, wordType, number);
  if (saturates && bits < word) {
    auto bound = [&](const llvm::APInt &value) {
      return llvm::ConstantInt::get(wordType,
                                    isSigned ? value.sext(word) : value.zext(word));
    };
    using llvm::APInt;
    integer = builder.CreateBinaryIntrinsic(
        isSigned ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, integer,
        bound(isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)));
    if (isSigned)
      integer = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, integer,
                                              bound(APInt::getSignedMinValue(bits)));
  }
  return builder.CreateTrunc(integer, type);
}

llvm::Value *Emulation::emulateCall(llvm::IntrinsicInst &intrinsic, Operands operands) {
  switch (intrinsic.getIntrinsicID()) {
  case llvm::Intrinsic::sqrt:
    return compute("sqrt", operands);
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd: // fused, as hetIR has it
    return compute("fma", operands);
  case llvm::Intrinsic::floor:
    return compute("floor", operands);
  case llvm::Intrinsic::ceil:
    return compute("ceil", operands);
  case llvm::Intrinsic::trunc:
    return compute("trunc", operands);
  case llvm::Intrinsic::round:
    return compute("round", operands);
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
  case llvm::Intrinsic::roundeven:
    return compute("rint", operands);
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::minimumnum:
    return compute("minnum", operands);
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::maximumnum:
    return compute("maxnum", operands);
  case llvm::Intrinsic::minimum:
    return compute("minimum", operands);
  case llvm::Intrinsic::maximum:
    return compute("maximum", operands);
  case llvm::Intrinsic::fptosi_sat:
    return toInteger(operands[0], /*isSigned=*/true, /*saturates=*/true);
  case llvm::Intrinsic::fptoui_sat:
    return toInteger(operands[0], /*isSigned=*/false, /*saturates=*/true);
  default:
    return nullptr;
  }
}

llvm::Value *Emulation::emulate(Operands operands) {
  switch (instruction.getOpcode()) {
  case Op::FAdd:
    return compute("add", operands);
  case Op::FSub:
    return compute("sub", operands);
  case Op::FMul:
    return compute("mul", operands);
  case Op::FDiv:
    return compute("div", operands);
  case Op::FRem:
    return compute("rem", operands);
  case Op::FCmp:
    return compare(operands[0], operands[1]);
  case Op::FPTrunc:
    if (type->isFloatTy())
      return fromBits(call("f32_from_f64", builder.getInt32Ty(), operands));
    if (type->isHalfTy())
      return fromBits(call("f16_from_f64", builder.getInt16Ty(), operands));
    return nullptr;
  case Op::SIToFP:
  case Op::UIToFP:
    return fromInteger(operands[0], instruction.getOpcode() == Op::SIToFP);
  case Op::FPToSI:
  case Op::FPToUI:
    return toInteger(operands[0], instruction.getOpcode() == Op::FPToSI,
                     /*saturates=*/false);
  default:
    break;
  }
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return emulateCall(*intrinsic, operands);
  return nullptr;
}

llvm::Value *Emulation::run() {
  if (auto *test = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      test && test->getIntrinsicID() == llvm::Intrinsic::is_fpclass)
    return testClass(*test);
  llvm::SmallVector<llvm::Value *> operands(instruction.operand_values());
  if (auto *intrinsic = llvm::dyn_cast<llvm::CallInst>(&instruction))
    operands.assign(intrinsic->arg_begin(), intrinsic->arg_end());
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  if (!vector)
    return emulate(operands);
  llvm::Value *result = llvm::PoisonValue::get(vector);
  for (unsigned index = 0; index < vector->getNumElements(); ++index) {
    llvm::SmallVector<llvm::Value *> elements;
    for (llvm::Value *operand : operands)
      elements.push_back(operand->getType()->isVectorTy()
                             ? builder.CreateExtractElement(operand, index)
                             : operand);
    llvm::Value *element = emulate(elements);
    if (!element)
      return nullptr;
    result = builder.CreateInsertElement(result, element, index);
  }
  return result;
}

llvm::Error refuse(const llvm::Instruction &instruction) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << instruction;
  return llvm::createStringError(
      "64-bit floating point that this device lacks and that can not be emulated:%s",
      text.c_str());
}

/// A driver would inline them all, and take minutes for large kernels.
void keepApart(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (function.getName().starts_with("__het_soft_") && !function.isDeclaration()) {
      function.removeFnAttr(llvm::Attribute::AlwaysInline);
      function.addFnAttr(llvm::Attribute::NoInline);
    }
}

/// Brings what was put together into the forms that LLVM's back end is used to: it gets
/// an extension of a truncation wrong where the widths differ.
void tidy(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::DCEPass());
  target::runOnFunctions(module, machine, std::move(passes));
}

} // namespace

llvm::Error emulateDoubles(llvm::Module &module, llvm::TargetMachine &machine,
                           llvm::StringRef devicelibPath) {
  llvm::SmallVector<llvm::Instruction *> computing;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (usesDouble(instruction) && !movesDouble(instruction))
        computing.push_back(&instruction);
  if (computing.empty()) {
    moveDoubles(module);
    return llvm::Error::success();
  }
  for (llvm::Instruction *instruction : computing) {
    llvm::Value *result = Emulation(*instruction).run();
    if (!result)
      return refuse(*instruction);
    instruction->replaceAllUsesWith(result);
    instruction->eraseFromParent();
  }
  if (llvm::Error error = target::linkDeviceLibrary(module, devicelibPath))
    return error;
  keepApart(module);
  moveDoubles(module);
  tidy(module, machine);
  return llvm::Error::success();
}

} // namespace het::spirv
