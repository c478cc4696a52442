// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the terms of sums.

#include "LargeSums.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Instructions.h"

namespace het::target {

using Counts = llvm::DenseMap<const llvm::Value *, uint64_t>;

/// How many terms a value has as a sum, where sums in it count with their own. A value
/// that is no sum is one.
static uint64_t countTerms(const llvm::Instruction &value, const Counts &counts) {
  constexpr uint64_t most = 10000;
  auto of = [&](unsigned operand) {
    auto found = counts.find(value.getOperand(operand));
    return found == counts.end() ? 1 : found->second;
  };
  switch (value.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
    return std::min(of(0) + of(1), most);
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
    return llvm::isa<llvm::Constant>(value.getOperand(1)) ? of(0) : 1;
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Trunc:
    return of(0);
  default:
    return 1;
  }
}

static bool hasLarge(const llvm::Function &function) {
  constexpr uint64_t large = 1000000;
  uint64_t squares = 0;
  Counts counts;
  for (const llvm::BasicBlock *block :
       llvm::ReversePostOrderTraversal<const llvm::Function *>(&function))
    for (const llvm::Instruction &value : *block)
      if (uint64_t count = countTerms(value, counts); count > 1) {
        counts[&value] = count;
        squares += count * count;
      }
  return squares > large;
}

KeepLargeSums::KeepLargeSums(const llvm::Module &module)
    : context(module.getContext()), before(context.getOptPassGate()),
      hasLargeSums(llvm::any_of(module, [](const llvm::Function &function) {
        return !function.isDeclaration() && hasLarge(function);
      })) {
  context.setOptPassGate(*this);
}

KeepLargeSums::~KeepLargeSums() { context.setOptPassGate(before); }

bool KeepLargeSums::shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) const {
  if (hasLargeSums && pass == "slsr")
    return false;
  return !before.isEnabled() || before.shouldRunPass(pass, unit);
}

} // namespace het::target
