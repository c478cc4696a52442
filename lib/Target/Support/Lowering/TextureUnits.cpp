// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetir.texture_units, before any form: what the target answers. Code behind a no goes,
// and what is sampled by functions then is inlined.

#include "BuilderPieces.h"
#include "TargetLowering.h"
#include "het/IR/Textures.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace het::target {

/// Whether the condition of a branch is known, and which way it goes.
static std::optional<bool> known(Value condition) {
  APInt value;
  if (!matchPattern(condition, m_ConstantInt(&value)))
    return std::nullopt;
  return !value.isZero();
}

/// Makes branches on constants into branches.
static void takeKnownBranches(LLVM::LLVMFuncOp function) {
  IRRewriter rewriter(function.getContext());
  function.walk([&](LLVM::CondBrOp branch) {
    const std::optional<bool> isTrue = known(branch.getCondition());
    if (!isTrue)
      return;
    rewriter.setInsertionPoint(branch);
    rewriter.replaceOpWithNewOp<LLVM::BrOp>(
        branch, *isTrue ? branch.getTrueDestOperands() : branch.getFalseDestOperands(),
        *isTrue ? branch.getTrueDest() : branch.getFalseDest());
  });
  (void)eraseUnreachableBlocks(rewriter, function->getRegions());
}

/// Inlines the functions that sample textures.
static void inlineTextureCode(ModuleOp module) {
  SymbolTable symbols(module);
  const auto calledOf = [&](LLVM::CallOp call) -> LLVM::LLVMFuncOp {
    std::optional<StringRef> name = call.getCallee();
    auto function = name ? symbols.lookup<LLVM::LLVMFuncOp>(*name) : nullptr;
    return function && function->hasAttr(ir::textureCodeAttrName) ? function : nullptr;
  };
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    if (calledOf(call))
      calls.push_back(call);
  });
  InlinerInterface inliner(module.getContext());
  for (LLVM::CallOp call : calls) {
    LLVM::LLVMFuncOp function = calledOf(call);
    function.setNoInline(false);
    if (succeeded(inlineCall(inliner, InlinerConfig().getCloneCallback(), call, function,
                             &function.getBody())))
      call.erase();
  }
  for (auto function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (function->hasAttr(ir::textureCodeAttrName) &&
        SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
}

void answerTextureUnits(ModuleOp module, bool hasUnits) {
  SmallVector<ir::TextureUnitsOp> questions;
  module.walk([&](ir::TextureUnitsOp op) { questions.push_back(op); });
  SmallPtrSet<Operation *, 4> functions;
  for (ir::TextureUnitsOp op : questions) {
    functions.insert(op->getParentOfType<LLVM::LLVMFuncOp>());
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    op.replaceAllUsesWith(
        LLVM::ConstantOp::create(builder, builder.getBoolAttr(hasUnits)).getResult());
    op.erase();
  }
  for (Operation *function : functions)
    takeKnownBranches(cast<LLVM::LLVMFuncOp>(function));
  if (hasUnits)
    return;
  // Those whose condition was not the answer alone. They are not executed.
  module.walk([](ir::TextureFetchOp op) {
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    op.replaceAllUsesWith(LLVM::PoisonOp::create(builder, op.getType()).getResult());
    op.erase();
  });
  inlineTextureCode(module);
}

} // namespace het::target
