// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may stand in a hetIR module (docs/spec/hetir.md, Modules): the LLVM dialect
// without anything of one machine, and the hetir dialect.

#include "het/IR/Module.h"
#include "llvm/IR/Intrinsics.h"

using namespace mlir;

namespace het::ir {
namespace {

/// Generic intrinsics that nevertheless ask about the machine or its ABI.
constexpr StringLiteral machineIntrinsics[] = {
    "llvm.addressofreturnaddress", "llvm.coro.",        "llvm.eh.",
    "llvm.experimental.gc.",       "llvm.frameaddress", "llvm.gc",
    "llvm.get.dynamic.area",       "llvm.localescape",  "llvm.read_",
    "llvm.returnaddress",          "llvm.sponentry",    "llvm.va_",
    "llvm.write_"};

LogicalResult verifyIntrinsic(LLVM::CallIntrinsicOp call) {
  StringRef name = call.getIntrin();
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic)
    return call.emitError() << "the intrinsic '" << name << "' is not known";
  if (llvm::Intrinsic::isTargetIntrinsic(id))
    return call.emitError() << "the intrinsic '" << name << "' is one vendor's";
  for (StringRef prefix : machineIntrinsics)
    if (name.starts_with(prefix))
      return call.emitError() << "the intrinsic '" << name << "' depends on the machine";
  return success();
}

LogicalResult verifyFunction(LLVM::LLVMFuncOp function) {
  if (function.getTargetCpu() || function.getTargetFeatures())
    return function.emitError("names a target CPU or its features");
  if (function.getCConv() != LLVM::CConv::C &&
      function.getCConv() != LLVM::CConv::Fast)
    return function.emitError("has a target's calling convention");
  if (ArrayAttr passthrough = function.getPassthroughAttr())
    for (Attribute attribute : passthrough) {
      auto pair = dyn_cast<ArrayAttr>(attribute);
      auto key = pair && !pair.empty() ? dyn_cast<StringAttr>(pair[0])
                                       : dyn_cast<StringAttr>(attribute);
      if (key && key.getValue().starts_with("target-"))
        return function.emitError() << "has the attribute '" << key.getValue()
                                    << "' of one target";
    }
  if (function.isExternal() && !function->hasAttr(runtimeAttrName))
    return function.emitError()
           << "function '" << function.getName() << "' has no definition";
  return success();
}

LogicalResult verifyOperation(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "llvm" && dialect != "hetir" && dialect != "builtin")
    return op->emitError() << "'" << op->getName() << "' is not hetIR";
  if (isa<LLVM::InlineAsmOp>(op))
    return op->emitError("inline assembly is not hetIR");
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return verifyIntrinsic(call);
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return verifyFunction(function);
  return success();
}

} // namespace

LogicalResult verifyHetIR(ModuleOp module) {
  LogicalResult result = success();
  for (StringRef name : {LLVM::LLVMDialect::getTargetTripleAttrName(),
                         LLVM::LLVMDialect::getModuleLevelAsmAttrName()})
    if (Attribute attribute = module->getAttr(name)) {
      auto list = dyn_cast<ArrayAttr>(attribute);
      if (!list || !list.empty())
        result = module.emitError() << "a hetIR module has no '" << name << "'";
    }
  module.walk([&](Operation *op) {
    if (failed(verifyOperation(op)))
      result = failure();
  });
  return result;
}

} // namespace het::ir
