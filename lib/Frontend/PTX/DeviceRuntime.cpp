// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of NVIDIA's libcudadevrt that texts call and never define: grid-wide
// barriers, as cooperative groups have them.

#include "ModuleBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// A scope is its own handle.
static constexpr uint32_t gridScope = 1, invalidValue = 1;

static FunctionCallee declareBarrier(Module &module) {
  FunctionCallee barrier = module.getOrInsertFunction(
      "__het_grid_barrier", Type::getVoidTy(module.getContext()));
  auto *function = cast<Function>(barrier.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  return barrier;
}

/// (scope): the handle.
static void defineGetHandle(Function &function, IRBuilder<> &b) {
  b.CreateRet(b.CreateZExtOrTrunc(function.getArg(0), function.getReturnType()));
}

/// (handle, flags): waits for all threads of the grid. There are no other scopes.
static void defineSynchronize(Function &function, IRBuilder<> &b) {
  Module &module = *function.getParent();
  Value *handle = function.getArg(0);
  BasicBlock *wait = BasicBlock::Create(b.getContext(), "", &function),
             *fail = BasicBlock::Create(b.getContext(), "", &function);
  b.CreateCondBr(b.CreateICmpEQ(handle, ConstantInt::get(handle->getType(), gridScope)),
                 wait, fail);
  b.SetInsertPoint(wait);
  b.CreateCall(declareBarrier(module));
  b.CreateRet(ConstantInt::get(function.getReturnType(), 0));
  b.SetInsertPoint(fail);
  b.CreateRet(ConstantInt::get(function.getReturnType(), invalidValue));
}

void het::ptx::defineRuntimeFunctions(Module &module) {
  struct {
    StringLiteral name;
    unsigned parameters;
    void (*define)(Function &, IRBuilder<> &);
  } static constexpr known[] = {{"cudaCGGetIntrinsicHandle", 1, defineGetHandle},
                                {"cudaCGSynchronize", 2, defineSynchronize}};
  for (const auto &[name, parameters, define] : known) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration() || function->arg_size() != parameters ||
        !function->getReturnType()->isIntegerTy() ||
        !all_of(function->args(),
                [](const Argument &one) { return one.getType()->isIntegerTy(); }))
      continue;
    function->setLinkage(GlobalValue::InternalLinkage);
    function->addFnAttr(Attribute::AlwaysInline);
    IRBuilder<> b(BasicBlock::Create(module.getContext(), "", function));
    define(*function, b);
  }
}
