// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL has atomics of integers of 32 and 64 bits, on global and shared memory. The
// others become loops of compare-and-swap, those of 8 and 16 bits on the word around
// them, and what is read or written at once goes by an integer.

#include "../../../Support/Lowering/IRPieces.h"
#include "../Passes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace het::spirv {
namespace {

using Update = llvm::AtomicRMWInst;
using Exchange = llvm::AtomicCmpXchgInst;

/// Scopes and memory semantics (SPIR-V specification, 3.27 and 3.25).
enum : uint32_t {
  scopeCrossDevice = 0,
  scopeDevice = 1,
  scopeWorkgroup = 2,
  scopeSubgroup = 3,
  scopeInvocation = 4,
  semanticsOfAllMemory = 0x10 | 0x100 | 0x200, // sequentially consistent
};

bool isWord(llvm::Type *type) { return type->isIntegerTy(32) || type->isIntegerTy(64); }

/// Whether SPIR-V has an instruction for it.
bool isNative(const Update &update) {
  switch (update.getOperation()) {
  case Update::Xchg:
  case Update::Add:
  case Update::Sub:
  case Update::And:
  case Update::Or:
  case Update::Xor:
  case Update::Max:
  case Update::Min:
  case Update::UMax:
  case Update::UMin:
    return isWord(update.getType());
  default:
    return false;
  }
}

/// The compare-and-swap of expandAtomicRMWToCmpXchg's loop, by integers.
void createExchange(llvm::IRBuilderBase &builder, llvm::Value *address,
                    llvm::Value *loaded, llvm::Value *next, llvm::Align alignment,
                    llvm::AtomicOrdering ordering, llvm::SyncScope::ID scope,
                    llvm::Value *&success, llvm::Value *&found,
                    llvm::Instruction *source) {
  llvm::Type *type = next->getType();
  llvm::Type *integer = builder.getIntNTy(type->getPrimitiveSizeInBits());
  if (type != integer) {
    loaded = builder.CreateBitCast(loaded, integer);
    next = builder.CreateBitCast(next, integer);
  }
  auto *pair =
      builder.CreateAtomicCmpXchg(address, loaded, next, alignment, ordering,
                                  Exchange::getStrongestFailureOrdering(ordering), scope);
  found = builder.CreateExtractValue(pair, 0);
  success = builder.CreateExtractValue(pair, 1);
  if (type != integer)
    found = builder.CreateBitCast(found, type);
}

/// An exchange of a pointer or a number is one of its bits.
llvm::Value *toInteger(llvm::IRBuilderBase &builder, llvm::Value *value,
                       llvm::Type *integer) {
  return value->getType()->isPointerTy() ? builder.CreatePtrToInt(value, integer)
                                         : builder.CreateBitCast(value, integer);
}

llvm::Value *fromInteger(llvm::IRBuilderBase &builder, llvm::Value *value,
                         llvm::Type *type) {
  return type->isPointerTy() ? builder.CreateIntToPtr(value, type)
                             : builder.CreateBitCast(value, type);
}

llvm::Type *integerOf(llvm::Type *type, const llvm::DataLayout &layout) {
  return llvm::IntegerType::get(type->getContext(), layout.getTypeSizeInBits(type));
}

void useIntegers(Update &update) {
  llvm::IRBuilder<> builder(&update);
  llvm::Type *type = update.getType();
  llvm::Type *integer = integerOf(type, update.getDataLayout());
  auto *made = builder.CreateAtomicRMW(
      Update::Xchg, update.getPointerOperand(),
      toInteger(builder, update.getValOperand(), integer), update.getAlign(),
      update.getOrdering(), update.getSyncScopeID());
  update.replaceAllUsesWith(fromInteger(builder, made, type));
  update.eraseFromParent();
}

void useIntegers(Exchange &exchange) {
  llvm::IRBuilder<> builder(&exchange);
  llvm::Type *type = exchange.getCompareOperand()->getType();
  llvm::Type *integer = integerOf(type, exchange.getDataLayout());
  auto *made = builder.CreateAtomicCmpXchg(
      exchange.getPointerOperand(),
      toInteger(builder, exchange.getCompareOperand(), integer),
      toInteger(builder, exchange.getNewValOperand(), integer), exchange.getAlign(),
      exchange.getSuccessOrdering(), exchange.getFailureOrdering(),
      exchange.getSyncScopeID());
  llvm::Value *found = fromInteger(builder, builder.CreateExtractValue(made, 0), type);
  exchange.replaceAllUsesWith(target::createPair(builder, exchange.getType(), found,
                                                 builder.CreateExtractValue(made, 1)));
  exchange.eraseFromParent();
}

/// Compare-and-swap of 8 or 16 bits:
///   old = *word;
///   while (part(old) == expected) {
///     if (swap(word, old, old with the new part)) break; old = what was found;
///   }
class PartExchange {
public:
  explicit PartExchange(Exchange &exchange) : exchange(exchange), builder(&exchange) {}

  void expand() {
    llvm::Type *i32 = builder.getInt32Ty();
    type = exchange.getCompareOperand()->getType();
    findWord();
    llvm::BasicBlock *head = exchange.getParent();
    llvm::BasicBlock *end = llvm::SplitBlock(head, &exchange);
    auto *check = block("part.check", end), *swap = block("part.swap", end);
    head->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(head);
    auto *first = builder.CreateAlignedLoad(i32, word, llvm::Align(4));
    first->setAtomic(llvm::AtomicOrdering::Monotonic, exchange.getSyncScopeID());
    builder.CreateBr(check);
    builder.SetInsertPoint(check);
    llvm::PHINode *old = builder.CreatePHI(i32, 2);
    llvm::Value *part = builder.CreateTrunc(builder.CreateLShr(old, shift), type);
    builder.CreateCondBr(builder.CreateICmpEQ(part, exchange.getCompareOperand()), swap,
                         end);
    builder.SetInsertPoint(swap);
    llvm::Value *wanted =
        builder.CreateShl(builder.CreateZExt(exchange.getNewValOperand(), i32), shift);
    wanted = builder.CreateOr(builder.CreateAnd(old, builder.CreateNot(mask)), wanted);
    auto *pair = builder.CreateAtomicCmpXchg(
        word, old, wanted, llvm::Align(4), exchange.getSuccessOrdering(),
        exchange.getFailureOrdering(), exchange.getSyncScopeID());
    old->addIncoming(first, head);
    old->addIncoming(builder.CreateExtractValue(pair, 0), swap);
    builder.CreateCondBr(builder.CreateExtractValue(pair, 1), end, check);
    finish(check, swap, part, end);
  }

private:
  llvm::BasicBlock *block(const char *name, llvm::BasicBlock *before) {
    return llvm::BasicBlock::Create(builder.getContext(), name, before->getParent(),
                                    before);
  }
  void findWord() {
    llvm::Value *pointer = exchange.getPointerOperand();
    llvm::Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
    llvm::Value *offset = builder.CreateAnd(address, 3);
    word = builder.CreateGEP(builder.getInt8Ty(), pointer, builder.CreateNeg(offset));
    shift = builder.CreateTrunc(builder.CreateShl(offset, 3), builder.getInt32Ty());
    uint32_t bits = type->getIntegerBitWidth() == 8 ? 0xFF : 0xFFFF;
    mask = builder.CreateShl(builder.getInt32(bits), shift);
  }
  void finish(llvm::BasicBlock *check, llvm::BasicBlock *swap, llvm::Value *part,
              llvm::BasicBlock *end) {
    builder.SetInsertPoint(end, end->begin());
    llvm::PHINode *found = builder.CreatePHI(type, 2);
    llvm::PHINode *success = builder.CreatePHI(builder.getInt1Ty(), 2);
    found->addIncoming(part, check);
    found->addIncoming(exchange.getCompareOperand(), swap);
    success->addIncoming(builder.getFalse(), check);
    success->addIncoming(builder.getTrue(), swap);
    builder.SetInsertPoint(&exchange);
    exchange.replaceAllUsesWith(
        target::createPair(builder, exchange.getType(), found, success));
    exchange.eraseFromParent();
  }

  Exchange &exchange;
  llvm::IRBuilder<> builder;
  llvm::Type *type = nullptr;
  llvm::Value *word = nullptr, *shift = nullptr, *mask = nullptr;
};

/// Loads and stores of numbers and pointers go by integers; those of 8 and 16 bits are
/// plain ones that are not torn, with fences for their order.
void expandLoad(llvm::LoadInst &load) {
  llvm::Type *type = load.getType();
  llvm::Type *integer = integerOf(type, load.getDataLayout());
  llvm::IRBuilder<> builder(&load);
  auto *made = builder.CreateAlignedLoad(integer, load.getPointerOperand(),
                                         load.getAlign(), load.isVolatile());
  if (isWord(integer)) {
    made->setAtomic(load.getOrdering(), load.getSyncScopeID());
  } else {
    made->setVolatile(true);
    if (llvm::isAcquireOrStronger(load.getOrdering()))
      builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent,
                          load.getSyncScopeID());
  }
  load.replaceAllUsesWith(fromInteger(builder, made, type));
  load.eraseFromParent();
}

void expandStore(llvm::StoreInst &store) {
  llvm::Type *type = store.getValueOperand()->getType();
  llvm::Type *integer = integerOf(type, store.getDataLayout());
  llvm::IRBuilder<> builder(&store);
  bool isOrdered = llvm::isReleaseOrStronger(store.getOrdering());
  if (!isWord(integer) && isOrdered)
    builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent,
                        store.getSyncScopeID());
  auto *made = builder.CreateAlignedStore(
      toInteger(builder, store.getValueOperand(), integer), store.getPointerOperand(),
      store.getAlign(), store.isVolatile());
  if (isWord(integer)) {
    made->setAtomic(store.getOrdering(), store.getSyncScopeID());
  } else {
    made->setVolatile(true);
    if (isOrdered)
      builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent,
                          store.getSyncScopeID());
  }
  store.eraseFromParent();
}

/// Calls `expand` for each instruction of a kind, of those there are now.
template <typename T, typename Expand> void forEach(llvm::Module &module, Expand expand) {
  llvm::SmallVector<T *> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *one = llvm::dyn_cast<T>(&instruction); one && one->isAtomic())
        found.push_back(one);
  for (T *one : found)
    expand(*one);
}

/// Takes an atomic's order away and returns it.
llvm::AtomicOrdering relax(llvm::Instruction &instruction) {
  constexpr llvm::AtomicOrdering relaxed = llvm::AtomicOrdering::Monotonic;
  llvm::AtomicOrdering order = relaxed;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    order = load->getOrdering();
    load->setOrdering(relaxed);
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    order = store->getOrdering();
    store->setOrdering(relaxed);
  } else if (auto *update = llvm::dyn_cast<Update>(&instruction)) {
    order = update->getOrdering();
    update->setOrdering(relaxed);
  } else if (auto *exchange = llvm::dyn_cast<Exchange>(&instruction)) {
    order = exchange->getMergedOrdering();
    exchange->setSuccessOrdering(relaxed);
    exchange->setFailureOrdering(relaxed);
  }
  return order;
}

uint32_t scopeOf(llvm::LLVMContext &context, llvm::SyncScope::ID id) {
  llvm::SmallVector<llvm::StringRef> names;
  context.getSyncScopeNames(names);
  return llvm::StringSwitch<uint32_t>(names[id])
      .Case("singlethread", scopeInvocation)
      .Case("subgroup", scopeSubgroup)
      .Case("workgroup", scopeWorkgroup)
      .Case("device", scopeDevice)
      .Default(scopeCrossDevice);
}

/// LLVM's back end does not say which memory an order concerns, and such an order
/// concerns none. So atomics are relaxed, and fences of all memory give their order.
void separateFences(llvm::Module &module) {
  llvm::SmallVector<llvm::Instruction *> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.isAtomic())
        found.push_back(&instruction);
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type *i32 = builder.getInt32Ty();
  auto fence = [&](llvm::SyncScope::ID scope) {
    auto function = module.getOrInsertFunction("_Z21__spirv_MemoryBarrierjj",
                                               builder.getVoidTy(), i32, i32);
    builder.CreateCall(function, {builder.getInt32(scopeOf(context, scope)),
                                  builder.getInt32(semanticsOfAllMemory)});
  };
  for (llvm::Instruction *instruction : found) {
    builder.SetInsertPoint(instruction);
    if (auto *only = llvm::dyn_cast<llvm::FenceInst>(instruction)) {
      fence(only->getSyncScopeID());
      only->eraseFromParent();
      continue;
    }
    llvm::AtomicOrdering order = relax(*instruction);
    llvm::SyncScope::ID scope = *llvm::getAtomicSyncScopeID(instruction);
    if (llvm::isReleaseOrStronger(order) ||
        order == llvm::AtomicOrdering::SequentiallyConsistent)
      fence(scope);
    if (llvm::isAcquireOrStronger(order)) {
      builder.SetInsertPoint(instruction->getNextNode());
      fence(scope);
    }
  }
}

bool usesShared(llvm::Module &module) {
  auto isShared = [](llvm::Type *type) {
    return type->isPointerTy() && type->getPointerAddressSpace() == ir::sharedSpace;
  };
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (isShared(instruction.getType()) ||
          llvm::any_of(instruction.operand_values(), [&](llvm::Value *operand) {
            return isShared(operand->getType());
          }))
        return true;
  return false;
}

/// An atomic on a generic pointer is one on global memory, if there is no other.
void useGlobal(llvm::Instruction &instruction, unsigned operand) {
  llvm::LLVMContext &context = instruction.getContext();
  llvm::IRBuilder<> builder(&instruction);
  llvm::Value *pointer = builder.CreateAddrSpaceCast(
      instruction.getOperand(operand), llvm::PointerType::get(context, ir::genericSpace));
  auto *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  instruction.setOperand(
      operand,
      builder.CreateIntToPtr(address, llvm::PointerType::get(context, ir::globalSpace)));
}

llvm::Error settleSpaces(llvm::Module &module, Form form) {
  bool mayBeShared = form != Form::Segmented && usesShared(module);
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!instruction.isAtomic() || llvm::isa<llvm::FenceInst>(instruction))
        continue;
      unsigned operand = llvm::isa<llvm::StoreInst>(instruction) ? 1 : 0;
      unsigned space =
          instruction.getOperand(operand)->getType()->getPointerAddressSpace();
      if (space == ir::globalSpace || space == ir::sharedSpace)
        continue;
      if (mayBeShared)
        return llvm::createStringError(
            "an atomic operation on memory that may be shared or global");
      useGlobal(instruction, operand);
    }
  return llvm::Error::success();
}

llvm::Error checkWidths(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (!instruction.isAtomic())
        continue;
      llvm::Type *type = instruction.getType();
      if (auto *exchange = llvm::dyn_cast<Exchange>(&instruction))
        type = exchange->getCompareOperand()->getType();
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        type = store->getValueOperand()->getType();
      if (type->isSized() && module.getDataLayout().getTypeSizeInBits(type) > 64)
        return llvm::createStringError(
            "an atomic operation on 128 bits: SPIR-V has none");
    }
  return llvm::Error::success();
}

} // namespace

llvm::Error expandAtomics(llvm::Module &module, Form form) {
  if (llvm::Error error = checkWidths(module))
    return error;
  if (llvm::Error error = settleSpaces(module, form))
    return error;
  forEach<llvm::LoadInst>(module, [](llvm::LoadInst &load) {
    if (!isWord(load.getType()))
      expandLoad(load);
  });
  forEach<llvm::StoreInst>(module, [](llvm::StoreInst &store) {
    if (!isWord(store.getValueOperand()->getType()))
      expandStore(store);
  });
  forEach<Update>(module, [](Update &update) {
    if (update.getOperation() == Update::Xchg && !update.getType()->isIntegerTy())
      useIntegers(update);
  });
  forEach<Update>(module, [](Update &update) {
    if (!isNative(update))
      llvm::expandAtomicRMWToCmpXchg(&update, createExchange);
  });
  forEach<Exchange>(module, [](Exchange &exchange) {
    if (!exchange.getCompareOperand()->getType()->isIntegerTy())
      useIntegers(exchange);
  });
  forEach<Exchange>(module, [](Exchange &exchange) {
    if (!isWord(exchange.getCompareOperand()->getType()))
      PartExchange(exchange).expand();
  });
  separateFences(module);
  return llvm::Error::success();
}

} // namespace het::spirv
