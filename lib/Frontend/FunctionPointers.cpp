// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Function pointers, without addresses. The address of code is a device's own and
// differs from kernel to kernel, but a pointer may be stored by one kernel, copied by
// the host and called by another kernel on another device. So a function's address is
// a number made of its name, and a call through a pointer goes to a function that
// chooses, by the number, among all functions of the module whose addresses are taken
// and whose type is the call's.
//
// Numbers are no valid addresses anywhere. Two sources with a function of one name and
// internal linkage share its number: such pointers must not cross sources.
// Normative: docs/spec/hetir.md, "Function pointers".

#include "Optimize.h"

#include "het/Package/KernelInfo.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"

using namespace het;
using namespace llvm;

namespace {

/// Bits 56 to 63 of a function's number.
constexpr uint64_t functionTag = uint64_t(0xFE) << 56;
/// Numbers are even: in a pointer to a member function an odd one is that of a virtual
/// one.
constexpr uint64_t numberStep = 2;

class FunctionPointers {
public:
  explicit FunctionPointers(Module &module) : module(module) {}

  bool lower() {
    for (Function &function : make_early_inc_range(module))
      if (!function.isIntrinsic() && !isKernelFunction(function) &&
          function.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                                   /*IgnoreAssumeLikeCalls=*/false))
        takeAddress(function);
    SmallVector<CallBase *> calls;
    for (Function &function : module)
      for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&instruction); call && call->isIndirectCall())
          calls.push_back(call);
    for (CallBase *call : calls)
      redirect(*call);
    return !calls.empty();
  }

private:
  /// Puts the function's number in the place of its address; calls stay calls.
  void takeAddress(Function &function) {
    const uint64_t hash = xxh3_64bits(function.getName()) >> 8;
    uint64_t number = functionTag | hash / numberStep * numberStep;
    while (!numbers.insert(number).second)
      number += numberStep;
    Function *calls =
        Function::Create(function.getFunctionType(), function.getLinkage(), "", module);
    for (Use &use : make_early_inc_range(function.uses()))
      if (auto *call = dyn_cast<CallBase>(use.getUser()); call && call->isCallee(&use))
        use.set(calls);
    function.replaceAllUsesWith(ConstantExpr::getIntToPtr(
        ConstantInt::get(Type::getInt64Ty(module.getContext()), number),
        function.getType()));
    calls->replaceAllUsesWith(&function);
    calls->eraseFromParent();
    if (!function.isDeclaration())
      taken.push_back({number, &function});
  }

  /// Calls the function that chooses.
  void redirect(CallBase &call) {
    Function *dispatch = dispatchFor(call);
    SmallVector<Value *> arguments{call.getCalledOperand()};
    append_range(arguments, call.args());
    IRBuilder<> builder(&call);
    CallInst *direct = builder.CreateCall(dispatch, arguments);
    direct->setAttributes(shifted(call.getAttributes(), call.arg_size()));
    direct->takeName(&call);
    call.replaceAllUsesWith(direct);
    call.eraseFromParent();
  }

  /// The attributes of a call with one argument more in front.
  AttributeList shifted(AttributeList from, unsigned count) {
    LLVMContext &context = module.getContext();
    SmallVector<AttributeSet> parameters{AttributeSet()};
    for (unsigned i = 0; i < count; ++i)
      parameters.push_back(from.getParamAttrs(i));
    return AttributeList::get(context, from.getFnAttrs(), from.getRetAttrs(), parameters);
  }

  /// How arguments and results are passed, of all that attributes say. Pointers are
  /// opaque: only this tells a structure's copy from a pointer. What else is known at one
  /// call, say that a pointer is not null, is not known at another.
  AttributeList passingOf(AttributeList from, FunctionType *type) {
    LLVMContext &context = module.getContext();
    auto kept = [&](AttributeSet attributes) {
      AttrBuilder builder(context);
      bool isCopy = attributes.hasAttribute(Attribute::ByVal) ||
                    attributes.hasAttribute(Attribute::StructRet);
      for (Attribute attribute : attributes)
        if (attribute.hasAttribute(Attribute::ByVal) ||
            attribute.hasAttribute(Attribute::StructRet) ||
            attribute.hasAttribute(Attribute::ZExt) ||
            attribute.hasAttribute(Attribute::SExt) ||
            (isCopy && attribute.hasAttribute(Attribute::Alignment)))
          builder.addAttribute(attribute);
      return AttributeSet::get(context, builder);
    };
    SmallVector<AttributeSet> parameters;
    for (unsigned i = 0; i < type->getNumParams(); ++i)
      parameters.push_back(kept(from.getParamAttrs(i)));
    return AttributeList::get(context, {}, kept(from.getRetAttrs()), parameters);
  }

  Function *dispatchFor(CallBase &call) {
    FunctionType *type = call.getFunctionType();
    AttributeList passing = passingOf(call.getAttributes(), type);
    Function *&dispatch = dispatches[{type, passing.getRawPointer()}];
    if (dispatch)
      return dispatch;
    SmallVector<Type *> parameters{PointerType::get(module.getContext(), 0)};
    append_range(parameters, type->params());
    dispatch = Function::Create(
        FunctionType::get(type->getReturnType(), parameters, false),
        GlobalValue::InternalLinkage, "het.call." + Twine(dispatches.size() - 1), module);
    dispatch->setAttributes(shifted(passing, call.arg_size()));
    for (auto attribute :
         {Attribute::NoInline, Attribute::Convergent, Attribute::NoUnwind})
      dispatch->addFnAttr(attribute);
    fill(*dispatch, type, passing);
    return dispatch;
  }

  void fill(Function &dispatch, FunctionType *type, AttributeList passing) {
    LLVMContext &context = module.getContext();
    BasicBlock *entry = BasicBlock::Create(context, "", &dispatch);
    BasicBlock *unknown = BasicBlock::Create(context, "unknown", &dispatch);
    IRBuilder<> builder(unknown);
    builder.CreateIntrinsic(Intrinsic::trap, {});
    builder.CreateUnreachable();
    builder.SetInsertPoint(entry);
    Value *number = builder.CreatePtrToInt(dispatch.getArg(0), builder.getInt64Ty());
    SwitchInst *choice = builder.CreateSwitch(number, unknown);
    SmallVector<Value *> arguments;
    for (Argument &argument : drop_begin(dispatch.args()))
      arguments.push_back(&argument);
    for (auto &[value, function] : taken) {
      if (function->getFunctionType() != type ||
          passingOf(function->getAttributes(), type) != passing)
        continue;
      BasicBlock *block = BasicBlock::Create(context, "", &dispatch);
      choice->addCase(builder.getInt64(value), block);
      builder.SetInsertPoint(block);
      CallInst *call = builder.CreateCall(function, arguments);
      call->setAttributes(function->getAttributes());
      if (type->getReturnType()->isVoidTy())
        builder.CreateRetVoid();
      else
        builder.CreateRet(call);
    }
  }

  Module &module;
  DenseSet<uint64_t> numbers;
  SmallVector<std::pair<uint64_t, Function *>> taken;
  /// By type and, as its raw pointer, passingOf.
  MapVector<std::pair<FunctionType *, void *>, Function *> dispatches;
};

} // namespace

bool het::lowerFunctionPointers(Module &module) {
  return FunctionPointers(module).lower();
}

void het::numberKernels(Module &module, bool isLinked) {
  Type *integer = Type::getInt64Ty(module.getContext());
  for (Function &kernel : make_early_inc_range(module)) {
    const bool isKernel = isKernelFunction(kernel) ||
                          (isLinked && kernel.isDeclaration() && !kernel.isIntrinsic() &&
                           kernel.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                                                  /*IgnoreAssumeLikeCalls=*/false));
    if (!isKernel || kernel.use_empty())
      continue;
    kernel.replaceAllUsesWith(ConstantExpr::getIntToPtr(
        ConstantInt::get(integer, kernelNumber(kernel.getName())), kernel.getType()));
    if (kernel.isDeclaration())
      kernel.eraseFromParent();
  }
}
