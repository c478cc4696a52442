// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes do together is inlined where it is called, so that LLVM sees the constants
// of the call. In a kernel that calls a function often, equal calls share a copy of it.

#include "Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include <map>

namespace het::host {
namespace {

/// The constant that an argument is, or that lies where it points; null: neither.
llvm::Constant *constantOf(llvm::Value *argument) {
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(argument))
    return constant;
  auto *place = llvm::dyn_cast<llvm::AllocaInst>(argument);
  if (!place)
    return nullptr;
  llvm::Constant *held = nullptr;
  for (llvm::User *user : place->users()) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if ((!store && !llvm::isa<llvm::CallInst>(user)) || (store && held))
      return nullptr;
    if (store && !(held = llvm::dyn_cast<llvm::Constant>(store->getValueOperand())))
      return nullptr;
  }
  return held;
}

/// One function's calls, by their constants.
class SharedCalls {
public:
  explicit SharedCalls(llvm::Function &callee) : callee(callee) {}

  void share(llvm::CallInst &call);

private:
  using Constants = std::vector<llvm::Constant *>;
  llvm::Function *build(const Constants &constants, const llvm::CallInst &call);

  llvm::Function &callee;
  std::map<Constants, llvm::Function *> copies;
};

/// Builds a function that takes the arguments that are no constants.
llvm::Function *SharedCalls::build(const Constants &constants,
                                   const llvm::CallInst &call) {
  llvm::LLVMContext &context = callee.getContext();
  llvm::SmallVector<llvm::Type *> types;
  for (auto [constant, argument] : llvm::zip(constants, call.args()))
    if (!constant)
      types.push_back(argument->getType());
  auto *copy = llvm::Function::Create(
      llvm::FunctionType::get(callee.getReturnType(), types, false),
      llvm::GlobalValue::InternalLinkage, callee.getName() + ".shared",
      callee.getParent());
  copy->addFnAttrs(llvm::AttrBuilder(context, callee.getAttributes().getFnAttrs()));
  copy->removeFnAttr(llvm::Attribute::AlwaysInline);
  copy->addFnAttr(llvm::Attribute::NoInline);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", copy));
  llvm::SmallVector<llvm::Value *> arguments;
  auto *next = copy->arg_begin();
  for (auto [constant, argument] : llvm::zip(constants, call.args())) {
    auto *place = llvm::dyn_cast<llvm::AllocaInst>(argument.get());
    arguments.push_back(!constant ? static_cast<llvm::Value *>(next++)
                        : place   ? builder.CreateAlloca(place->getAllocatedType())
                                  : static_cast<llvm::Value *>(constant));
    if (constant && place)
      builder.CreateStore(constant, arguments.back());
  }
  llvm::CallInst *result = builder.CreateCall(&callee, arguments);
  if (callee.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(result);
  return copy;
}

void SharedCalls::share(llvm::CallInst &call) {
  constexpr size_t maxCopies = 32;
  Constants constants(call.arg_size());
  if (copies.size() < maxCopies)
    llvm::transform(call.args(), constants.begin(), constantOf);
  llvm::Function *&copy = copies[constants];
  if (!copy)
    copy = build(constants, call);
  llvm::SmallVector<llvm::Value *> arguments;
  for (auto [constant, argument] : llvm::zip(constants, call.args()))
    if (!constant)
      arguments.push_back(argument);
  llvm::CallInst *other =
      llvm::CallInst::Create(copy->getFunctionType(), copy, arguments, "", &call);
  other->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(other);
  call.eraseFromParent();
}

bool isTeamOperation(llvm::StringRef name) {
  return name.starts_with("__het_block_") || name.starts_with("__het_team_");
}

} // namespace

void shareTeamOperations(llvm::Module &module) {
  constexpr size_t often = 16; // calls
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (isTeamOperation(function.getName()) &&
        function.hasFnAttribute(llvm::Attribute::AlwaysInline))
      functions.push_back(&function);
  for (llvm::Function *function : functions) {
    llvm::SmallVector<llvm::CallInst *> calls;
    for (llvm::User *user : function->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
        calls.push_back(call);
    if (calls.size() < often)
      continue;
    SharedCalls shared(*function);
    for (llvm::CallInst *call : llvm::reverse(calls))
      shared.share(*call);
  }
}

} // namespace het::host
