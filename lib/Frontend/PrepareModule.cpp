// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frees a device module of its target, before optimisation.

#include "CastAlignments.h"
#include "GridDependencies.h"
#include "LibraryCalls.h"
#include "ModuleInfo.h"
#include "Optimize.h"
#include "PTX/InlineAssembly.h"

#include "het/DeviceABI/DeviceLaunches.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace het;
using namespace llvm;

/// As setDataLayout in HetIR.h: hetIR's one layout.
static constexpr const char *layout =
    "e-p:64:64-p1:64:64-p3:64:64-p4:64:64-p5:64:64-i64:64-i128:128-n16:32:64";

bool het::isKernelFunction(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel;
}

//===----------------------------------------------------------------------===//
// Linkage and attributes
//===----------------------------------------------------------------------===//

static void cleanAttributes(Function &function) {
  for (StringRef name : {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                         "no-trapping-math", "stack-protector-buffer-size",
                         "uniform-work-group-size", "min-legal-vector-width"})
    function.removeFnAttr(name);
}

/// Says of the kernels what they are compiled for; PTX text has said it of its own.
static void setArchitecture(Module &module, StringRef arch) {
  arch.consume_front("sm_");
  for (Function &function : module)
    if (isKernelFunction(function) && !function.hasFnAttribute(architectureAttribute))
      function.addFnAttr(architectureAttribute, arch.take_while(isDigit));
}

/// The runtime's functions that the device code calls do not synchronise, but
/// Clang takes every function it does not see for one that may.
static void clearConvergence(Function &function) {
  static constexpr StringLiteral names[] = {
      "vprintf",       "malloc",  "free",    "__assertfail",
      "__assert_fail", "_Znwm",   "_Znam",   "_ZdlPv",
      "_ZdaPv",        "_ZdlPvm", "_ZdaPvm", HET_LAUNCHES_FUNCTION};
  if (!is_contained(names, function.getName()))
    return;
  function.removeFnAttr(Attribute::Convergent);
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user))
      call->removeFnAttr(Attribute::Convergent);
}

void het::closeModule(Module &module, Sharing sharing) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setComdat(nullptr);
    function.setVisibility(GlobalValue::DefaultVisibility);
    bool kernel = isKernelFunction(function);
    function.setLinkage(kernel ? GlobalValue::ExternalLinkage
                               : GlobalValue::InternalLinkage);
  }
  for (GlobalVariable &variable : module.globals()) {
    variable.setComdat(nullptr);
    variable.setVisibility(GlobalValue::DefaultVisibility);
    // Variables that the host can name are externally initialised; shared objects, string
    // literals, tables and instantiated constants belong to this module alone.
    if (!variable.hasInitializer() || variable.isExternallyInitialized() ||
        variable.getName().starts_with("llvm."))
      continue;
    const bool isShared = sharing == Sharing::Variables && isVariable(variable);
    variable.setLinkage(isShared ? GlobalValue::LinkOnceODRLinkage
                                 : GlobalValue::InternalLinkage);
  }
}

//===----------------------------------------------------------------------===//
// Clang's own ways of saying things
//===----------------------------------------------------------------------===//

/// The numbers of an annotation, with 1 for those that are not said.
static std::string numbersOf(const Constant *arguments) {
  std::string text;
  auto *object = dyn_cast<GlobalVariable>(arguments->stripPointerCasts());
  const Constant *all =
      object && object->hasInitializer() ? object->getInitializer() : nullptr;
  for (unsigned index = 0; index < 3; ++index) {
    auto *number =
        all ? dyn_cast_or_null<ConstantInt>(all->getAggregateElement(index)) : nullptr;
    text += (index ? "," : "") + std::to_string(number ? number->getZExtValue() : 1);
  }
  return text;
}

/// The headers mark __managed__ variables, kernels with __cluster_dims__, and the code of
/// texture fetches with an annotation.
static void readAnnotations(Module &module) {
  GlobalVariable *annotations = module.getNamedGlobal("llvm.global.annotations");
  if (!annotations)
    return;
  for (const Use &use : cast<Constant>(annotations->getInitializer())->operands()) {
    auto *entry = cast<Constant>(use.get());
    auto *object = dyn_cast<GlobalVariable>(entry->getOperand(0)->stripPointerCasts());
    auto *text = dyn_cast<GlobalVariable>(entry->getOperand(1)->stripPointerCasts());
    auto *data = text && text->hasInitializer()
                     ? dyn_cast<ConstantDataArray>(text->getInitializer())
                     : nullptr;
    if (!data || !data->isCString())
      continue;
    if (object && data->getAsCString() == "het.managed")
      object->addAttribute(managedAttribute);
    auto *function = dyn_cast<Function>(entry->getOperand(0)->stripPointerCasts());
    if (function && data->getAsCString() == "het.cluster_dims")
      function->addFnAttr(clusterAttribute,
                          numbersOf(cast<Constant>(entry->getOperand(4))));
    if (function && data->getAsCString() == "het.texture_code") {
      function->addFnAttr(textureCodeAttribute);
      function->addFnAttr(Attribute::NoInline);
    }
  }
  annotations->eraseFromParent();
}

/// CUDA's minimum and maximum order -0 before +0; minnum leaves that open, and
/// devices would differ.
static void orderZeros(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    Intrinsic::ID id = function.getIntrinsicID();
    if (id != Intrinsic::minnum && id != Intrinsic::maxnum)
      continue;
    Function *ordered = Intrinsic::getOrInsertDeclaration(
        &module, id == Intrinsic::minnum ? Intrinsic::minimumnum : Intrinsic::maximumnum,
        {function.getReturnType()});
    function.replaceAllUsesWith(ordered);
    function.eraseFromParent();
  }
}

/// A texture or surface reference is a variable with the handle of the object that the
/// host has bound.
static void readReferences(Module &module) {
  for (Function &function : llvm::make_early_inc_range(module)) {
    if (function.getIntrinsicID() != Intrinsic::nvvm_texsurf_handle_internal)
      continue;
    for (User *user : llvm::make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      auto *variable = cast<GlobalVariable>(call->getArgOperand(0)->stripPointerCasts());
      variable->setAlignment(Align(8));
      variable->setExternallyInitialized(true); // static ones, too
      variable->setLinkage(GlobalValue::ExternalLinkage);
      if (variable->hasInitializer())
        variable->setInitializer(ConstantInt::get(variable->getValueType(), 0));
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(builder.CreateLoad(call->getType(), variable));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

void het::prepareModule(Module &module, const CompileOptions &options) {
  module.setDataLayout(layout);
  module.setTargetTriple(Triple());
  module.setModuleInlineAsm("");
  readAnnotations(module);
  readReferences(module);
  readBuiltinVariables(module);
  alignVariables(module);
  // Clang keeps what the host names by listing it as used; it is external too.
  for (const char *list : {"llvm.compiler.used", "llvm.used"})
    if (GlobalVariable *used = module.getNamedGlobal(list))
      used->eraseFromParent();
  for (Function &function : module) {
    cleanAttributes(function);
    if (function.isDeclaration())
      clearConvergence(function);
  }
  setArchitecture(module, options.arch);
  allowUndefinedValues(module);
  defineShifts(module);
  placeInitialValues(module);
  relaxPrecision(module, options);
  // It calls functions of the device library.
  expandInlineAssembly(module);
  keepBehindWaits(module);
  expandLibraryCalls(module, options);
  orderZeros(module);
  pinConversions(module);
}
