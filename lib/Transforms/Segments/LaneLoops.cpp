// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A segment for all lanes of a block: a loop nest over the block's z, y and x around
// the code of one lane. The innermost loop is x, so that neighbouring lanes are
// neighbours in memory, and its lanes are marked independent: LLVM can vectorise it.

#include "Segments.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace het::transforms {

LaneLoop openLoop(ImplicitLocOpBuilder &builder, Region &region, Value bound) {
  LaneLoop loop;
  Type type = bound.getType();
  Location loc = builder.getLoc();
  for (Block **block : {&loop.body, &loop.latch, &loop.exit}) {
    *block = new Block();
    region.push_back(*block);
  }
  Value zero = LLVM::ConstantOp::create(builder, type, builder.getIntegerAttr(type, 0));
  LLVM::BrOp::create(builder, ValueRange{zero}, loop.body);
  loop.counter = loop.body->addArgument(type, loc);
  builder.setInsertionPointToEnd(loop.latch);
  Value one = LLVM::ConstantOp::create(builder, type, builder.getIntegerAttr(type, 1));
  Value next = LLVM::AddOp::create(builder, loop.counter, one,
                                   LLVM::IntegerOverflowFlags::nuw |
                                       LLVM::IntegerOverflowFlags::nsw);
  Value again = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, next, bound);
  LLVM::CondBrOp::create(builder, again, loop.body, ValueRange{next}, loop.exit,
                         ValueRange{});
  builder.setInsertionPointToEnd(loop.body);
  return loop;
}

void markParallel(Block *latch, LLVM::AccessGroupAttr group) {
  auto annotation = LLVM::LoopAnnotationAttr::get(
      group.getContext(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
      nullptr, nullptr, nullptr, BoolAttr::get(group.getContext(), true), nullptr,
      nullptr, nullptr, group);
  cast<LLVM::CondBrOp>(latch->getTerminator()).setLoopAnnotationAttr(annotation);
}

/// The function that runs a segment for every lane of the block.
LLVM::LLVMFuncOp buildLaneLoops(SegmentedKernel &segments, const SegmentPoint &point,
                                FrameLayout &layout, ArrayRef<llvm::BitVector> uniform,
                                bool keepsPcs) {
  LLVM::LLVMFuncOp kernel = segments.kernel;
  Builder builder(kernel.getContext());
  SmallVector<Type> extra;
  for (unsigned index : uniform[point.id].set_bits())
    extra.push_back(point.op.getLive()[index].getType());
  bool reduces = point.sync && isa<ir::BarrierReduceOp>(point.sync);
  if (reduces)
    extra.push_back(builder.getI32Type());
  auto function =
      createSegmentFunction(segments, ".segment." + Twine(point.id),
                            LLVM::LLVMVoidType::get(kernel.getContext()), extra);
  function->setAttr(ir::segmentAttrName, builder.getI32IntegerAttr(point.pc));

  Region &region = function.getBody();
  Block *entry = &region.front();
  IRMapping mapping;
  unsigned count = kernel.getNumArguments();
  mapping.map(kernel.getArguments(), entry->getArguments().take_front(count));
  ValueRange rest = entry->getArguments().drop_front(count);
  for (unsigned index : uniform[point.id].set_bits()) {
    mapping.map(point.op->getResult(index), rest.front());
    rest = rest.drop_front();
  }
  if (reduces)
    mapping.map(point.sync->getResult(0), rest.front());

  ImplicitLocOpBuilder b(point.op.getLoc(), kernel.getContext());
  b.setInsertionPointToEnd(entry);
  FrameAccess access(layout, b);
  Value pcs = keepsPcs ? access.pcs(b) : Value();
  Value extent[3];
  for (ir::Dim dim : {ir::Dim::X, ir::Dim::Y, ir::Dim::Z})
    extent[static_cast<unsigned>(dim)] = ir::BlockDimOp::create(b, dim);
  LaneLoop z = openLoop(b, region, extent[2]);
  LaneLoop y = openLoop(b, region, extent[1]);
  Value plane = LLVM::MulOp::create(b, z.counter, extent[1]);
  Value row = LLVM::AddOp::create(b, plane, y.counter);
  Value rowStart = LLVM::MulOp::create(b, row, extent[0]);
  Value rowStart64 = LLVM::ZExtOp::create(b, b.getI64Type(), rowStart);
  LaneLoop x = openLoop(b, region, extent[0]);
  b.setInsertionPointToEnd(y.exit);
  LLVM::BrOp::create(b, z.latch);
  b.setInsertionPointToEnd(x.exit);
  LLVM::BrOp::create(b, y.latch);
  b.setInsertionPointToEnd(z.exit);
  LLVM::ReturnOp::create(b, ValueRange{});

  b.setInsertionPointToEnd(x.body);
  Value x64 = LLVM::ZExtOp::create(b, b.getI64Type(), x.counter);
  LaneContext context;
  context.constantsInSlots = false;
  context.lane = LLVM::AddOp::create(b, rowStart64, x64);
  context.position[0] = x.counter;
  context.position[1] = y.counter;
  context.position[2] = z.counter;
  context.layout = &layout;
  context.frame = &access;
  context.next = x.latch;
  context.accessGroup = LLVM::AccessGroupAttr::get(kernel.getContext());
  context.uniform.assign(uniform.begin(), uniform.end());
  auto pcOfLane = [&](ImplicitLocOpBuilder &at) -> Value {
    return LLVM::GEPOp::create(at, pcs.getType(), at.getI32Type(), pcs,
                               ArrayRef<LLVM::GEPArg>{context.lane});
  };
  context.leave = [&](ImplicitLocOpBuilder &at, uint32_t pc) {
    if (!keepsPcs || pc != endedPc)
      return;
    auto store = LLVM::StoreOp::create(at, constant32(at, -1), pcOfLane(at));
    store.setAccessGroupsAttr(ArrayAttr::get(kernel.getContext(), {context.accessGroup}));
  };
  if (keepsPcs && point.id != 0) {
    auto pc = LLVM::LoadOp::create(b, b.getI32Type(), pcOfLane(b));
    pc.setAccessGroupsAttr(ArrayAttr::get(kernel.getContext(), {context.accessGroup}));
    Value alive = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, pc, constant32(b, -1));
    Block *body = new Block();
    region.push_back(body);
    LLVM::CondBrOp::create(b, alive, body, ValueRange{}, x.latch, ValueRange{});
    b.setInsertionPointToEnd(body);
  }
  if (failed(emitLane(segments, point, mapping, b.getInsertionBlock(), context)))
    return nullptr;
  markParallel(x.latch, context.accessGroup);
  return function;
}

} // namespace het::transforms
