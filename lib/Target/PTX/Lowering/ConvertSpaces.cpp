// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetir.is_space by PTX's isspacep. What CUDA calls constant lies in global memory here,
// so the addresses of the module's constants tell it; and global is what is in none of
// the other spaces. PTX ISA, section "isspacep".

#include "../../Support/Lowering/TargetLowering.h"
#include "ConvertToPTX.h"

using namespace mlir;

namespace het::ptx {
namespace {

class SpaceConverter {
public:
  SpaceConverter(ModuleOp module, ir::IsSpaceOp op)
      : module(module), op(op), builder(op.getLoc(), op) {}

  void run() {
    op.replaceAllUsesWith(isIn(op.getSpace()));
    op.erase();
  }

private:
  Value isIn(ir::Space space) {
    switch (space) {
    case ir::Space::Shared:
    case ir::Space::Local:
      return ask(stringifySpace(space));
    case ir::Space::Constant:
      return isConstant();
    case ir::Space::GridConstant:
      return isParameter();
    case ir::Space::Global:
      return isGlobal();
    }
    llvm_unreachable("an address space of no kind");
  }

  Value ask(StringRef space) {
    return callIntrinsic(builder, ("llvm.nvvm.isspacep." + space).str(),
                         builder.getI1Type(), op.getPointer());
  }

  Value isConstant() {
    Value address =
        LLVM::PtrToIntOp::create(builder, builder.getI64Type(), op.getPointer());
    return target::isInConstants(builder, module, address);
  }

  /// Parameters that no thread has a copy of are the only ones with an address in the
  /// space of parameters. LLVM has no intrinsic for it.
  Value isParameter() {
    if (!hasGridConstants())
      return LLVM::ConstantOp::create(builder, builder.getI1Type(),
                                      builder.getBoolAttr(false));
    auto query = LLVM::InlineAsmOp::create(
        builder, builder.getI32Type(), ValueRange{op.getPointer()},
        "{\n\t.reg .pred p;\n\tisspacep.param p, $1;\n\tselp.u32 $0, 1, 0, p;\n\t}",
        "=r,l", /*has_side_effects=*/false, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
    return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, query.getResult(0),
                                constantI32(builder, 0));
  }

  bool hasGridConstants() {
    return llvm::any_of(module.getOps<LLVM::LLVMFuncOp>(), [](LLVM::LLVMFuncOp function) {
      for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
        if (function.getArgAttr(i, ir::gridConstantAttrName))
          return true;
      return false;
    });
  }

  Value isGlobal() {
    Value other = LLVM::OrOp::create(builder, isConstant(), isParameter());
    Value one = LLVM::ConstantOp::create(builder, builder.getI1Type(),
                                         builder.getBoolAttr(true));
    return LLVM::AndOp::create(builder, ask("global"),
                               LLVM::XOrOp::create(builder, other, one));
  }

  ModuleOp module;
  ir::IsSpaceOp op;
  ImplicitLocOpBuilder builder;
};

} // namespace

void convertSpaces(ModuleOp module) {
  SmallVector<ir::IsSpaceOp> queries;
  module.walk([&](ir::IsSpaceOp query) { queries.push_back(query); });
  for (ir::IsSpaceOp query : queries)
    SpaceConverter(module, query).run();
}

} // namespace het::ptx
