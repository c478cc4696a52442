// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to shared memory that went through a word of 32 bits, as inline PTX has them:
//
//   window + sext(trunc(pointer) + distance - trunc(window))
//
// is the pointer and the distance. So analyses see which object is accessed, and a kernel
// that is suspended need not keep an address as a number.

#include "SharedAddresses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace het;
using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr unsigned sharedSpace = 3;

namespace {

/// A sum modulo 2^32, as its terms.
class WordSum {
public:
  /// Whether it is one pointer to shared memory, less the window, and a distance.
  bool read(Value *word);

  Value *pointer = nullptr;
  SmallVector<std::pair<Value *, bool>> distances; ///< with whether they are negative

private:
  bool add(Value *value, bool isNegative, unsigned depth);
  bool addPointer(Value *made, bool isNegative);

  bool hasWindow = false;
};

bool WordSum::addPointer(Value *made, bool isNegative) {
  if (isNegative) {
    auto *variable = dyn_cast<GlobalVariable>(made);
    if (hasWindow || !variable || variable->getName() != sharedWindowName)
      return false;
    hasWindow = true;
    return true;
  }
  if (pointer)
    return false;
  pointer = made;
  return made->getType()->getPointerAddressSpace() == sharedSpace;
}

bool WordSum::add(Value *value, bool isNegative, unsigned depth) {
  constexpr unsigned maxDepth = 16;
  auto *op = dyn_cast<Operator>(value); // also a constant's
  auto operand = [&](unsigned index, bool negates = false) {
    return add(op->getOperand(index), isNegative != negates, depth + 1);
  };
  if (!op || depth > maxDepth) {
    distances.push_back({value, isNegative});
    return true;
  }
  switch (op->getOpcode()) {
  case Instruction::PtrToInt:
    return addPointer(op->getOperand(0), isNegative);
  case Instruction::Trunc:
    if (!op->getOperand(0)->getType()->isIntegerTy(64))
      break;
    return operand(0);
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(op)->isDisjoint())
      break;
    return operand(0) && operand(1);
  case Instruction::Add:
    return operand(0) && operand(1);
  case Instruction::Sub:
    return operand(0) && operand(1, /*negates=*/true);
  default:
    break;
  }
  distances.push_back({value, isNegative});
  return true;
}

bool WordSum::read(Value *word) { return add(word, false, 0) && pointer && hasWindow; }

/// The pointer that a number is, or null.
Value *pointerOf(IntToPtrInst &made) {
  Value *word = nullptr, *window = nullptr;
  if (!match(made.getOperand(0), m_c_Add(m_Value(window), m_SExt(m_Value(word)))))
    return nullptr;
  auto *address = dyn_cast<PtrToIntOperator>(window);
  if (!address || address->getPointerOperand()->getName() != sharedWindowName)
    return nullptr;
  WordSum sum;
  if (!sum.read(word))
    return nullptr;
  IRBuilder<> b(&made);
  Value *distance = b.getInt32(0);
  for (auto [value, isNegative] : sum.distances) {
    value = b.CreateZExtOrTrunc(value, b.getInt32Ty());
    distance = isNegative ? b.CreateSub(distance, value) : b.CreateAdd(distance, value);
  }
  return b.CreatePtrAdd(sum.pointer, b.CreateSExt(distance, b.getInt64Ty()));
}

} // namespace

PreservedAnalyses SharedAddressesPass::run(Function &function,
                                           FunctionAnalysisManager &) {
  bool isChanged = false;
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block)) {
      auto *made = dyn_cast<IntToPtrInst>(&instruction);
      if (!made || made->getType()->getPointerAddressSpace() != sharedSpace)
        continue;
      if (Value *pointer = pointerOf(*made)) {
        made->replaceAllUsesWith(pointer);
        made->eraseFromParent();
        isChanged = true;
      }
    }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
