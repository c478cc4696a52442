// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses and calls. What lies at a flat address is read and written where Core/Cache.c
// says; a value that may cross a line goes by a copy.

#include "Narrowing.h"
#include "llvm/IR/AttributeMask.h"

namespace het::tensix {
namespace {

constexpr uint64_t lineBytes = 64;

/// Whether what is aligned so is read and written as one, and lies in one line.
bool isInLine(uint64_t bytes, llvm::Align alignment) {
  return llvm::isPowerOf2_64(bytes) && bytes <= lineBytes && bytes <= alignment.value();
}

} // namespace

/// Attributes that say something of pointers as they were.
llvm::AttributeList plainAttributes(llvm::AttributeList list,
                                    const llvm::FunctionType *type) {
  llvm::LLVMContext &context = type->getContext();
  llvm::AttributeMask pointers;
  for (auto kind :
       {llvm::Attribute::ByVal, llvm::Attribute::StructRet, llvm::Attribute::NonNull,
        llvm::Attribute::Dereferenceable, llvm::Attribute::DereferenceableOrNull,
        llvm::Attribute::NoAlias, llvm::Attribute::Captures, llvm::Attribute::ReadOnly,
        llvm::Attribute::ReadNone, llvm::Attribute::WriteOnly, llvm::Attribute::Writable,
        llvm::Attribute::DeadOnUnwind, llvm::Attribute::Returned,
        llvm::Attribute::Alignment, llvm::Attribute::Initializes,
        llvm::Attribute::NoFree})
    pointers.addAttribute(kind);
  for (unsigned i = 0; i < type->getNumParams(); ++i)
    list = list.removeParamAttributes(context, i, pointers);
  list = list.removeRetAttributes(context, pointers);
  // Attributes about a function's memory are about accesses that become calls.
  return list.removeFnAttribute(context, llvm::Attribute::Memory)
      .removeFnAttribute(context, llvm::Attribute::Speculatable)
      .removeFnAttribute(context, llvm::Attribute::WillReturn);
}

llvm::AllocaInst *Narrowing::createPlace(llvm::Type *type, llvm::Align alignment) {
  return new llvm::AllocaInst(type, 0, nullptr, alignment, "",
                              function.getEntryBlock().getFirstInsertionPt());
}

void Narrowing::rewriteLoad(llvm::LoadInst &load) {
  llvm::Value *pointer = load.getPointerOperand();
  llvm::Type *was = before.lookup(&load);
  llvm::Type *type = types.stored(was ? was : load.getType());
  llvm::Align alignment = load.getAlign();
  uint64_t bytes = types.wide.getTypeStoreSize(type);
  llvm::Value *place = get(pointer);
  if (!wasNear(pointer)) {
    if (isInLine(bytes, alignment)) {
      llvm::StringRef name = load.isVolatile() ? "het_core_read_fresh" : "het_core_read";
      place = callCore(name, types.near, {place, i32(bytes)});
    } else {
      if (load.isVolatile())
        callCore("het_core_fence", builder.getVoidTy(), {});
      llvm::Value *copy = createPlace(type, alignment);
      callCore("het_core_copy", builder.getVoidTy(),
               {builder.CreatePtrToInt(copy, types.flat), place, i32(bytes)});
      place = copy;
    }
  }
  llvm::Value *value =
      builder.CreateAlignedLoad(type, place, alignment, load.isVolatile());
  if (was && was->isPointerTy() && isNear(was))
    value = toNear(value);
  replace(load, value);
}

void Narrowing::rewriteStore(llvm::StoreInst &store) {
  llvm::Value *pointer = store.getPointerOperand(), *value = store.getValueOperand();
  value = typeOf(value)->isPointerTy() ? flat(value) : get(value);
  llvm::Align alignment = store.getAlign();
  uint64_t bytes = types.wide.getTypeStoreSize(value->getType());
  llvm::Value *place = get(pointer), *address = place;
  bool isFar = !wasNear(pointer), isWhole = isInLine(bytes, alignment);
  if (isFar)
    place = isWhole ? callCore("het_core_place", types.near, {address, i32(bytes)})
                    : createPlace(value->getType(), alignment);
  builder.CreateAlignedStore(value, place, alignment, store.isVolatile());
  if (isFar && !isWhole)
    callCore("het_core_copy", builder.getVoidTy(),
             {address, builder.CreatePtrToInt(place, types.flat), i32(bytes)});
  if (isFar && store.isVolatile())
    isWhole ? callCore("het_core_publish", builder.getVoidTy(), {address})
            : callCore("het_core_fence", builder.getVoidTy(), {});
  store.eraseFromParent();
}

void Narrowing::rewriteTransfer(llvm::AnyMemTransferInst &transfer) {
  llvm::Value *to = transfer.getRawDest(), *from = transfer.getRawSource();
  llvm::Value *bytes = length(transfer.getLength());
  if (!wasNear(to) || !wasNear(from)) {
    callCore("het_core_copy", builder.getVoidTy(), {flat(to), flat(from), bytes});
  } else if (llvm::isa<llvm::AnyMemMoveInst>(transfer)) {
    builder.CreateMemMove(get(to), transfer.getDestAlign(), get(from),
                          transfer.getSourceAlign(), bytes);
  } else {
    builder.CreateMemCpy(get(to), transfer.getDestAlign(), get(from),
                         transfer.getSourceAlign(), bytes);
  }
  transfer.eraseFromParent();
}

void Narrowing::rewriteFill(llvm::AnyMemSetInst &fill) {
  llvm::Value *to = fill.getRawDest(), *bytes = length(fill.getLength());
  if (wasNear(to))
    builder.CreateMemSet(get(to), fill.getValue(), bytes, fill.getDestAlign());
  else
    callCore(
        "het_core_fill", builder.getVoidTy(),
        {flat(to), builder.CreateZExt(fill.getValue(), builder.getInt32Ty()), bytes});
  fill.eraseFromParent();
}

/// Those that take or give pointers. False: it does neither.
bool Narrowing::rewriteIntrinsic(llvm::IntrinsicInst &call) {
  if (auto *transfer = llvm::dyn_cast<llvm::AnyMemTransferInst>(&call)) {
    rewriteTransfer(*transfer);
    return true;
  }
  if (auto *fill = llvm::dyn_cast<llvm::AnyMemSetInst>(&call)) {
    rewriteFill(*fill);
    return true;
  }
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::prefetch:
  case llvm::Intrinsic::invariant_end:
  case llvm::Intrinsic::experimental_noalias_scope_decl:
    call.eraseFromParent();
    return true;
  case llvm::Intrinsic::stacksave: {
    llvm::Value *top = builder.CreateStackSave();
    replace(call,
            isNear(before.lookup(&call)) ? top : builder.CreatePtrToInt(top, types.flat));
    return true;
  }
  case llvm::Intrinsic::stackrestore:
    builder.CreateStackRestore(toNear(get(call.getArgOperand(0))));
    call.eraseFromParent();
    return true;
  case llvm::Intrinsic::ptrmask: {
    llvm::Value *mask = builder.CreateZExt(get(call.getArgOperand(1)), types.flat);
    llvm::Value *address = builder.CreateAnd(flat(call.getArgOperand(0)), mask);
    replace(call, isNear(before.lookup(&call)) ? toNear(address) : address);
    return true;
  }
  default:
    break;
  }
  bool hasPointer = before.contains(&call);
  for (llvm::Value *operand : call.args())
    hasPointer |= types.changes(typeOf(operand));
  if (hasPointer)
    fail(call, "this operation on pointers");
  return hasPointer;
}

void Narrowing::rewriteCall(llvm::CallBase &call) {
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    rewriteIntrinsic(*intrinsic);
    return;
  }
  if (call.isInlineAsm() && call.arg_empty()) // instructions for the vector unit
    return;
  if (call.isInlineAsm())
    return fail(call, "inline assembly");
  for (llvm::Use &operand : call.args())
    operand.set(get(operand.get()));
  llvm::FunctionType *type = types.image(call.getFunctionType());
  auto *callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
  llvm::Value *target = callee ? static_cast<llvm::Value *>(types.made.lookup(callee))
                               : toNear(get(call.getCalledOperand()));
  if (!target)
    target = call.getCalledOperand();
  call.mutateFunctionType(type);
  call.setCalledOperand(target);
  call.setAttributes(plainAttributes(call.getAttributes(), type));
}

} // namespace het::tensix
