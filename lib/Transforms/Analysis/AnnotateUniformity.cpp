// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the uniformity analysis into the IR: `hetir.uniform` on operations with
// results and on branches, for lowerings that do not want to run it again.

#include "het/Transforms/Passes.h"
#include "het/Transforms/UniformityAnalysis.h"

namespace het::transforms {
#define GEN_PASS_DEF_ANNOTATEUNIFORMITY
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;
using namespace het;

namespace {

void annotate(LLVM::LLVMFuncOp kernel) {
  UniformityAnalysis analysis(kernel);
  auto set = [](Operation *op, ir::Level level) {
    op->setAttr(ir::uniformAttrName, ir::LevelAttr::get(op->getContext(), level));
  };
  for (Block &block : kernel.getBody())
    for (Operation &op : block) {
      if (op.getNumResults() == 1 && !op.hasTrait<OpTrait::ConstantLike>())
        set(&op, analysis.valueLevel(op.getResult(0)));
      else if (op.getNumSuccessors() > 1)
        set(&op, analysis.branchLevel(&block));
    }
}

struct AnnotateUniformity : transforms::impl::AnnotateUniformityBase<AnnotateUniformity> {
  void runOnOperation() override {
    getOperation()->walk([](LLVM::LLVMFuncOp function) {
      if (ir::isKernel(function) && !function.isExternal())
        annotate(function);
    });
  }
};

} // namespace
