// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vulkan's Fma may round twice, and its quotients and roots are a few ULP off. Where a
// device promises nothing better, functions compute them: of 32 bits by numbers of 64
// (DeviceCode.c), of 64 bits by integers (runtime/devicelib/SoftFloat.h). Those of 16
// bits go by wider ones.
//
// Source: Vulkan specification, "Precision and Operation of SPIR-V Instructions".

#include "../../../Support/Lowering/TargetLowering.h"
#include "Vulkan.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace het::spirv {
namespace {

using Op = llvm::Instruction;

enum class Operation { None, Fma, Divide, Root, Remainder, Narrow };

Operation operationOf(const llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (call->getIntrinsicID() == llvm::Intrinsic::fma)
      return Operation::Fma;
    return call->getIntrinsicID() == llvm::Intrinsic::sqrt ? Operation::Root
                                                           : Operation::None;
  }
  switch (instruction.getOpcode()) {
  case Op::FDiv:
    return Operation::Divide;
  case Op::FRem:
    return Operation::Remainder;
  case Op::FPTrunc:
    // By 32 bits it would be rounded twice.
    return instruction.getType()->isHalfTy() &&
                   instruction.getOperand(0)->getType()->isDoubleTy()
               ? Operation::Narrow
               : Operation::None;
  default:
    return Operation::None;
  }
}

class ExactOperation {
public:
  ExactOperation(llvm::Instruction &instruction, Operation operation)
      : instruction(instruction), operation(operation), builder(&instruction),
        type(instruction.getType()) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const unsigned count = call ? call->arg_size() : instruction.getNumOperands();
    operands.append(instruction.op_begin(), instruction.op_begin() + count);
  }

  /// Null: it stays as it is.
  llvm::Value *run(const Machine &machine) {
    if (operation == Operation::Narrow)
      return soft("f16_from_f64", builder.getHalfTy());
    if (type->isHalfTy())
      return byWider();
    if (operation == Operation::Remainder)
      return soft(name("rem"), type);
    if (operation == Operation::Fma ? machine.fusesExactly : machine.dividesExactly)
      return nullptr;
    if (type->isFloatTy() && !(machine.lacks & *lackNamed("nofp64")))
      return own();
    return soft(operation == Operation::Fma      ? name("fma")
                : operation == Operation::Divide ? name("div")
                                                 : name("sqrt"),
                type);
  }

private:
  std::string name(llvm::StringRef what) const {
    return (what + (type->isFloatTy() ? "_f32" : "_f64")).str();
  }
  llvm::Value *callFunction(llvm::StringRef called, llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> values) {
    llvm::SmallVector<llvm::Type *> types;
    for (llvm::Value *value : values)
      types.push_back(value->getType());
    return builder.CreateCall(instruction.getModule()->getOrInsertFunction(
                                  called, llvm::FunctionType::get(result, types, false)),
                              values);
  }
  llvm::Value *soft(const std::string &called, llvm::Type *result) {
    llvm::SmallVector<llvm::Value *> bits;
    for (llvm::Value *operand : operands)
      bits.push_back(builder.CreateBitCast(
          operand, builder.getIntNTy(operand->getType()->getScalarSizeInBits())));
    llvm::Value *made = callFunction(
        "__het_soft_" + called, builder.getIntNTy(result->getScalarSizeInBits()), bits);
    return builder.CreateBitCast(made, result);
  }
  llvm::Value *own() {
    return callFunction(operation == Operation::Fma      ? "__het_spirv_fma"
                        : operation == Operation::Divide ? "__het_spirv_divide"
                                                         : "__het_spirv_root",
                        type, operands);
  }

  /// A quotient or root of 32 bits rounds as the exact one would; so does the sum of a
  /// product, in 64.
  llvm::Value *byWider() {
    const bool isFma = operation == Operation::Fma;
    llvm::Type *wide = isFma ? builder.getDoubleTy() : builder.getFloatTy();
    for (llvm::Value *&operand : operands)
      operand = builder.CreateFPExt(operand, wide);
    type = wide;
    if (isFma) {
      llvm::Value *sum =
          builder.CreateFAdd(builder.CreateFMul(operands[0], operands[1]), operands[2]);
      operands = {sum};
      return soft("f16_from_f64", builder.getHalfTy());
    }
    llvm::Value *made =
        operation == Operation::Remainder ? soft(name("rem"), type) : own();
    return builder.CreateFPTrunc(made, builder.getHalfTy());
  }

  llvm::Instruction &instruction;
  const Operation operation;
  llvm::IRBuilder<> builder;
  llvm::Type *type;
  llvm::SmallVector<llvm::Value *, 3> operands;
};

} // namespace

llvm::Error makeExact(llvm::Module &module, const Machine &machine,
                      llvm::StringRef devicelibPath) {
  llvm::SmallVector<llvm::Instruction *> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (operationOf(instruction) != Operation::None)
        found.push_back(&instruction);
  for (llvm::Instruction *instruction : found)
    if (llvm::Value *value =
            ExactOperation(*instruction, operationOf(*instruction)).run(machine)) {
      instruction->replaceAllUsesWith(value);
      instruction->eraseFromParent();
    }
  if (llvm::Error error = target::linkDeviceCode(module, deviceCodeBytes()))
    return error;
  return target::linkDeviceLibrary(module, devicelibPath);
}

} // namespace het::spirv
