// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the device library that run segments take the frame as any pointer;
// where all who call one give an address of the core's own memory, it takes that, and
// what it does with it needs no question. InferAddressSpaces looks into one function
// only.

#include "../Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace het::tensix {
namespace {

/// The near pointer that a generic one is known to come from; null: none is.
llvm::Value *nearSource(llvm::Value *value) {
  auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(value);
  if (!cast || !isNear(cast->getSrcAddressSpace()))
    return nullptr;
  return cast->getPointerOperand();
}

/// The one space that all calls give; hetIR's generic one where there is none.
unsigned spaceGiven(const llvm::Function &function, unsigned number) {
  std::optional<unsigned> space;
  for (const llvm::Use &use : function.uses()) {
    auto *call = llvm::cast<llvm::CallBase>(use.getUser());
    llvm::Value *source = nearSource(call->getArgOperand(number));
    if (!source)
      return ir::genericSpace;
    unsigned given = source->getType()->getPointerAddressSpace();
    if (space && *space != given)
      return ir::genericSpace;
    space = given;
  }
  return space.value_or(ir::genericSpace);
}

bool hasOnlyCalls(const llvm::Function &function) {
  return llvm::all_of(function.uses(), [](const llvm::Use &use) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    return call && call->isCallee(&use);
  });
}

llvm::AttributeList compatible(llvm::AttributeList list, llvm::FunctionType *type) {
  for (unsigned i = 0; i < type->getNumParams(); ++i)
    list = list.removeParamAttribute(type->getContext(), i, llvm::Attribute::ByVal);
  return list;
}

class Retyping {
public:
  Retyping(llvm::Function &old, llvm::ArrayRef<unsigned> spaces)
      : old(old), spaces(spaces) {}

  void run() {
    llvm::SmallVector<llvm::Type *> types;
    for (auto [parameter, space] : llvm::zip(old.args(), spaces))
      types.push_back(space == ir::genericSpace
                          ? parameter.getType()
                          : llvm::PointerType::get(old.getContext(), space));
    made =
        llvm::Function::Create(llvm::FunctionType::get(old.getReturnType(), types, false),
                               old.getLinkage(), 0, "", old.getParent());
    made->copyAttributesFrom(&old);
    made->setAttributes(compatible(made->getAttributes(), made->getFunctionType()));
    made->takeName(&old);
    made->splice(made->end(), &old);
    takeArguments();
    for (llvm::Use &use : llvm::make_early_inc_range(old.uses()))
      replaceCall(*llvm::cast<llvm::CallInst>(use.getUser()));
    old.eraseFromParent();
  }

private:
  void takeArguments() {
    llvm::IRBuilder<> builder(&*made->getEntryBlock().getFirstInsertionPt());
    for (auto [from, to] : llvm::zip(old.args(), made->args())) {
      to.takeName(&from);
      llvm::Value *value = &to;
      if (to.getType() != from.getType())
        value = builder.CreateAddrSpaceCast(&to, from.getType());
      from.replaceAllUsesWith(value);
    }
  }
  void replaceCall(llvm::CallInst &call) {
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::Value *> operands;
    for (auto [operand, space] : llvm::zip(call.args(), spaces))
      operands.push_back(space == ir::genericSpace ? operand.get()
                                                   : nearSource(operand.get()));
    llvm::CallInst *made = builder.CreateCall(this->made, operands);
    made->setAttributes(compatible(call.getAttributes(), this->made->getFunctionType()));
    made->setCallingConv(call.getCallingConv());
    made->takeName(&call);
    call.replaceAllUsesWith(made);
    call.eraseFromParent();
  }

  llvm::Function &old;
  llvm::ArrayRef<unsigned> spaces;
  llvm::Function *made = nullptr;
};

bool inferOne(llvm::Function &function) {
  if (function.isDeclaration() || !function.hasLocalLinkage() || function.isVarArg() ||
      function.use_empty() || !hasOnlyCalls(function))
    return false;
  llvm::SmallVector<unsigned> spaces;
  bool any = false;
  for (llvm::Argument &argument : function.args()) {
    bool isGeneric = argument.getType()->isPointerTy() &&
                     argument.getType()->getPointerAddressSpace() == ir::genericSpace;
    spaces.push_back(isGeneric ? spaceGiven(function, argument.getArgNo())
                               : unsigned(ir::genericSpace));
    any |= spaces.back() != ir::genericSpace;
  }
  if (any)
    Retyping(function, spaces).run();
  return any;
}

} // namespace

void inferArguments(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    functions.push_back(&function);
  for (llvm::Function *function : functions)
    inferOne(*function);
}

} // namespace het::tensix
