// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of a kernel whose lanes may reach safe points apart from each other:
// each lane has its pc, and a scheduler (runtime/devicelib/schedule.c) says which
// lanes of which team run which segment next. Correct for any control flow; the
// chained form is faster where it applies.

#include "Segments.h"

using namespace mlir;

namespace het::transforms {
namespace {

/// What a lane waits for at a point; the scheduler's numbers (schedule.c).
enum class Wait : uint8_t {
  nothing = 0,
  teamMask = 1,   ///< the lanes its mask names
  activeLanes = 2,///< no other lane of its team can run
  barrier = 3,
  barrierAnd = 4,
  barrierOr = 5,
  barrierCount = 6,
  gridBarrier = 7,
};

Wait waitAt(const SegmentPoint &point) {
  Operation *sync = point.sync;
  if (!sync)
    return Wait::nothing;
  if (isa<ir::GridBarrierOp>(sync))
    return Wait::gridBarrier;
  if (auto reduce = dyn_cast<ir::BarrierReduceOp>(sync))
    switch (reduce.getKind()) {
    case ir::BarrierReduceKind::And:
      return Wait::barrierAnd;
    case ir::BarrierReduceKind::Or:
      return Wait::barrierOr;
    case ir::BarrierReduceKind::Count:
      return Wait::barrierCount;
    }
  if (isa<ir::BarrierOp>(sync))
    return Wait::barrier;
  return isa<ir::ActiveMaskOp>(sync) ? Wait::activeLanes : Wait::teamMask;
}

class Schedule {
public:
  explicit Schedule(SegmentedKernel &segments)
      : segments(segments), kernel(segments.kernel), layout(kernel),
        builder(kernel.getLoc(), kernel.getContext()) {}

  LogicalResult build();

private:
  LLVM::LLVMFuncOp segmentFunction(const SegmentPoint &point);
  void createWaitTable();
  void buildLoop(LLVM::LLVMFuncOp run, ArrayRef<LLVM::LLVMFuncOp> functions);

  SegmentedKernel &segments;
  LLVM::LLVMFuncOp kernel;
  FrameLayout layout;
  ImplicitLocOpBuilder builder;
  unsigned maskSlot, predicateSlot, resultSlot;
};

/// The function that runs a segment for the lanes named by its last argument.
LLVM::LLVMFuncOp Schedule::segmentFunction(const SegmentPoint &point) {
  Type i32 = builder.getI32Type();
  auto function = createSegmentFunction(
      segments, ".segment." + Twine(point.id),
      LLVM::LLVMVoidType::get(kernel.getContext()), {i32, i32});
  Region &region = function.getBody();
  Block *entry = &region.front();
  unsigned count = kernel.getNumArguments();
  Value team = entry->getArgument(count), lanes = entry->getArgument(count + 1);
  IRMapping mapping;
  mapping.map(kernel.getArguments(), entry->getArguments().take_front(count));

  ImplicitLocOpBuilder b(point.op.getLoc(), kernel.getContext());
  b.setInsertionPointToEnd(entry);
  FrameAccess access(layout, b);
  Value pcs = access.pcs(b);
  Value width = ir::BlockDimOp::create(b, ir::Dim::X);
  Value height = ir::BlockDimOp::create(b, ir::Dim::Y);
  Value first = LLVM::MulOp::create(b, team, constant32(b, 32));
  Block *head = new Block(), *body = new Block(), *next = new Block(),
        *done = new Block();
  for (Block *block : {head, body, next, done})
    region.push_back(block);
  Value remaining = head->addArgument(i32, b.getLoc());
  LLVM::BrOp::create(b, ValueRange{lanes}, head);

  b.setInsertionPointToEnd(head);
  Value none = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, remaining,
                                    constant32(b, 0));
  LLVM::CondBrOp::create(b, none, done, ValueRange{}, body, ValueRange{});
  b.setInsertionPointToEnd(done);
  LLVM::ReturnOp::create(b, ValueRange{});

  b.setInsertionPointToEnd(body);
  Value bit = LLVM::CountTrailingZerosOp::create(b, i32, remaining, true);
  Value lane = LLVM::AddOp::create(b, first, bit);
  Value row = LLVM::UDivOp::create(b, lane, width);
  LaneContext context;
  context.lane = LLVM::ZExtOp::create(b, b.getI64Type(), lane);
  context.position[0] = LLVM::URemOp::create(b, lane, width);
  context.position[1] = LLVM::URemOp::create(b, row, height);
  context.position[2] = LLVM::UDivOp::create(b, row, height);
  context.layout = &layout;
  context.frame = &access;
  context.next = next;
  for (const SegmentPoint &other : segments.points)
    context.uniform.emplace_back(other.op.getLive().size());
  context.leave = [&](ImplicitLocOpBuilder &at, uint32_t pc) {
    Value address = LLVM::GEPOp::create(at, pcs.getType(), i32, pcs,
                                        ArrayRef<LLVM::GEPArg>{context.lane});
    LLVM::StoreOp::create(at, constant32(at, static_cast<int32_t>(pc)), address);
  };
  if (failed(emitLane(segments, point, mapping, body, context)))
    return nullptr;

  b.setInsertionPointToEnd(next);
  Value less = LLVM::SubOp::create(b, remaining, constant32(b, 1));
  Value rest = LLVM::AndOp::create(b, remaining, less);
  LLVM::BrOp::create(b, ValueRange{rest}, head);
  return function;
}

/// A constant beside the kernel: what lanes wait for at each point.
void Schedule::createWaitTable() {
  std::string bytes;
  for (const SegmentPoint &point : segments.points)
    bytes.push_back(static_cast<char>(waitAt(point)));
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  LLVM::GlobalOp::create(builder, type, true, LLVM::Linkage::Internal,
                         (kernel.getName() + ".waits").str(),
                         builder.getStringAttr(bytes));
}

void Schedule::buildLoop(LLVM::LLVMFuncOp run,
                         ArrayRef<LLVM::LLVMFuncOp> functions) {
  Type i32 = builder.getI32Type();
  Block *entry = run.addEntryBlock(builder);
  Block *loop = new Block(), *stop = new Block();
  run.getBody().push_back(loop);
  run.getBody().push_back(stop);
  builder.setInsertionPointToEnd(entry);
  FrameAccess frame(layout, builder);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value one = constant32(builder, 1);
  Value choice = LLVM::AllocaOp::create(
      builder, pointer, LLVM::LLVMArrayType::get(i32, 2), one);
  LLVM::StoreOp::create(builder, constant32(builder, 0), choice);
  Value pcs = frame.pcs(builder);
  Value waits = LLVM::AddressOfOp::create(builder, pointer,
                                          (kernel.getName() + ".waits").str());
  Value masks = frame.slotArray(builder, maskSlot);
  Value predicates = frame.slotArray(builder, predicateSlot);
  Value results = frame.slotArray(builder, resultSlot);
  callRuntime(builder, "__het_schedule_begin", nullptr,
              {run.getArgument(0), pcs, frame.threads(), waits});
  LLVM::BrOp::create(builder, loop);

  builder.setInsertionPointToEnd(loop);
  Value next = callRuntime(
      builder, "__het_schedule_next", i32,
      {pcs, frame.threads(), waits, masks, predicates, results, choice});
  Value team = LLVM::LoadOp::create(builder, i32, choice);
  Value second = LLVM::GEPOp::create(builder, pointer, i32, choice,
                                     ArrayRef<LLVM::GEPArg>{1});
  Value lanes = LLVM::LoadOp::create(builder, i32, second);
  SmallVector<APInt> values;
  SmallVector<Block *> targets;
  SmallVector<ValueRange> none(segments.points.size());
  for (const SegmentPoint &point : segments.points) {
    values.push_back(APInt(32, point.id));
    targets.push_back(new Block());
    run.getBody().push_back(targets.back());
  }
  LLVM::SwitchOp::create(builder, next, stop, ValueRange{}, values, targets, none);
  for (const SegmentPoint &point : segments.points) {
    builder.setInsertionPointToEnd(targets[point.id]);
    if (point.sync && ir::syncScope(point.sync) == ir::SyncScope::Team)
      emitTeamOperation(builder, point.sync, exchangeSlots(layout, point.sync),
                        frame, pcs, team, lanes);
    SmallVector<Value> arguments(run.getArguments().drop_front());
    arguments.append({team, lanes});
    LLVM::CallOp::create(builder, functions[point.id], arguments);
    LLVM::BrOp::create(builder, loop);
  }
  builder.setInsertionPointToEnd(stop);
  LLVM::ReturnOp::create(builder, ValueRange{next});
}

LogicalResult Schedule::build() {
  for (const SegmentPoint &point : segments.points)
    if (point.sync)
      (void)exchangeSlots(layout, point.sync);
  maskSlot = layout.addSlot("mask", builder.getI32Type());
  predicateSlot = layout.addSlot("predicate", builder.getI1Type());
  resultSlot = layout.addSlot("result", builder.getI32Type());
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (const SegmentPoint &point : segments.points) {
    functions.push_back(segmentFunction(point));
    if (!functions.back())
      return failure();
  }
  builder.setInsertionPoint(kernel);
  SmallVector<Type> arguments{builder.getI32Type()};
  llvm::append_range(arguments, kernel.getFunctionType().getParams());
  auto run = LLVM::LLVMFuncOp::create(
      builder, (kernel.getName() + ".run").str(),
      LLVM::LLVMFunctionType::get(builder.getI32Type(), arguments));
  createWaitTable();
  buildLoop(run, functions);
  finishKernel(segments, run, layout);
  return success();
}

} // namespace

LogicalResult scheduleSegments(SegmentedKernel &segments) {
  return Schedule(segments).build();
}

} // namespace het::transforms
