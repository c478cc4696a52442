// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the calls of the device library and replaces them.

#include "LibraryCalls.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

Value *LibraryCall::intrinsic(Intrinsic::ID id, ArrayRef<Value *> arguments) {
  return builder.CreateIntrinsic(id, {arguments.front()->getType()}, arguments);
}

/// "f32", "i64", "ptr": how a type is spelled in a marker's name.
static void appendType(std::string &name, Type *type) {
  if (type->isPointerTy())
    name += "ptr";
  else
    name += (type->isFloatingPointTy() ? "f" : "i") +
            std::to_string(type->getPrimitiveSizeInBits().getFixedValue());
}

Value *het::createMathCall(IRBuilder<> &builder, StringRef function, bool approximate,
                           ArrayRef<Value *> arguments, Type *result) {
  std::string name =
      (mathMarkerPrefix + function + (approximate ? ".approx." : ".exact.")).str();
  SmallVector<Type *> types;
  for (Value *argument : arguments) {
    types.push_back(argument->getType());
    appendType(name, argument->getType());
  }
  Module *module = builder.GetInsertBlock()->getModule();
  FunctionCallee callee = module->getOrInsertFunction(
      name, FunctionType::get(result, types, /*isVarArg=*/false));
  auto *declaration = cast<Function>(callee.getCallee());
  declaration->setDoesNotAccessMemory();
  declaration->setDoesNotThrow();
  declaration->setWillReturn();
  declaration->setDoesNotFreeMemory();
  declaration->setNoSync();
  declaration->addFnAttr(Attribute::Speculatable);
  return builder.CreateCall(callee, arguments);
}

static const LibraryTable &libraryTable() {
  static const LibraryTable table = [] {
    LibraryTable filled;
    addLibraryMath(filled);
    addLibraryArithmetic(filled);
    addLibraryConversions(filled);
    addLibraryBuiltins(filled);
    return filled;
  }();
  return table;
}

void het::expandLibraryCalls(Module &module, const CompileOptions &options) {
  const LibraryTable &table = libraryTable();
  SmallVector<Function *> emptied;
  for (Function &function : module) {
    if (!function.isDeclaration())
      continue;
    StringRef name = function.getName();
    auto entry = name.consume_front("__nv_") ? table.find(name)
                                             : table.find(builtinName(function));
    if (entry == table.end())
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != &function)
        continue;
      LibraryCall expanded(*call, options);
      Value *value = entry->second(expanded);
      if (value)
        call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
    if (function.use_empty())
      emptied.push_back(&function);
  }
  for (Function *function : emptied)
    function->eraseFromParent();
}
