// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixSlots.h"
#include "het/IR/Matrix.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het::transforms {

bool isMatrixOperation(Operation *sync) {
  return isa<ir::MatrixMultiplyOp, ir::MatrixLoadOp, ir::MatrixStoreOp,
             ir::MatrixTransposeOp>(sync);
}

namespace {

/// The slots of the registers that an operation takes and gives, of one width.
struct Registers {
  /// Adds all that any operation may need: these are neighbours then.
  Registers(FrameLayout &layout, IntegerType type) {
    unsigned most[] = {0, 0};
    for (const ir::MatrixForm &form : ir::matrixForms()) {
      if (form.registerBits() != type.getWidth())
        continue;
      const unsigned sum = form.registersOfSum(ir::MatrixType::F32);
      most[0] = std::max(most[0], form.registersOfA() + form.registersOfB() + sum);
      most[1] = std::max(most[1], sum);
    }
    for (unsigned i = 0; i < most[0]; ++i)
      inputs.push_back(layout.addSlot("matrix" + std::to_string(i), type));
    for (unsigned i = 0; i < most[1]; ++i)
      outputs.push_back(layout.addSlot("matrix_result" + std::to_string(i), type));
  }

  SmallVector<unsigned> inputs, outputs;
};

} // namespace

ExchangeSlots matrixSlots(FrameLayout &layout, Operation *sync) {
  ExchangeSlots slots;
  auto multiply = dyn_cast<ir::MatrixMultiplyOp>(sync);
  const unsigned bits = multiply ? ir::matrixForm(multiply).registerBits() : 32;
  const Registers registers(layout, IntegerType::get(sync->getContext(), bits));
  unsigned next = 0;
  slots.operands.push_back(layout.addSlot("mask", sync->getOperand(0).getType()));
  for (Value operand : llvm::drop_begin(sync->getOperands()))
    slots.operands.push_back(isa<LLVM::LLVMPointerType>(operand.getType())
                                 ? layout.addSlot("address", operand.getType())
                                 : registers.inputs[next++]);
  for (unsigned i = 0; i < sync->getNumResults(); ++i)
    slots.results.push_back(registers.outputs[i]);
  return slots;
}

SmallVector<unsigned> matrixArrays(Operation *sync, const ExchangeSlots &slots) {
  SmallVector<unsigned> arrays{slots.operands[1]};
  if (isa<ir::MatrixStoreOp>(sync))
    arrays.push_back(slots.operands[2]);
  if (!slots.results.empty())
    arrays.push_back(slots.results[0]);
  return arrays;
}

std::string matrixFunction(Operation *sync) {
  return llvm::TypeSwitch<Operation *, std::string>(sync)
      .Case([](ir::MatrixMultiplyOp op) {
        return "matrix_" + ir::matrixElements(op.getAType()).str() + "_" +
               std::to_string(op.getM()) + "_" + std::to_string(op.getN()) + "_" +
               std::to_string(op.getK());
      })
      .Case([](ir::MatrixLoadOp) { return "matrix_load"; })
      .Case([](ir::MatrixStoreOp) { return "matrix_store"; })
      .Default([](Operation *) { return "matrix_transpose"; });
}

/// Whether elements are the second of two types that one function has.
static bool isOther(ir::MatrixType type) {
  return type == ir::MatrixType::S8 || type == ir::MatrixType::S4 ||
         type == ir::MatrixType::E5M2;
}

unsigned matrixFlags(Operation *sync) {
  enum { aIsOther = 1, bIsOther = 2, saturates = 4, cIsHalf = 8, dIsHalf = 16 };
  enum { isAnd = 32, isTransposed = 8 };
  return llvm::TypeSwitch<Operation *, unsigned>(sync)
      .Case([](ir::MatrixMultiplyOp op) {
        return (isOther(op.getAType()) ? aIsOther : 0) |
               (isOther(op.getBType()) ? bIsOther : 0) |
               (op.getSaturate() ? saturates : 0) |
               (op.getCType() == ir::MatrixType::F16 ? cIsHalf : 0) |
               (op.getDType() == ir::MatrixType::F16 ? dIsHalf : 0) |
               (op.getKind() == ir::MatrixKind::AndCount ? isAnd : 0);
      })
      .Case<ir::MatrixLoadOp, ir::MatrixStoreOp>([](auto op) {
        return static_cast<unsigned>(op.getMatrices().size()) |
               (op.getTransposed() ? isTransposed : 0);
      })
      .Default([](Operation *) { return 0u; });
}

} // namespace het::transforms
