// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of structures that are aligned to 16 bytes, such as float4, go by the machine's
// largest accesses. LLVM's code generation takes 8 bytes at a time.

#include "Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace het::ptx {

static constexpr uint64_t widest = 16; // bytes

/// How many accesses a copy takes; 0: it is left as it is.
static uint64_t countAccesses(const MemTransferInst &copy) {
  constexpr uint64_t most = 8; // their values are in registers together
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  if (!length || copy.isVolatile() || copy.getDestAlign().valueOrOne() < widest ||
      copy.getSourceAlign().valueOrOne() < widest)
    return 0;
  const uint64_t count = length->getZExtValue() / widest;
  return length->getZExtValue() % widest || count > most ? 0 : count;
}

void copyByVectors(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *copy = dyn_cast<MemTransferInst>(&instruction);
      const uint64_t count = copy ? countAccesses(*copy) : 0;
      if (!count)
        continue;
      IRBuilder<> b(copy);
      auto *type = FixedVectorType::get(b.getInt32Ty(), widest / 4);
      auto at = [&](Value *base, uint64_t index) {
        return index ? b.CreatePtrAdd(base, b.getInt64(index * widest)) : base;
      };
      SmallVector<Value *> values;
      for (uint64_t i = 0; i < count; ++i)
        values.push_back(
            b.CreateAlignedLoad(type, at(copy->getSource(), i), Align(widest)));
      for (uint64_t i = 0; i < count; ++i)
        b.CreateAlignedStore(values[i], at(copy->getDest(), i), Align(widest));
      copy->eraseFromParent();
    }
}

} // namespace het::ptx
