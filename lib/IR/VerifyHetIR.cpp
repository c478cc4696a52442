// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may stand in a hetIR module (docs/spec/hetir.md, Modules): the LLVM dialect
// without anything of one machine or of one object format, and the hetir dialect. A
// module stands alone: nothing in it names code or data of the process that it will run
// in.

#include "het/IR/Module.h"
#include "llvm/IR/Intrinsics.h"

using namespace mlir;

namespace het::ir {
namespace {

/// Generic intrinsics that nevertheless ask about the machine or its ABI.
constexpr StringLiteral machineIntrinsics[] = {"llvm.addressofreturnaddress",
                                               "llvm.coro.",
                                               "llvm.eh.",
                                               "llvm.experimental.gc.",
                                               "llvm.frameaddress",
                                               "llvm.gc",
                                               "llvm.get.dynamic.area",
                                               "llvm.localescape",
                                               "llvm.read_",
                                               "llvm.returnaddress",
                                               "llvm.sponentry",
                                               "llvm.va_",
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

/// Attributes of LLVM that a function keeps as text and that bind it to a machine, or
/// make it call functions that are not its module's.
constexpr StringLiteral foreignAttributes[] = {
    "target-",         "tune-cpu",    "fentry-call", "function-instrument",
    "instrument-",     "mrecord-",    "nop-mcount",  "patchable-",
    "probe-stack",     "safestack",   "sanitize_",   "sanitize-",
    "shadowcallstack", "split-stack", "ssp",         "stack-probe-",
    "thunk",           "xray-",       "naked",       "zero-call-used-regs"};

/// Attributes of MLIR's operations, likewise.
constexpr StringLiteral foreignProperties[] = {"personality",
                                               "garbageCollector",
                                               "section",
                                               "comdat",
                                               "vscale_range",
                                               "instrument_function_entry",
                                               "thread_local_",
                                               "instrument_function_exit",
                                               "target_specific_attrs",
                                               "arm_streaming",
                                               "arm_locally_streaming",
                                               "arm_streaming_compatible",
                                               "arm_new_za",
                                               "arm_in_za",
                                               "arm_out_za",
                                               "arm_inout_za",
                                               "arm_preserves_za",
                                               "tune_cpu"};

LogicalResult verifyProperties(Operation *op) {
  for (StringRef name : foreignProperties)
    if (op->getAttr(name))
      return op->emitError() << "has '" << name << "', which is one object format's "
                             << "or machine's";
  return success();
}

/// Whether what has that linkage is the module's own.
template <typename Op> LogicalResult verifyLinkage(Op op) {
  switch (op.getLinkage()) {
  case LLVM::Linkage::AvailableExternally:
  case LLVM::Linkage::Appending:
  case LLVM::Linkage::ExternWeak:
  case LLVM::Linkage::Common:
    return op.emitError() << "has the linkage '"
                          << LLVM::linkage::stringifyLinkage(op.getLinkage())
                          << "', which needs another module";
  default:
    return success();
  }
}

LogicalResult verifyPassedThrough(LLVM::LLVMFuncOp function) {
  ArrayAttr passthrough = function.getPassthroughAttr();
  if (!passthrough)
    return success();
  for (Attribute attribute : passthrough) {
    auto pair = dyn_cast<ArrayAttr>(attribute);
    auto key = pair && !pair.empty() ? dyn_cast<StringAttr>(pair[0])
                                     : dyn_cast<StringAttr>(attribute);
    for (StringRef prefix : foreignAttributes)
      if (key && key.getValue().starts_with(prefix))
        return function.emitError()
               << "has the attribute '" << key.getValue() << "' of one target";
  }
  return success();
}

LogicalResult verifyFunction(LLVM::LLVMFuncOp function) {
  if (function.getTargetCpu() || function.getTargetFeatures())
    return function.emitError("names a target CPU or its features");
  if (function.getCConv() != LLVM::CConv::C && function.getCConv() != LLVM::CConv::Fast)
    return function.emitError("has a target's calling convention");
  if (failed(verifyPassedThrough(function)))
    return failure();
  if (function.isExternal())
    return function.emitError()
           << "function '" << function.getName() << "' has no definition";
  if (function.getName().starts_with("llvm."))
    return function.emitError()
           << "function '" << function.getName() << "' has the name of an intrinsic";
  return verifyLinkage(function);
}

LogicalResult verifyGlobal(LLVM::GlobalOp global) {
  const bool isDefined = global.getValueAttr() || !global.getInitializer().empty();
  const bool isShared = global.getAddrSpace() == sharedSpace;
  if (!isDefined && !isShared && !global->hasAttr(variableAttrName))
    return global.emitError() << "global '" << global.getSymName()
                              << "' has no value and is no variable of the package";
  return verifyLinkage(global);
}

/// Operations of the llvm dialect that are about one machine's, one object format's or
/// C++'s ways; `llvm.intr.coro.` stands for all that begin so.
constexpr StringLiteral foreignOperations[] = {
    "llvm.inline_asm",   "llvm.intr.coro.",
    "llvm.intr.eh.",     "llvm.intr.vaend",
    "llvm.invoke",       "llvm.indirectbr",
    "llvm.landingpad",   "llvm.intr.vastart",
    "llvm.resume",       "llvm.va_arg",
    "llvm.blockaddress", "llvm.intr.vacopy",
    "llvm.blocktag",     "llvm.dso_local_equivalent"};

LogicalResult verifyOperation(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "llvm" && dialect != "hetir" && dialect != "builtin")
    return op->emitError() << "'" << op->getName() << "' is not hetIR";
  if (isa<LLVM::InlineAsmOp>(op))
    return op->emitError("inline assembly is not hetIR");
  for (StringRef prefix : foreignOperations)
    if (op->getName().getStringRef().starts_with(prefix))
      return op->emitError() << "'" << op->getName() << "' is not hetIR";
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return verifyIntrinsic(call);
  return success();
}

/// What stands in a module itself.
LogicalResult verifySymbol(Operation *op) {
  if (failed(verifyProperties(op)))
    return failure();
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return verifyFunction(function);
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    return verifyGlobal(global);
  if (auto alias = dyn_cast<LLVM::AliasOp>(op))
    return verifyLinkage(alias);
  return op->emitError() << "'" << op->getName()
                         << "' in a module: expected functions, globals and aliases";
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
  for (Operation &symbol : *module.getBody()) {
    if (failed(verifySymbol(&symbol)))
      result = failure();
    symbol.walk([&](Operation *op) {
      if (failed(verifyOperation(op)))
        result = failure();
    });
  }
  return result;
}

} // namespace het::ir
