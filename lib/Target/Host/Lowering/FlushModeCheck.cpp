// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which modules can be run with MXCSR's FTZ and DAZ. An operation with floats is listed
// here, or the module is not run so.
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 10.2.3
// and 11.5.2; volume 2, VCVTPH2PS and VCVTPS2PH, which ignore both for halves.

#include "FlushMode.h"
#include "het/Transforms/FlushedArithmetic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace mlir;

namespace het::host {

bool canFlushByMode(const llvm::TargetMachine &machine) {
  return machine.getTargetTriple().getArch() == llvm::Triple::x86_64 &&
         machine.getMCSubtargetInfo()->checkFeatures("+fma,+f16c") &&
         !machine.getMCSubtargetInfo()->checkFeatures("+avx512fp16");
}

namespace {

/// Whether a function of the device library gives the same under the mode. The
/// approximation of pow is made of two that do, and a product between them.
bool isIndifferent(StringRef function, ir::Accuracy accuracy) {
  static const llvm::StringSet<> names = {
#define HET_FLUSHING_OPERATION(name) #name,
#define HET_FLUSHING_FUNCTION(name) #name,
#include "FlushModeFunctions.def"
  };
  if (function == "pow")
    return accuracy == ir::Accuracy::Approx;
  return names.contains(function);
}

bool isOf(Type type, llvm::function_ref<bool(Type)> is) {
  return is(getElementTypeOrSelf(type));
}

class Check {
public:
  bool isGood(Operation *op);
  bool hasFlushed = false; ///< An operation that flushes was seen.

private:
  bool isGood(ir::MathOp op);
  bool areFlushed(ValueRange values);
  bool isGoodOfFloats(Operation *op);
  transforms::FlushedValues known;
};

bool Check::isGood(ir::MathOp op) {
  StringRef function = op.getFunction();
  if (!ir::flushes(op))
    return function.starts_with("dot") || function.starts_with("permute_") ||
           function == "fma_half_rn" || function == "bfloat_from_float_rn";
  hasFlushed = true;
  if (function == ir::flushFunction)
    return true;
  function.consume_back(ir::flushSuffix);
  return function == "float" ||
         (op.getAccuracy() == ir::Accuracy::Exact &&
          ir::findFlushedOperation(function)) ||
         isIndifferent(function, op.getAccuracy());
}

/// Whether floats can not be subnormal, as the mode takes them.
bool Check::areFlushed(ValueRange values) {
  return llvm::all_of(values, [&](Value value) {
    return isOf(value.getType(), [](Type type) { return type.isF16(); }) ||
           (value.getType().isF32() && known.contains(value));
  });
}

bool hasFloats(Operation *op) {
  auto isFloat = [](Type type) {
    return isOf(type, [](Type element) { return isa<FloatType>(element); });
  };
  return llvm::any_of(op->getOperandTypes(), isFloat) ||
         llvm::any_of(op->getResultTypes(), isFloat);
}

/// Moves floats, or only looks at their bits.
bool isMove(Operation *op) {
  return isa<LLVM::ConstantOp, LLVM::UndefOp, LLVM::PoisonOp, LLVM::ZeroOp, LLVM::LoadOp,
             LLVM::StoreOp, LLVM::SelectOp, LLVM::FNegOp, LLVM::FAbsOp, LLVM::CopySignOp,
             LLVM::BitcastOp, LLVM::FreezeOp, LLVM::ExtractElementOp,
             LLVM::InsertElementOp, LLVM::ShuffleVectorOp, LLVM::ExtractValueOp,
             LLVM::InsertValueOp, LLVM::ReturnOp, LLVM::BrOp, LLVM::CondBrOp,
             LLVM::SwitchOp, LLVM::CallOp, ir::ShuffleOp, ir::SafePointOp>(op);
}

/// Whole numbers are never small, and what is less than 1 becomes 0.
bool isWhole(Operation *op) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return isa<LLVM::SIToFPOp, LLVM::UIToFPOp, LLVM::FPToSIOp, LLVM::FPToUIOp>(op) ||
         (call && (call.getIntrin().starts_with("llvm.fptosi.sat.") ||
                   call.getIntrin().starts_with("llvm.fptoui.sat.")));
}

bool Check::isGoodOfFloats(Operation *op) {
  if (isMove(op) || isWhole(op))
    return true;
  if (isa<LLVM::FCmpOp, LLVM::FFloorOp, LLVM::FCeilOp, LLVM::FTruncOp, LLVM::RintOp,
          LLVM::NearbyintOp, LLVM::RoundOp, LLVM::RoundEvenOp>(op))
    return areFlushed(op->getOperands());
  if (auto wider = dyn_cast<LLVM::FPExtOp>(op)) {
    // To float, bfloat16 only gets zeros behind it; to double the machine goes by float.
    const bool isShift =
        isOf(wider.getArg().getType(), [](Type type) { return type.isBF16(); }) &&
        isOf(op->getResult(0).getType(), [](Type type) { return type.isF32(); });
    return isShift || areFlushed(wider.getArg());
  }
  // The class of a double may be found by comparing it, which would flush it.
  if (auto test = dyn_cast<LLVM::IsFPClass>(op))
    return isOf(test.getOperand().getType(),
                [](Type type) { return type.isF32() || type.isF16(); });
  if (auto narrow = dyn_cast<LLVM::FPTruncOp>(op)) // a half is 0 for all such floats
    return isOf(narrow.getArg().getType(), [](Type type) { return type.isF32(); });
  // Halves are computed as floats, which for them are never small.
  return isa<LLVM::FAddOp, LLVM::FSubOp, LLVM::FMulOp, LLVM::FDivOp, LLVM::FMAOp,
             LLVM::SqrtOp, LLVM::MinNumOp, LLVM::MaxNumOp, LLVM::MinimumOp,
             LLVM::MaximumOp>(op) &&
         isOf(op->getResult(0).getType(), [](Type type) { return type.isF16(); });
}

bool Check::isGood(Operation *op) {
  if (auto math = dyn_cast<ir::MathOp>(op))
    return isGood(math);
  if (isa<LLVM::InlineAsmOp, ir::MatrixMultiplyOp, ir::TextureFetchOp>(op))
    return false;
  if (isa<LLVM::AtomicRMWOp>(op))
    return !hasFloats(op);
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    std::optional<StringRef> name = call.getCallee();
    auto callee =
        name ? op->getParentOfType<ModuleOp>().lookupSymbol<LLVM::LLVMFuncOp>(*name)
             : LLVM::LLVMFuncOp();
    if (!callee || callee.isExternal())
      return false;
  }
  return !hasFloats(op) || isGoodOfFloats(op);
}

} // namespace

bool canFlushByMode(ModuleOp module) {
  Check check;
  auto result = module.walk([&](LLVM::LLVMFuncOp function) {
    for (Block &block : function.getBody())
      for (Operation &op : block)
        if (!check.isGood(&op))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted() && check.hasFlushed;
}

} // namespace het::host
