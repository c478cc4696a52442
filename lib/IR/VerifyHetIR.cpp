// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may stand in a hetIR module (docs/spec/hetir.md, Modules): the LLVM dialect
// without anything of one machine, and the hetir dialect.

#include "het/IR/Module.h"

using namespace mlir;

namespace het::ir {
namespace {

constexpr StringLiteral vendorPrefixes[] = {
    "llvm.nvvm.", "llvm.amdgcn.", "llvm.r600.", "llvm.x86.", "llvm.arm.",
    "llvm.aarch64.", "llvm.riscv.", "llvm.spv.", "llvm.ppc.", "llvm.s390.",
    "llvm.wasm.", "llvm.mips.", "llvm.hexagon.", "llvm.ve.", "llvm.loongarch."};

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
    for (StringRef prefix : vendorPrefixes)
      if (call.getIntrin().starts_with(prefix))
        return op->emitError()
               << "the intrinsic '" << call.getIntrin() << "' is one vendor's";
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
