// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic additions of half precision and bfloat16, alone and in pairs. They are rounded
// to nearest, and subnormal numbers stay (.noftz). LLVM's back end (22) has none for
// pairs, and drops the scope of the others. Where the result is unused, ptxas makes `red`
// of it.
//
// Source: PTX ISA, "atom".

#include "../../Support/Lowering/SmallAtomics.h"
#include "Passes.h"
#include "het/IR/Module.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace het::ptx {

bool addsAtomically(Type *type, const Machine &machine) {
  const unsigned capability = machine.capability, version = machine.version;
  if (type->getScalarType()->isBFloatTy())
    return capability >= 90 && version >= 78;
  return type->isVectorTy() ? capability >= 60 && version >= 62
                            : capability >= 70 && version >= 63;
}

static StringRef scopeOf(const AtomicRMWInst &update) {
  auto name = update.getContext().getSyncScopeName(update.getSyncScopeID());
  return StringSwitch<StringRef>(name.value_or(""))
      .Case("device", ".gpu")
      .Cases({"block", "singlethread"}, ".cta")
      .Case("cluster", ".cluster")
      .Default(".sys");
}

/// The address, in its space. Pointers that a kernel is given are of global memory, as
/// LLVM's back end finds out later.
static Value *addressOf(AtomicRMWInst &update, IRBuilder<> &builder) {
  Value *address = update.getPointerOperand();
  auto *given = dyn_cast<Argument>(getUnderlyingObject(address, /*MaxLookup=*/0));
  const bool isGiven = given &&
                       given->getParent()->getCallingConv() == CallingConv::PTX_Kernel &&
                       given->getType()->isPointerTy() && !given->hasByValAttr();
  if (update.getPointerAddressSpace() != ir::genericSpace || !isGiven)
    return address;
  return builder.CreateAddrSpaceCast(address, builder.getPtrTy(ir::globalSpace));
}

static void add(AtomicRMWInst &update) {
  IRBuilder<> builder(&update);
  Value *address = addressOf(update, builder);
  Type *type = update.getType();
  const bool isPair = type->isVectorTy();
  const bool isGlobal = address->getType()->getPointerAddressSpace() == ir::globalSpace;
  Type *bits = builder.getIntNTy(isPair ? 32 : 16);
  const std::string text =
      ("atom" + scopeOf(update) + (isGlobal ? ".global" : "") + ".add.noftz." +
       (type->getScalarType()->isHalfTy() ? "f16" : "bf16") + (isPair ? "x2" : "") +
       " $0, [$1], $2;")
          .str();
  InlineAsm *code =
      InlineAsm::get(FunctionType::get(bits, {address->getType(), bits}, false), text,
                     isPair ? "=r,l,r,~{memory}" : "=h,l,h,~{memory}",
                     /*hasSideEffects=*/true);
  Value *value = builder.CreateBitCast(update.getValOperand(), bits);
  CallInst *old = builder.CreateCall(code, {address, value});
  old->setDoesNotThrow();
  update.replaceAllUsesWith(builder.CreateBitCast(old, type));
  update.eraseFromParent();
}

void addSmallFloatsAtomically(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (target::isSmallAddition(instruction))
        add(cast<AtomicRMWInst>(instruction));
}

} // namespace het::ptx
