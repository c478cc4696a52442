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

namespace {

/// One function that runs a segment for every lane of the block.
class LaneLoops {
public:
  LaneLoops(SegmentedKernel &segments, const SegmentPoint &point, FrameLayout &layout,
            ArrayRef<llvm::BitVector> uniform, bool keepsPcs)
      : segments(segments), point(point), layout(layout), uniform(uniform),
        keepsPcs(keepsPcs), builder(point.op.getLoc(), segments.kernel.getContext()) {}

  /// Null after an error.
  LLVM::LLVMFuncOp build();

private:
  bool reduces() const { return point.sync && isa<ir::BarrierReduceOp>(point.sync); }
  void createFunction();
  void mapArguments();
  void openLoops();
  Value pcOfLane(ImplicitLocOpBuilder &at);
  void passOverEnded();

  SegmentedKernel &segments;
  const SegmentPoint &point;
  FrameLayout &layout;
  const ArrayRef<llvm::BitVector> uniform;
  const bool keepsPcs;
  ImplicitLocOpBuilder builder;

  LLVM::LLVMFuncOp function;
  IRMapping mapping;
  Value pcs; ///< null where they are not kept
  LaneContext context;
};

/// Its arguments: the kernel's, the uniform live values of the point, and a barrier
/// reduction's result.
void LaneLoops::createFunction() {
  SmallVector<Type> extra;
  for (unsigned index : uniform[point.id].set_bits())
    extra.push_back(point.op.getLive()[index].getType());
  if (reduces())
    extra.push_back(builder.getI32Type());
  function = createSegmentFunction(segments, ".segment." + Twine(point.id),
                                   LLVM::LLVMVoidType::get(builder.getContext()), extra);
  function->setAttr(ir::segmentAttrName, builder.getI32IntegerAttr(point.pc));
}

void LaneLoops::mapArguments() {
  LLVM::LLVMFuncOp kernel = segments.kernel;
  Block &entry = function.getBody().front();
  unsigned count = kernel.getNumArguments();
  mapping.map(kernel.getArguments(), entry.getArguments().take_front(count));
  ValueRange rest = entry.getArguments().drop_front(count);
  for (unsigned index : uniform[point.id].set_bits()) {
    mapping.map(point.op->getResult(index), rest.front());
    rest = rest.drop_front();
  }
  if (reduces())
    mapping.map(point.sync->getResult(0), rest.front());
}

/// Opens the loop nest; the builder stands in the innermost body then, and the context
/// has the lane's number and position.
void LaneLoops::openLoops() {
  Region &region = function.getBody();
  Value extent[3];
  for (ir::Dim dim : {ir::Dim::X, ir::Dim::Y, ir::Dim::Z})
    extent[static_cast<unsigned>(dim)] = ir::BlockDimOp::create(builder, dim);
  LaneLoop z = openLoop(builder, region, extent[2]);
  LaneLoop y = openLoop(builder, region, extent[1]);
  Value plane = LLVM::MulOp::create(builder, z.counter, extent[1]);
  Value row = LLVM::AddOp::create(builder, plane, y.counter);
  Value rowStart = LLVM::MulOp::create(builder, row, extent[0]);
  Value rowStart64 = LLVM::ZExtOp::create(builder, builder.getI64Type(), rowStart);
  LaneLoop x = openLoop(builder, region, extent[0]);
  builder.setInsertionPointToEnd(y.exit);
  LLVM::BrOp::create(builder, z.latch);
  builder.setInsertionPointToEnd(x.exit);
  LLVM::BrOp::create(builder, y.latch);
  builder.setInsertionPointToEnd(z.exit);
  LLVM::ReturnOp::create(builder, ValueRange{});

  builder.setInsertionPointToEnd(x.body);
  Value x64 = LLVM::ZExtOp::create(builder, builder.getI64Type(), x.counter);
  context.lane = LLVM::AddOp::create(builder, rowStart64, x64);
  context.position[0] = x.counter;
  context.position[1] = y.counter;
  context.position[2] = z.counter;
  context.next = x.latch;
}

Value LaneLoops::pcOfLane(ImplicitLocOpBuilder &at) {
  return LLVM::GEPOp::create(at, pcs.getType(), at.getI32Type(), pcs,
                             ArrayRef<LLVM::GEPArg>{context.lane});
}

/// Goes on in a new block with the lanes that have not ended.
void LaneLoops::passOverEnded() {
  auto pc = LLVM::LoadOp::create(builder, builder.getI32Type(), pcOfLane(builder));
  pc.setAccessGroupsAttr(builder.getArrayAttr({context.accessGroup}));
  Value alive =
      LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, pc, constant32(builder, -1));
  Block *body = new Block();
  function.getBody().push_back(body);
  LLVM::CondBrOp::create(builder, alive, body, ValueRange{}, context.next, ValueRange{});
  builder.setInsertionPointToEnd(body);
}

LLVM::LLVMFuncOp LaneLoops::build() {
  createFunction();
  mapArguments();
  builder.setInsertionPointToEnd(&function.getBody().front());
  FrameAccess access(layout, builder);
  if (keepsPcs)
    pcs = access.pcs(builder);
  openLoops();
  context.constantsInSlots = false;
  context.layout = &layout;
  context.frame = &access;
  context.accessGroup = LLVM::AccessGroupAttr::get(builder.getContext());
  context.uniform = uniform;
  context.leave = [&](ImplicitLocOpBuilder &at, uint32_t pc) {
    if (!keepsPcs || pc != endedPc)
      return;
    auto store = LLVM::StoreOp::create(at, constant32(at, -1), pcOfLane(at));
    store.setAccessGroupsAttr(at.getArrayAttr({context.accessGroup}));
  };
  if (keepsPcs && point.id != 0)
    passOverEnded();
  if (failed(emitLane(segments, point, mapping, builder.getInsertionBlock(), context)))
    return nullptr;
  markParallel(context.next, context.accessGroup);
  return function;
}

} // namespace

LLVM::LLVMFuncOp buildLaneLoops(SegmentedKernel &segments, const SegmentPoint &point,
                                FrameLayout &layout, ArrayRef<llvm::BitVector> uniform,
                                bool keepsPcs) {
  return LaneLoops(segments, point, layout, uniform, keepsPcs).build();
}

} // namespace het::transforms
