// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses become numbers. Vulkan has pointers to buffers alone that are numbers, and
// its shared and local memory hold what they are declared to hold: so these are arrays of
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

  /// Gives the object a place.
  void add(const llvm::GlobalVariable &global) {
    llvm::Type *type = global.getValueType();
    const llvm::Align alignment =
        std::max(global.getAlign().valueOrOne(), layout.getPrefTypeAlign(type));
    const uint64_t begin = llvm::alignTo(bytes.size(), alignment);
    bytes.resize(begin + layout.getTypeAllocSize(type));
    places[&global] = begin;
  }
  uint64_t placeOf(const llvm::GlobalVariable &global) const {
    return places.lookup(&global);
  }
  /// False where it holds what is no number and no place of an object.
  bool write(const llvm::GlobalVariable &global) {
    return write(*global.getInitializer(), placeOf(global));
  }
  /// Adds the list of words that are places, for whoever knows where the bytes lie.
  void finish() {
    if (bytes.empty())
      return;
    bytes.resize(llvm::alignTo(bytes.size(), 8));
    relocated.push_back(relocated.size());
    for (uint64_t word : relocated)
      bytes.append(reinterpret_cast<const char *>(&word), sizeof(word));
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
    if (type->isPointerTy() || llvm::isa<llvm::ConstantExpr>(constant))
      return writeAddress(constant, at);
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
      bytes[at] = static_cast<char>(
          bits.extractBitsAsZExtValue(std::min(8u, bits.getBitWidth() - bit), bit));
    return true;
  }

  bool writeAddress(const llvm::Constant &constant, uint64_t at) {
    const llvm::Constant *pointer = &constant;
    // The number of a function, or a pointer that is made of one.
    if (auto *cast = llvm::dyn_cast<llvm::ConstantExpr>(pointer);
        cast && cast->getOpcode() == llvm::Instruction::IntToPtr)
      if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0)))
        return writeBits(number->getValue().zextOrTrunc(64), at);
    if (auto *cast = llvm::dyn_cast<llvm::ConstantExpr>(pointer);
        cast && cast->getOpcode() == llvm::Instruction::PtrToInt &&
        cast->getType()->isIntegerTy(64))
      pointer = cast->getOperand(0);
    if (!pointer->getType()->isPointerTy())
      return false;
    llvm::APInt offset(64, 0);
    auto *object = llvm::dyn_cast<llvm::GlobalVariable>(
        pointer
            ->stripAndAccumulateConstantOffsets(layout, offset,
                                                /*AllowNonInbounds=*/true)
            ->stripPointerCasts());
    if (!object || !places.contains(object))
      return false;
    relocated.push_back(at);
    return writeBits(offset + placeOf(*object), at);
  }

  const llvm::DataLayout &layout;
  std::string &bytes;
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> places;
  llvm::SmallVector<uint64_t> relocated;
};

llvm::Error layOutConstants(llvm::Module &module, ConstantBytes &constants) {
  for (llvm::GlobalVariable &global : module.globals()) {
    if (!global.hasInitializer() || !global.isConstant())
      return llvm::createStringError(
          "the object '" + target::sourceName(global) +
          "', which is no constant: Vulkan has no place for it");
    constants.add(global);
  }
  for (llvm::GlobalVariable &global : module.globals())
    if (!constants.write(global))
      return llvm::createStringError("the constant '" + target::sourceName(global) +
                                     "' holds what is no number and no address of one");
  constants.finish();
  return llvm::Error::success();
}

llvm::Error lowerConstants(llvm::Module &module, std::string &bytes) {
  llvm::SmallVector<llvm::Constant *> all;
  for (llvm::GlobalVariable &global : module.globals())
    all.push_back(&global);
  llvm::convertUsersOfConstantsToInstructions(all);
  for (bool isDone = false; !isDone;) { // one may be used by another one alone
    isDone = true;
    for (llvm::GlobalVariable &global : llvm::make_early_inc_range(module.globals())) {
      global.removeDeadConstantUsers();
      if (!global.use_empty())
        continue;
      global.eraseFromParent();
      isDone = false;
    }
  }
  ConstantBytes constants(module.getDataLayout(), bytes);
  if (llvm::Error error = layOutConstants(module, constants))
    return error;
  llvm::IRBuilder<> builder(module.getContext());
  auto base = module.getOrInsertFunction(constantsName, builder.getInt64Ty());
  for (llvm::GlobalVariable &global : module.globals())
    for (llvm::Use &use : llvm::make_early_inc_range(global.uses())) {
      if (!llvm::isa<llvm::Instruction>(use.getUser()))
        continue; // of another constant
      builder.SetInsertPoint(placeOf(use));
      llvm::Value *address = builder.CreateAdd(
          builder.CreateCall(base), builder.getInt64(constants.placeOf(global)));
      use.set(builder.CreateIntToPtr(address, global.getType()));
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
