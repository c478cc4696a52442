// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of a kernel whose lanes may reach safe points apart from each other:
// each lane has its pc, and a scheduler (runtime/devicelib/schedule.c) says which
// lanes of which team run which segment next. Correct for any control flow; the
// chained form is faster where it applies.

#include "Segments.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace het::transforms {
namespace {

/// What a lane waits for at a point; the scheduler's numbers (schedule.c).
enum Wait : uint8_t {
  waitNothing = 0,
  waitActiveLanes = 1, ///< no other lane of its team can run
  waitBarrier = 2,
  waitBarrierAnd = 3,
  waitBarrierOr = 4,
  waitBarrierCount = 5,
  waitGridBarrier = 6,
  waitOthers = 7, ///< what other lanes do in memory
  waitTeam = 16,  ///< and above: the lanes that its mask names
};

/// `__het_schedule_next` returns this plus a number of `Wait` for a team operation.
constexpr int32_t operationBit = 0x40000000;

Wait waitAtBarrier(Operation *sync) {
  if (isa<ir::GridBarrierOp>(sync))
    return waitGridBarrier;
  auto reduce = dyn_cast<ir::BarrierReduceOp>(sync);
  if (!reduce)
    return waitBarrier;
  switch (reduce.getKind()) {
  case ir::BarrierReduceKind::And:
    return waitBarrierAnd;
  case ir::BarrierReduceKind::Or:
    return waitBarrierOr;
  case ir::BarrierReduceKind::Count:
    return waitBarrierCount;
  }
  llvm_unreachable("a barrier reduction of no kind");
}

class Schedule {
public:
  explicit Schedule(SegmentedKernel &segments)
      : segments(segments), kernel(segments.kernel), layout(kernel),
        builder(kernel.getLoc(), kernel.getContext()) {}

  LogicalResult build();

private:
  void numberWaits();
  LLVM::LLVMFuncOp segmentFunction(const SegmentPoint &point);
  void createWaitTable();
  void buildLoop(LLVM::LLVMFuncOp run, ArrayRef<LLVM::LLVMFuncOp> functions);

  SegmentedKernel &segments;
  LLVM::LLVMFuncOp kernel;
  FrameLayout layout;
  ImplicitLocOpBuilder builder;
  SmallVector<uint8_t> waits; ///< by point
  llvm::MapVector<uint8_t, Operation *> operations; ///< one of each wait's
  unsigned maskSlot, predicateSlot, resultSlot;
};

/// Team operations of one kind, with the same types, can meet wherever they stand.
void Schedule::numberWaits() {
  llvm::StringMap<uint8_t> ofTeam;
  for (const SegmentPoint &point : segments.points) {
    uint8_t wait = point.op.getReason() == ir::SafePointReason::Yield
                       ? waitOthers
                       : waitNothing;
    if (point.sync && ir::syncScope(point.sync) != ir::SyncScope::Team) {
      wait = waitAtBarrier(point.sync);
    } else if (point.sync) {
      wait = isa<ir::ActiveMaskOp>(point.sync)
                 ? waitActiveLanes
                 : ofTeam.try_emplace(teamOperationName(point.sync),
                                      waitTeam + ofTeam.size())
                       .first->second;
      operations.insert({wait, point.sync});
    }
    waits.push_back(wait);
  }
}

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
  StringRef bytes(reinterpret_cast<const char *>(waits.data()), waits.size());
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
  Value schedule = LLVM::AllocaOp::create(
      builder, pointer, LLVM::LLVMArrayType::get(i32, 3), one);
  Value pcs = frame.pcs(builder);
  Value table = LLVM::AddressOfOp::create(builder, pointer,
                                          (kernel.getName() + ".waits").str());
  Value masks = frame.slotArray(builder, maskSlot);
  Value predicates = frame.slotArray(builder, predicateSlot);
  Value results = frame.slotArray(builder, resultSlot);
  callRuntime(builder, "__het_schedule_begin", nullptr,
              {run.getArgument(0), pcs, frame.threads(), table, schedule});
  LLVM::BrOp::create(builder, loop);

  builder.setInsertionPointToEnd(loop);
  Value next = callRuntime(
      builder, "__het_schedule_next", i32,
      {pcs, frame.threads(), table, masks, predicates, results, schedule});
  Value team = LLVM::LoadOp::create(builder, i32, schedule);
  Value second = LLVM::GEPOp::create(builder, pointer, i32, schedule,
                                     ArrayRef<LLVM::GEPArg>{1});
  Value lanes = LLVM::LoadOp::create(builder, i32, second);
  SmallVector<APInt> values;
  SmallVector<Block *> targets;
  auto addCase = [&](int32_t value) {
    values.push_back(APInt(32, value));
    targets.push_back(new Block());
    run.getBody().push_back(targets.back());
  };
  for (const SegmentPoint &point : segments.points)
    addCase(point.id);
  for (auto &[wait, sync] : operations)
    addCase(operationBit | wait);
  SmallVector<ValueRange> none(targets.size());
  LLVM::SwitchOp::create(builder, next, stop, ValueRange{}, values, targets, none);
  auto target = targets.begin();
  for (const SegmentPoint &point : segments.points) {
    builder.setInsertionPointToEnd(*target++);
    SmallVector<Value> arguments(run.getArguments().drop_front());
    arguments.append({team, lanes});
    LLVM::CallOp::create(builder, functions[point.id], arguments);
    LLVM::BrOp::create(builder, loop);
  }
  for (auto &[wait, sync] : operations) {
    builder.setInsertionPointToEnd(*target++);
    emitTeamOperation(builder, sync, exchangeSlots(layout, sync), frame, pcs, team,
                      lanes);
    LLVM::BrOp::create(builder, loop);
  }
  builder.setInsertionPointToEnd(stop);
  LLVM::ReturnOp::create(builder, ValueRange{next});
}

LogicalResult Schedule::build() {
  numberWaits();
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
