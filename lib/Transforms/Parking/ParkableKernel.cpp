// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of a parkable kernel: its points, its entry and its parameter.

#include "ParkableKernel.h"
#include <cstddef>

using namespace mlir;
using het::ir::SafePointReason;

namespace het::transforms {

ParkableKernel::ParkableKernel(LLVM::LLVMFuncOp function, const SharedObjects &shared,
                               const ParkingForm &form)
    : function(function), form(form), layout(function),
      code(function, layout, shared, this->form) {}

void ParkableKernel::splitPoints() {
  SmallVector<ir::SafePointOp> ops;
  function.walk([&](ir::SafePointOp op) { ops.push_back(op); });
  for (ir::SafePointOp op : ops) {
    if (op.getReason() == SafePointReason::Entry ||
        (op.getReason() != SafePointReason::Poll &&
         function->hasAttr(ir::parksAtPollsAttrName))) {
      op->replaceAllUsesWith(op.getLive());
      op->erase();
      continue;
    }
    Block *before = op->getBlock(), *block = before->splitBlock(op);
    OpBuilder builder = OpBuilder::atBlockEnd(before);
    LLVM::BrOp::create(builder, op.getLoc(), op.getLive(), block);
    ParkablePoint point{op.getId(), op.getReason(), nullptr, block, nullptr, nullptr, {}};
    for (Value result : op->getResults())
      result.replaceAllUsesWith(block->addArgument(result.getType(), op.getLoc()));
    llvm::append_range(
        point.slots,
        op->getAttrOfType<DenseI32ArrayAttr>(ir::slotsAttrName).asArrayRef());
    point.sync = op.getSyncPoint();
    op->erase();
    point.next =
        block->splitBlock(point.sync ? point.sync->getNextNode() : &block->front());
    points.push_back(std::move(point));
  }
}

void ParkableKernel::removePoints() {
  SmallVector<ir::SafePointOp> ops;
  function.walk([&](ir::SafePointOp op) { ops.push_back(op); });
  for (ir::SafePointOp op : ops) {
    op->replaceAllUsesWith(op.getLive());
    op->erase();
  }
}

void ParkableKernel::createEntry() {
  Region &body = function.getBody();
  begin = &body.front();
  entry = new Block;
  body.push_front(entry);
  for (BlockArgument argument : begin->getArguments())
    argument.replaceAllUsesWith(
        entry->addArgument(argument.getType(), argument.getLoc()));
  begin->eraseArguments([](BlockArgument) { return true; });
  for (auto local : llvm::make_early_inc_range(begin->getOps<LLVM::AllocaOp>())) {
    Operation *count = local.getArraySize().getDefiningOp();
    if (count->getBlock() == begin)
      count->moveBefore(entry, entry->end());
    local->moveBefore(entry, entry->end());
  }
}

void ParkableKernel::addParameter() {
  ImplicitLocOpBuilder builder(function.getLoc(), function.getContext());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = function.getFunctionType();
  SmallVector<Type> types(type.getParams());
  types.push_back(pointer);
  SmallVector<Attribute> attributes;
  if (ArrayAttr old = function.getArgAttrsAttr())
    llvm::append_range(attributes, old);
  else
    attributes.assign(type.getNumParams(), builder.getDictionaryAttr({}));
  constexpr unsigned fields = sizeof(HetSuspendRecord) / sizeof(uint64_t);
  auto record = LLVM::LLVMArrayType::get(builder.getI64Type(), fields);
  attributes.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr(LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(record)),
       builder.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                            builder.getI64IntegerAttr(8)),
       builder.getNamedAttr(ir::gridConstantAttrName, builder.getUnitAttr())}));
  function.setFunctionType(LLVM::LLVMFunctionType::get(type.getReturnType(), types));
  function.getBody().front().addArgument(pointer, function.getLoc());
  function.setArgAttrsAttr(builder.getArrayAttr(attributes));
}

void ParkableKernel::readIntervals() {
  ImplicitLocOpBuilder &builder = code.builder;
  function.walk([&](ir::PollIntervalOp op) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    Value wide = code.field(offsetof(HetSuspendRecord, pollInterval));
    op.replaceAllUsesWith(
        LLVM::TruncOp::create(builder, builder.getI32Type(), wide).getResult());
    op.erase();
  });
}

} // namespace het::transforms
