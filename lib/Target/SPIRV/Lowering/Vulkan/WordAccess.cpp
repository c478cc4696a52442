// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores: of global memory in pieces that are aligned as their size asks for,
// of shared and local memory by words of 32 bits.

#include "WordAccess.h"
#include "Vulkan.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace het::spirv {
namespace {

/// An access of an integer of 1, 2, 4 or 8 bytes.
struct Access {
  unsigned space, bytes, alignment;
  bool isVolatile;
};

/// How many parts a vector, structure or array has; 0: it is a number.
unsigned countOf(llvm::Type &type) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    return vector->getNumElements();
  if (type.isStructTy())
    return type.getStructNumElements();
  return type.isArrayTy() ? type.getArrayNumElements() : 0;
}

class Accesses {
public:
  Accesses(llvm::Module &module, bool isGenericGlobal)
      : module(module), isGenericGlobal(isGenericGlobal), builder(module.getContext()) {}

  llvm::Error lower(llvm::Instruction &instruction);

private:
  void splitParts(llvm::Instruction &instruction, llvm::Type &type,
                  llvm::SmallVectorImpl<llvm::Instruction *> &made);
  llvm::Instruction *widenTruth(llvm::Instruction &instruction);
  llvm::Value *load(const Access &access, llvm::Value *address);
  void store(const Access &access, llvm::Value *address, llvm::Value *value);
  llvm::Value *loadWhole(const Access &access, llvm::Value *address);
  void storeWhole(const Access &access, llvm::Value *address, llvm::Value *value);
  llvm::Value *loadWord(const Access &access, llvm::Value *index);
  void storeWord(const Access &access, llvm::Value *index, llvm::Value *value);
  void storePart(const Access &access, llvm::Value *address, llvm::Value *value);
  llvm::Function *exchangePart();
  llvm::Function *dispatch(const Access &access, bool isStore);
  void dispatchIn(llvm::Function &function, const Access &access, bool isStore);

  llvm::IntegerType *integer(unsigned bytes) { return builder.getIntNTy(8 * bytes); }
  llvm::Value *low(llvm::Value *address) {
    return builder.CreateTrunc(address, builder.getInt32Ty());
  }
  llvm::Value *indexOf(llvm::Value *address) {
    return builder.CreateLShr(low(address), 2);
  }
  /// How far a part lies from the beginning of its word, in bits.
  llvm::Value *shiftOf(llvm::Value *address) {
    return builder.CreateShl(builder.CreateAnd(low(address), 3), 3);
  }
  static bool isWhole(const Access &access) {
    const bool isWords = access.space != ir::globalSpace;
    return access.alignment >= access.bytes || (isWords && access.alignment >= 4);
  }

  llvm::Module &module;
  const bool isGenericGlobal;
  llvm::IRBuilder<> builder;
};

llvm::Value *Accesses::loadWord(const Access &access, llvm::Value *index) {
  llvm::Type *word = builder.getInt32Ty();
  if (access.space == ir::localSpace)
    return builder.CreateCall(module.getOrInsertFunction(loadLocalName, word, word),
                              index);
  auto function =
      module.getOrInsertFunction(loadSharedName, word, word, builder.getInt1Ty());
  return builder.CreateCall(function, {index, builder.getInt1(access.isVolatile)});
}

void Accesses::storeWord(const Access &access, llvm::Value *index, llvm::Value *value) {
  llvm::Type *word = builder.getInt32Ty(), *nothing = builder.getVoidTy();
  if (access.space == ir::localSpace) {
    builder.CreateCall(module.getOrInsertFunction(storeLocalName, nothing, word, word),
                       {index, value});
    return;
  }
  auto function = module.getOrInsertFunction(storeSharedName, nothing, word, word,
                                             builder.getInt1Ty());
  builder.CreateCall(function, {index, value, builder.getInt1(access.isVolatile)});
}

llvm::Value *Accesses::loadWhole(const Access &access, llvm::Value *address) {
  if (access.space == ir::globalSpace) {
    llvm::Value *pointer = builder.CreateIntToPtr(
        address, llvm::PointerType::get(module.getContext(), ir::globalSpace));
    return builder.CreateAlignedLoad(integer(access.bytes), pointer,
                                     llvm::Align(access.alignment), access.isVolatile);
  }
  llvm::Value *index = indexOf(address), *word = loadWord(access, index);
  if (access.bytes < 4)
    return builder.CreateTrunc(builder.CreateLShr(word, shiftOf(address)),
                               integer(access.bytes));
  if (access.bytes == 4)
    return word;
  llvm::Value *next = loadWord(access, builder.CreateAdd(index, builder.getInt32(1)));
  llvm::Value *upper = builder.CreateShl(builder.CreateZExt(next, integer(8)), 32);
  return builder.CreateOr(builder.CreateZExt(word, integer(8)), upper);
}

/// Exchanges a part of a word of shared memory, whose other parts other threads write:
///   do old = word; while (!swap(word, old, old with the part));
llvm::Function *Accesses::exchangePart() {
  const std::string name = (vulkanPrefix + "store_part").str();
  if (llvm::Function *made = module.getFunction(name))
    return made;
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *word = builder.getInt32Ty(), *wide = builder.getInt64Ty();
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {wide, word, word}, false),
      llvm::GlobalValue::InternalLinkage, name, module);
  llvm::Value *address = function->getArg(0), *value = function->getArg(1),
              *mask = function->getArg(2);
  auto *entry = llvm::BasicBlock::Create(context, "", function),
       *swap = llvm::BasicBlock::Create(context, "", function),
       *end = llvm::BasicBlock::Create(context, "", function);
  llvm::IRBuilder<>::InsertPointGuard guard(builder);
  builder.SetInsertPoint(entry);
  llvm::Value *pointer =
      builder.CreateIntToPtr(builder.CreateAnd(address, ~uint64_t(3)),
                             llvm::PointerType::get(context, ir::sharedSpace));
  llvm::Value *first =
      loadWord({ir::sharedSpace, 4, 4, /*isVolatile=*/true}, indexOf(address));
  builder.CreateBr(swap);
  builder.SetInsertPoint(swap);
  llvm::PHINode *old = builder.CreatePHI(word, 2);
  llvm::Value *wanted =
      builder.CreateOr(builder.CreateAnd(old, builder.CreateNot(mask)), value);
  constexpr llvm::AtomicOrdering relaxed = llvm::AtomicOrdering::Monotonic;
  auto *pair =
      builder.CreateAtomicCmpXchg(pointer, old, wanted, llvm::Align(4), relaxed, relaxed,
                                  context.getOrInsertSyncScopeID("workgroup"));
  old->addIncoming(first, entry);
  old->addIncoming(builder.CreateExtractValue(pair, 0), swap);
  builder.CreateCondBr(builder.CreateExtractValue(pair, 1), end, swap);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  return function;
}

void Accesses::storePart(const Access &access, llvm::Value *address, llvm::Value *value) {
  llvm::Value *shift = shiftOf(address);
  llvm::Value *mask =
      builder.CreateShl(builder.getInt32(access.bytes == 1 ? 0xFF : 0xFFFF), shift);
  llvm::Value *part =
      builder.CreateShl(builder.CreateZExt(value, builder.getInt32Ty()), shift);
  if (access.space == ir::sharedSpace) {
    builder.CreateCall(exchangePart(), {address, part, mask});
    return;
  }
  llvm::Value *index = indexOf(address);
  llvm::Value *others =
      builder.CreateAnd(loadWord(access, index), builder.CreateNot(mask));
  storeWord(access, index, builder.CreateOr(others, part));
}

void Accesses::storeWhole(const Access &access, llvm::Value *address,
                          llvm::Value *value) {
  if (access.space == ir::globalSpace) {
    llvm::Value *pointer = builder.CreateIntToPtr(
        address, llvm::PointerType::get(module.getContext(), ir::globalSpace));
    builder.CreateAlignedStore(value, pointer, llvm::Align(access.alignment),
                               access.isVolatile);
    return;
  }
  if (access.bytes < 4)
    return storePart(access, address, value);
  llvm::Value *index = indexOf(address);
  storeWord(access, index, builder.CreateTrunc(value, builder.getInt32Ty()));
  if (access.bytes == 8)
    storeWord(access, builder.CreateAdd(index, builder.getInt32(1)),
              builder.CreateTrunc(builder.CreateLShr(value, 32), builder.getInt32Ty()));
}

/// An access through a generic pointer, of the memory that its mark names.
llvm::Function *Accesses::dispatch(const Access &access, bool isStore) {
  const std::string name =
      (vulkanPrefix + (isStore ? "store." : "load.") + llvm::Twine(access.bytes) + "." +
       llvm::Twine(access.alignment) + (access.isVolatile ? ".volatile" : ""))
          .str();
  if (llvm::Function *made = module.getFunction(name))
    return made;
  llvm::Type *wide = builder.getInt64Ty(), *type = integer(access.bytes);
  auto *signature =
      isStore ? llvm::FunctionType::get(builder.getVoidTy(), {wide, type}, false)
              : llvm::FunctionType::get(type, {wide}, false);
  auto *function =
      llvm::Function::Create(signature, llvm::GlobalValue::InternalLinkage, name, module);
  llvm::IRBuilder<>::InsertPointGuard guard(builder);
  dispatchIn(*function, access, isStore);
  return function;
}

void Accesses::dispatchIn(llvm::Function &function, const Access &access, bool isStore) {
  llvm::LLVMContext &context = module.getContext();
  auto block = [&] { return llvm::BasicBlock::Create(context, "", &function); };
  llvm::BasicBlock *entry = block(), *others = block(), *end = block();
  llvm::Value *address = function.getArg(0);
  builder.SetInsertPoint(entry);
  llvm::Value *mark =
      builder.CreateTrunc(builder.CreateLShr(address, 32), builder.getInt32Ty());
  builder.SetInsertPoint(end);
  llvm::PHINode *result =
      isStore ? nullptr : builder.CreatePHI(function.getReturnType(), 3);
  isStore ? builder.CreateRetVoid() : builder.CreateRet(result);
  auto accessIn = [&](unsigned space, llvm::BasicBlock *place) {
    Access known = access;
    known.space = space;
    builder.SetInsertPoint(place);
    if (isStore)
      store(known, address, function.getArg(1));
    else
      result->addIncoming(load(known, address), place);
    builder.CreateBr(end);
  };
  llvm::BasicBlock *global = block(), *shared = block(), *local = block();
  builder.SetInsertPoint(entry);
  constexpr uint32_t leastMark = std::min(sharedMark, localMark);
  builder.CreateCondBr(builder.CreateICmpULT(mark, builder.getInt32(leastMark)), global,
                       others);
  builder.SetInsertPoint(others);
  builder.CreateCondBr(builder.CreateICmpEQ(mark, builder.getInt32(sharedMark)), shared,
                       local);
  accessIn(ir::globalSpace, global);
  accessIn(ir::sharedSpace, shared);
  accessIn(ir::localSpace, local);
}

llvm::Value *Accesses::load(const Access &access, llvm::Value *address) {
  if (isWhole(access))
    return loadWhole(access, address);
  Access part = access;
  part.bytes = access.alignment;
  llvm::Type *type = integer(access.bytes);
  llvm::Value *all = llvm::ConstantInt::get(type, 0);
  for (unsigned at = 0; at < access.bytes; at += part.bytes) {
    llvm::Value *piece =
        loadWhole(part, builder.CreateAdd(address, builder.getInt64(at)));
    all =
        builder.CreateOr(all, builder.CreateShl(builder.CreateZExt(piece, type), 8 * at));
  }
  return all;
}

void Accesses::store(const Access &access, llvm::Value *address, llvm::Value *value) {
  if (isWhole(access))
    return storeWhole(access, address, value);
  Access part = access;
  part.bytes = access.alignment;
  for (unsigned at = 0; at < access.bytes; at += part.bytes)
    storeWhole(
        part, builder.CreateAdd(address, builder.getInt64(at)),
        builder.CreateTrunc(builder.CreateLShr(value, 8 * at), integer(part.bytes)));
}

/// An access of several numbers: one of each.
void Accesses::splitParts(llvm::Instruction &instruction, llvm::Type &type,
                          llvm::SmallVectorImpl<llvm::Instruction *> &made) {
  builder.SetInsertPoint(&instruction);
  auto *stored = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  llvm::Value *all = llvm::PoisonValue::get(&type);
  auto *structure = llvm::dyn_cast<llvm::StructType>(&type);
  const llvm::DataLayout &layout = module.getDataLayout();
  for (unsigned index = 0, count = countOf(type); index < count; ++index) {
    llvm::Type *element = llvm::GetElementPtrInst::getTypeAtIndex(&type, index);
    const uint64_t offset =
        structure
            ? layout.getStructLayout(structure)->getElementOffset(index).getFixedValue()
            : index * layout.getTypeAllocSize(element).getFixedValue();
    llvm::Value *address = builder.CreateAdd(
        builder.CreatePtrToInt(pointer, builder.getInt64Ty()), builder.getInt64(offset));
    llvm::Value *place = builder.CreateIntToPtr(address, pointer->getType());
    const llvm::Align alignment =
        llvm::commonAlignment(llvm::getLoadStoreAlignment(&instruction), offset);
    const bool isVector = type.isVectorTy();
    if (stored) {
      llvm::Value *whole = stored->getValueOperand();
      llvm::Value *part = isVector ? builder.CreateExtractElement(whole, index)
                                   : builder.CreateExtractValue(whole, index);
      made.push_back(
          builder.CreateAlignedStore(part, place, alignment, instruction.isVolatile()));
    } else {
      auto *part =
          builder.CreateAlignedLoad(element, place, alignment, instruction.isVolatile());
      made.push_back(part);
      all = isVector ? builder.CreateInsertElement(all, part, index)
                     : builder.CreateInsertValue(all, part, index);
    }
  }
  if (!stored)
    instruction.replaceAllUsesWith(all);
  instruction.eraseFromParent();
}

/// A truth value is a byte, 0 or 1.
llvm::Instruction *Accesses::widenTruth(llvm::Instruction &instruction) {
  builder.SetInsertPoint(&instruction);
  llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  llvm::Instruction *made = nullptr;
  if (auto *stored = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    made = builder.CreateAlignedStore(
        builder.CreateZExt(stored->getValueOperand(), builder.getInt8Ty()), pointer,
        llvm::Align(1), instruction.isVolatile());
  } else {
    made = builder.CreateAlignedLoad(builder.getInt8Ty(), pointer, llvm::Align(1),
                                     instruction.isVolatile());
    instruction.replaceAllUsesWith(
        builder.CreateIsNotNull(builder.CreateAnd(made, builder.getInt8(1))));
  }
  instruction.eraseFromParent();
  return made;
}

llvm::Error Accesses::lower(llvm::Instruction &instruction) {
  auto *stored = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  llvm::Type *type =
      stored ? stored->getValueOperand()->getType() : instruction.getType();
  if (type->isIntegerTy(1))
    return lower(*widenTruth(instruction));
  if (countOf(*type)) {
    llvm::SmallVector<llvm::Instruction *> parts;
    splitParts(instruction, *type, parts);
    for (llvm::Instruction *part : parts)
      if (llvm::Error error = lower(*part))
        return error;
    return llvm::Error::success();
  }
  const unsigned bits =
      type->isIntegerTy() || type->isFloatingPointTy() ? type->getScalarSizeInBits() : 0;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
    std::string text;
    llvm::raw_string_ostream(text) << instruction;
    return llvm::createStringError("Vulkan has no access of such a type:" + text);
  }
  llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  Access access = {pointer->getType()->getPointerAddressSpace(), bits / 8,
                   static_cast<unsigned>(std::min<uint64_t>(
                       8, llvm::getLoadStoreAlignment(&instruction).value())),
                   instruction.isVolatile()};
  if (access.space == ir::genericSpace && isGenericGlobal)
    access.space = ir::globalSpace;
  builder.SetInsertPoint(&instruction);
  llvm::Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  const bool isGeneric = access.space == ir::genericSpace;
  if (stored) {
    llvm::Value *value =
        builder.CreateBitCast(stored->getValueOperand(), integer(access.bytes));
    if (isGeneric)
      builder.CreateCall(dispatch(access, /*isStore=*/true), {address, value});
    else
      store(access, address, value);
  } else {
    llvm::Value *value =
        isGeneric ? builder.CreateCall(dispatch(access, /*isStore=*/false), {address})
                  : load(access, address);
    instruction.replaceAllUsesWith(builder.CreateBitCast(value, type));
  }
  instruction.eraseFromParent();
  return llvm::Error::success();
}

} // namespace

llvm::Error lowerAccesses(llvm::Module &module, bool isGenericGlobal) {
  llvm::SmallVector<llvm::Instruction *> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction) &&
          !instruction.isAtomic())
        found.push_back(&instruction);
  Accesses accesses(module, isGenericGlobal);
  for (llvm::Instruction *instruction : found)
    if (llvm::Error error = accesses.lower(*instruction))
      return error;
  return llvm::Error::success();
}

} // namespace het::spirv
