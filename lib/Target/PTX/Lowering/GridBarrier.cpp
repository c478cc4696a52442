// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of all blocks of a cooperative launch: one word of global memory. Every
// block adds 1 to it, the first one adds 2^31 minus the number of the others, so that
// bit 31 changes when all have come, and stays until they come again.
//
//   barrier; if (thread 0 of the block) { fence; old = atomic add;
//   while ((old ^ load) < 2^31) ; fence } barrier

#include "ConvertToPTX.h"

using namespace mlir;

namespace het::ptx {
namespace {

constexpr llvm::StringLiteral functionName = "het$grid_barrier";
constexpr llvm::StringLiteral wordName = "het$grid_barrier_word";

class GridBarrierBuilder {
public:
  GridBarrierBuilder(ModuleOp module, Location location)
      : module(module), location(location), builder(location, module.getContext()) {}

  LLVM::LLVMFuncOp build() {
    builder.setInsertionPointToEnd(module.getBody());
    auto word = LLVM::GlobalOp::create(builder, builder.getI32Type(),
                                       /*isConstant=*/false, LLVM::Linkage::Internal,
                                       wordName, builder.getI32IntegerAttr(0),
                                       /*alignment=*/4, ir::globalSpace);
    auto function = LLVM::LLVMFuncOp::create(
        builder, functionName,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()), {}),
        LLVM::Linkage::Internal);
    function.setConvergent(true);
    Block *entry = function.addEntryBlock(builder);
    Block *arrive = addBlock(function), *wait = addBlock(function);
    Block *arrived = addBlock(function), *end = addBlock(function);
    builder.setInsertionPointToEnd(entry);
    meet();
    LLVM::CondBrOp::create(builder, isZero("tid"), arrive, end);
    builder.setInsertionPointToEnd(arrive);
    Value old = add(word);
    LLVM::BrOp::create(builder, ValueRange{}, wait);
    builder.setInsertionPointToEnd(wait);
    LLVM::CondBrOp::create(builder, hasChanged(word, old), arrived, wait);
    builder.setInsertionPointToEnd(arrived);
    fence();
    LLVM::BrOp::create(builder, ValueRange{}, end);
    builder.setInsertionPointToEnd(end);
    meet();
    LLVM::ReturnOp::create(builder, ValueRange{});
    return function;
  }

private:
  Block *addBlock(LLVM::LLVMFuncOp function) {
    auto *block = new Block;
    function.getBody().push_back(block);
    return block;
  }
  Value read(const Twine &name) {
    return callIntrinsic(builder, ("llvm.nvvm.read.ptx.sreg." + name).str(),
                         builder.getI32Type(), {});
  }
  void meet() {
    callIntrinsic(builder, "llvm.nvvm.barrier.cta.sync.aligned.all", {},
                  constantI32(builder, 0));
  }
  void fence() {
    LLVM::FenceOp::create(builder, LLVM::AtomicOrdering::seq_cst, "device");
  }
  /// Whether the thread, or the block, is the first one.
  Value isZero(StringRef position) {
    Value any = constantI32(builder, 0);
    for (const char *axis : {".x", ".y", ".z"})
      any = LLVM::OrOp::create(builder, any, read(position + axis));
    return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, any,
                                constantI32(builder, 0));
  }
  Value add(LLVM::GlobalOp word) {
    fence();
    Value blocks = constantI32(builder, 1);
    for (const char *axis : {".x", ".y", ".z"})
      blocks = LLVM::MulOp::create(builder, blocks, read(Twine("nctaid") + axis));
    Value first = LLVM::SubOp::create(builder, constantI32(builder, 0x80000001u), blocks);
    Value increment =
        LLVM::SelectOp::create(builder, isZero("ctaid"), first, constantI32(builder, 1));
    return LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::add,
                                     LLVM::AddressOfOp::create(builder, word), increment,
                                     LLVM::AtomicOrdering::monotonic, "device");
  }
  Value hasChanged(LLVM::GlobalOp word, Value old) {
    Value now = LLVM::LoadOp::create(builder, builder.getI32Type(),
                                     LLVM::AddressOfOp::create(builder, word),
                                     /*alignment=*/4, /*isVolatile=*/true);
    Value difference = LLVM::XOrOp::create(builder, old, now);
    return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::slt, difference,
                                constantI32(builder, 0));
  }

  ModuleOp module;
  Location location;
  ImplicitLocOpBuilder builder;
};

} // namespace

void convertGridBarrier(ir::GridBarrierOp op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(functionName);
  if (!function)
    function = GridBarrierBuilder(module, op.getLoc()).build();
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  LLVM::CallOp::create(builder, function, ValueRange{});
  op.erase();
}

} // namespace het::ptx
