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
  if (depth > maxDepth)
    return false;
  Value *left, *right;
  if (match(value, m_Trunc(m_Value(left))) && left->getType()->isIntegerTy(64) &&
      !isa<TruncInst>(left))
    return add(left, isNegative, depth + 1);
  if (match(value, m_PtrToInt(m_Value(left))))
    return addPointer(left, isNegative);
  if (match(value, m_AddLike(m_Value(left), m_Value(right))))
    return add(left, isNegative, depth + 1) && add(right, isNegative, depth + 1);
  if (match(value, m_Sub(m_Value(left), m_Value(right))))
    return add(left, isNegative, depth + 1) && add(right, !isNegative, depth + 1);
  distances.push_back({value, isNegative});
  return true;
}

bool WordSum::read(Value *word) { return add(word, false, 0) && pointer && hasWindow; }

/// The pointer that a number is, or null.
Value *pointerOf(IntToPtrInst &made) {
  Value *word = nullptr, *window = nullptr;
  if (!match(made.getOperand(0), m_c_Add(m_PtrToInt(m_Value(window)), m_SExt(m_Value(word)))) ||
      !isa<GlobalVariable>(window) || window->getName() != sharedWindowName)
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

PreservedAnalyses SharedAddressesPass::run(Function &function, FunctionAnalysisManager &) {
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
