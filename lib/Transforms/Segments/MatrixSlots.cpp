// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixSlots.h"
#include "het/IR/Matrix.h"

using namespace mlir;

namespace het::transforms {

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

} // namespace het::transforms
