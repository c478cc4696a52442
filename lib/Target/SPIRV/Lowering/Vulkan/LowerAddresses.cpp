// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses become numbers. Vulkan has pointers to buffers alone that are numbers, and its
// shared and local memory hold what they are declared to hold: so these are arrays of
// words of 32 bits, and accesses of them ones of words. A generic pointer is looked at
// where it is used (Vulkan.h).

#include "../../../Support/Lowering/KernelLowering.h"
#include "Vulkan.h"
#include "WordAccess.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Endian.h"

namespace het::spirv {
namespace {

constexpr uint64_t most = 1 << 20; // bytes of local memory

llvm::Instruction *placeOf(llvm::Use &use) {
  auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi ? phi->getIncomingBlock(use)->getTerminator() : user;
}

void lowerOffsets(llvm::Function &function) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (!gep || gep->getType()->isVectorTy())
      continue;
    llvm::IRBuilder<> builder(gep);
    llvm::Value *offset = llvm::emitGEPOffset(&builder, function.getDataLayout(), gep);
    llvm::Value *base =
        builder.CreatePtrToInt(gep->getPointerOperand(), builder.getInt64Ty());
    gep->replaceAllUsesWith(
        builder.CreateIntToPtr(builder.CreateAdd(base, offset), gep->getType()));
    gep->eraseFromParent();
  }
}

/// Objects of the module are constants, whose bytes lie in memory beside the code.
class ConstantBytes {
public:
  ConstantBytes(const llvm::DataLayout &layout, std::string &bytes)
      : layout(layout), bytes(bytes) {}

  /// Where the object lies; nothing where it holds an address.
  std::optional<uint64_t> add(const llvm::GlobalVariable &global) {
    llvm::Type *type = global.getValueType();
    const llvm::Align alignment =
        std::max(global.getAlign().valueOrOne(), layout.getPrefTypeAlign(type));
    const uint64_t begin = llvm::alignTo(bytes.size(), alignment);
    bytes.resize(begin + layout.getTypeAllocSize(type));
    if (!write(*global.getInitializer(), begin))
      return std::nullopt;
    return begin;
  }

private:
  bool write(const llvm::Constant &constant, uint64_t at) {
    if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant))
      return true;
    llvm::Type *type = constant.getType();
    if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
      return writeBits(integer->getValue(), at);
    if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
      return writeBits(number->getValueAPF().bitcastToAPInt(), at);
    if (!type->isAggregateType() && !type->isVectorTy())
      return false;
    auto *structure = llvm::dyn_cast<llvm::StructType>(type);
    for (unsigned index = 0; llvm::Constant *part = constant.getAggregateElement(index);
         ++index) {
      const uint64_t offset =
          structure
              ? layout.getStructLayout(structure)->getElementOffset(index).getFixedValue()
              : index * layout.getTypeAllocSize(part->getType()).getFixedValue();
      if (!write(*part, at + offset))
        return false;
    }
    return true;
  }
  bool writeBits(const llvm::APInt &bits, uint64_t at) {
    for (unsigned bit = 0; bit < bits.getBitWidth(); bit += 8, ++at)
      bytes[at] = static_cast<char>(bits.extractBitsAsZExtValue(
          std::min(8u, bits.getBitWidth() - bit), bit));
    return true;
  }

  const llvm::DataLayout &layout;
  std::string &bytes;
};

llvm::Error lowerConstants(llvm::Module &module, std::string &bytes) {
  llvm::SmallVector<llvm::Constant *> all;
  for (llvm::GlobalVariable &global : module.globals())
    all.push_back(&global);
  llvm::convertUsersOfConstantsToInstructions(all);
  llvm::IRBuilder<> builder(module.getContext());
  ConstantBytes constants(module.getDataLayout(), bytes);
  for (llvm::GlobalVariable &global : llvm::make_early_inc_range(module.globals())) {
    global.removeDeadConstantUsers();
    if (global.use_empty()) {
      global.eraseFromParent();
      continue;
    }
    const llvm::StringRef name = target::sourceName(global);
    if (!global.hasInitializer() || !global.isConstant())
      return llvm::createStringError("the object '" + name +
                                     "', which is no constant: Vulkan has no place for it");
    const std::optional<uint64_t> place = constants.add(global);
    if (!place)
      return llvm::createStringError("the constant '" + name +
                                     "' holds an address: not done for Vulkan yet");
    auto base = module.getOrInsertFunction(constantsName, builder.getInt64Ty());
    for (llvm::Use &use : llvm::make_early_inc_range(global.uses())) {
      builder.SetInsertPoint(placeOf(use));
      llvm::Value *address =
          builder.CreateAdd(builder.CreateCall(base), builder.getInt64(*place));
      use.set(builder.CreateIntToPtr(address, global.getType()));
    }
    global.eraseFromParent();
  }
  return llvm::Error::success();
}

/// A thread's local objects have fixed places: no function calls itself.
llvm::Error lowerObjects(llvm::Module &module, uint64_t &bytes) {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!object)
        continue;
      auto size = object->getAllocationSize(layout);
      if (!size)
        return llvm::createStringError("local memory whose size is not constant");
      bytes = llvm::alignTo(bytes, std::max(object->getAlign(), llvm::Align(4)));
      llvm::Type *number = llvm::Type::getInt64Ty(module.getContext());
      object->replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(
          llvm::ConstantInt::get(number, uint64_t(localMark) << 32 | bytes),
          object->getType()));
      object->eraseFromParent();
      bytes += size->getFixedValue();
      if (bytes > most)
        return llvm::createStringError("more than 1 MiB of local memory in a thread");
    }
  return llvm::Error::success();
}

/// Whether a generic pointer may lead to shared or local memory.
bool mayLeadElsewhere(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (!llvm::isa<llvm::AddrSpaceCastInst, llvm::PtrToIntInst>(instruction))
        continue;
      const unsigned space =
          instruction.getOperand(0)->getType()->getScalarType()->getPointerAddressSpace();
      if (space == ir::sharedSpace || space == ir::localSpace)
        return true;
    }
  return false;
}

llvm::Error checkOperands(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      for (llvm::Use &operand : instruction.operands()) {
        auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        auto *used = llvm::dyn_cast<llvm::Function>(operand.get());
        if (used && !(call && call->isCallee(&operand)))
          return llvm::createStringError("the address of the function '" +
                                         target::sourceName(*used) +
                                         "': SPIR-V has none");
      }
  return llvm::Error::success();
}

} // namespace

llvm::Error lowerAddresses(llvm::Module &module, std::string &constants,
                           uint32_t &localWords) {
  const bool isGenericGlobal = !mayLeadElsewhere(module);
  uint64_t localBytes = 0;
  if (llvm::Error error = lowerConstants(module, constants))
    return error;
  if (llvm::Error error = lowerObjects(module, localBytes))
    return error;
  localWords = static_cast<uint32_t>((localBytes + 3) / 4);
  for (llvm::Function &function : module)
    lowerOffsets(function);
  if (llvm::Error error = checkOperands(module))
    return error;
  return lowerAccesses(module, isGenericGlobal);
}

} // namespace het::spirv
