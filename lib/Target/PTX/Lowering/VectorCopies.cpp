// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of structures, by the machine's largest accesses that their alignment allows,
// all loads before the first store. LLVM's code generation takes 8 bytes at most, and
// stores each piece before it loads the next, so that the copy waits for memory once for
// each.

#include "Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace het::ptx {
namespace {

struct Access {
  uint64_t offset;
  unsigned bytes;
};

/// The accesses of a copy; none: it is left as it is.
SmallVector<Access> accessesOf(const MemTransferInst &copy) {
  constexpr unsigned widest = 16;
  constexpr size_t most = 16;         // their values are in registers together
  constexpr uint64_t mostBytes = 128; // 32 registers
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  if (!length || copy.isVolatile() || length->getZExtValue() > mostBytes)
    return {};
  const Align alignment =
      std::min(copy.getDestAlign().valueOrOne(), copy.getSourceAlign().valueOrOne());
  unsigned bytes = std::min<uint64_t>(alignment.value(), widest);
  SmallVector<Access> accesses;
  for (uint64_t offset = 0, left = length->getZExtValue(); left; left -= bytes) {
    while (bytes > left)
      bytes /= 2;
    accesses.push_back({offset, bytes});
    offset += bytes;
  }
  return accesses.size() > most ? SmallVector<Access>() : accesses;
}

/// What PTX loads in one instruction.
Type *typeOf(IRBuilder<> &b, unsigned bytes) {
  return bytes > 4 ? FixedVectorType::get(b.getInt32Ty(), bytes / 4)
                   : cast<Type>(b.getIntNTy(bytes * 8));
}

} // namespace

void copyByVectors(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *copy = dyn_cast<MemTransferInst>(&instruction);
      const SmallVector<Access> accesses =
          copy ? accessesOf(*copy) : SmallVector<Access>();
      if (accesses.empty())
        continue;
      IRBuilder<> b(copy);
      auto at = [&](Value *base, uint64_t offset) {
        return offset ? b.CreatePtrAdd(base, b.getInt64(offset)) : base;
      };
      SmallVector<Value *> values;
      for (const auto [offset, bytes] : accesses)
        values.push_back(b.CreateAlignedLoad(
            typeOf(b, bytes), at(copy->getSource(), offset), Align(bytes)));
      for (const auto [access, value] : zip_equal(accesses, values))
        b.CreateAlignedStore(value, at(copy->getDest(), access.offset),
                             Align(access.bytes));
      copy->eraseFromParent();
    }
}

} // namespace het::ptx
