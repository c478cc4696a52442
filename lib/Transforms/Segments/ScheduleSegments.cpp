// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of a kernel whose lanes may reach safe points apart from each other:
// each lane has its pc, and a scheduler (runtime/devicelib/schedule.c) says which
// lanes of which team run which segment next. Correct for any control flow; the
// chained form is faster where it applies.

#include "../SafePoints/InsertLoopPoints.h"
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
  waitOthers = 7,       ///< what other lanes do in memory
  waitNamed = 8,        ///< at a barrier by number, for the whole block
  waitNamedCounted = 9, ///< likewise, for a count of threads
  waitArrive = 10,      ///< likewise, only until its team has arrived
  waitPoll = 11,        ///< waitBarrier where blocks are parked at polls only
  waitClusterBarrier = 12,
  waitTeam = 16, ///< and above: the lanes that its mask names
};

/// `__het_schedule_next` returns this plus a number of `Wait` for a team operation, or
/// the other plus a point for the operation and the segment of that point.
constexpr int32_t operationBit = 0x40000000, operationAtBit = 0x20000000;

/// The mark in a lane's pc that it waits for nothing there (`RELEASED` in schedule.h).
constexpr uint32_t releasedBit = 0x80000000;

/// The state of a block's 16 barriers by number (`Barrier` in schedule.h).
constexpr uint64_t barrierBytes = 16 * 16;

Wait waitAtBarrier(Operation *sync) {
  if (isa<ir::GridBarrierOp>(sync))
    return ir::usesCluster(sync) ? waitClusterBarrier : waitGridBarrier;
  if (isa<ir::BarrierArriveOp>(sync))
    return waitArrive;
  if (auto named = dyn_cast<ir::NamedBarrierOp>(sync))
    return named.getCount() ? waitNamedCounted : waitNamed;
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

bool isTeamOperation(const SegmentPoint &point) {
  return point.sync && ir::syncScope(point.sync) == ir::SyncScope::Team;
}

class Schedule {
public:
  Schedule(SegmentedKernel &segments, FrameLayout layout)
      : segments(segments), kernel(segments.kernel), layout(std::move(layout)),
        builder(kernel.getLoc(), kernel.getContext()) {}

  LogicalResult build();

private:
  void nameBarriers();
  void numberWaits();
  bool parksAtPolls() const { return kernel->hasAttr(ir::parksAtPollsAttrName); }
  void addSlots();
  void createWaitTable();
  void begin(Value pc, const FrameAccess &frame);
  Value callScheduler(const FrameAccess &frame);
  LogicalResult resumeSuspended(LLVM::LLVMFuncOp run);
  SmallVector<Block *> branchOn(Value next, LLVM::LLVMFuncOp run, Block *stop);
  LogicalResult buildLoop(LLVM::LLVMFuncOp run, ArrayRef<LLVM::LLVMFuncOp> functions);

  SegmentedKernel &segments;
  LLVM::LLVMFuncOp kernel;
  FrameLayout layout;
  ImplicitLocOpBuilder builder;
  SmallVector<uint8_t> waits;                       ///< by point
  llvm::MapVector<uint8_t, Operation *> operations; ///< one of each wait's
  unsigned maskSlot, predicateSlot, resultSlot;
  bool meetsByNumber = false;     ///< barriers have numbers or counts
  unsigned numberSlot, countSlot; ///< of the barrier; only where they have
  uint64_t barrierMemory;         ///< likewise
  Value schedule, pcs, table;     ///< in the loop's function
};

/// Barriers that are more than number 0 of the whole block become operations with their
/// number as an operand, which so has a slot of each lane.
void Schedule::nameBarriers() {
  for (SegmentPoint &point : segments.points) {
    auto barrier = dyn_cast_or_null<ir::BarrierOp>(point.sync);
    if (barrier && !barrier.isWholeBarrier()) {
      builder.setLoc(barrier.getLoc());
      builder.setInsertionPointToStart(&kernel.getBody().front());
      Value number = constant32(builder, barrier.getId());
      builder.setInsertionPoint(barrier);
      point.sync = ir::NamedBarrierOp::create(builder, number, barrier.getCount());
      barrier.erase();
    }
    meetsByNumber |= point.sync && ir::syncScope(point.sync) == ir::SyncScope::Block &&
                     !ir::isWholeBarrier(point.sync);
  }
  builder.setLoc(kernel.getLoc());
}

/// Team operations of one kind, with the same types, can meet wherever they stand.
void Schedule::numberWaits() {
  llvm::StringMap<uint8_t> ofTeam;
  for (const SegmentPoint &point : segments.points) {
    uint8_t wait =
        point.op.getReason() == ir::SafePointReason::Yield ? waitOthers : waitNothing;
    if (parksAtPolls() && point.op.getReason() == ir::SafePointReason::Poll) {
      wait = waitPoll;
    } else if (point.sync && !isTeamOperation(point)) {
      wait = waitAtBarrier(point.sync);
    } else if (point.sync) {
      wait =
          isa<ir::ActiveMaskOp>(point.sync)
              ? waitActiveLanes
              : ofTeam
                    .try_emplace(teamOperationName(point.sync), waitTeam + ofTeam.size())
                    .first->second;
      operations.insert({wait, point.sync});
    }
    waits.push_back(wait);
  }
}

/// Builds the function that runs a segment for the lanes named by its last argument.
class SegmentFunction {
public:
  SegmentFunction(SegmentedKernel &segments, FrameLayout &layout,
                  const SegmentPoint &point, ArrayRef<llvm::BitVector> noneUniform)
      : segments(segments), layout(layout), point(point), noneUniform(noneUniform),
        builder(point.op.getLoc(), segments.kernel.getContext()) {}

  /// Null after an error.
  LLVM::LLVMFuncOp build();

private:
  LogicalResult emit(Block *body, LaneContext &context);
  LogicalResult emitAllLanes();
  LogicalResult emitLanes();
  bool isSmall() const;

  SegmentedKernel &segments;
  FrameLayout &layout;
  const SegmentPoint &point;
  const ArrayRef<llvm::BitVector> noneUniform; ///< as LaneContext has it
  ImplicitLocOpBuilder builder;
  LLVM::LLVMFuncOp function;
  std::optional<FrameAccess> access;
  IRMapping mapping;
  Value pcs, lanes, first, width, height;
};

/// Whether its code may be there twice.
bool SegmentFunction::isSmall() const {
  constexpr size_t maxOperations = 400;
  size_t count = 0;
  for (Block *block : segments.blocksFrom(point.start))
    count += block->getOperations().size();
  return count <= maxOperations;
}

LogicalResult SegmentFunction::emit(Block *body, LaneContext &context) {
  context.layout = &layout;
  context.frame = &*access;
  context.uniform = noneUniform;
  context.leave = [&](ImplicitLocOpBuilder &at, uint32_t pc) {
    if (pc != endedPc && segments.points[pc].op->hasAttr(additionalAttrName))
      pc |= releasedBit; // goes on from there also where the block is to be suspended
    Value address = LLVM::GEPOp::create(at, pcs.getType(), at.getI32Type(), pcs,
                                        ArrayRef<LLVM::GEPArg>{context.lane});
    auto store =
        LLVM::StoreOp::create(at, constant32(at, static_cast<int32_t>(pc)), address);
    if (context.accessGroup)
      store.setAccessGroupsAttr(ArrayAttr::get(at.getContext(), {context.accessGroup}));
  };
  return emitLane(segments, point, mapping, body, context);
}

/// All lanes of a team of a block in one dimension: a loop that LLVM can vectorise.
LogicalResult SegmentFunction::emitAllLanes() {
  LaneLoop loop = openLoop(builder, function.getBody(), constant32(builder, 32));
  LaneContext context;
  Value lane = LLVM::AddOp::create(builder, first, loop.counter);
  context.lane = LLVM::ZExtOp::create(builder, builder.getI64Type(), lane);
  context.position[0] = lane;
  context.position[1] = context.position[2] = constant32(builder, 0);
  context.next = loop.latch;
  context.accessGroup = LLVM::AccessGroupAttr::get(builder.getContext());
  if (failed(emit(loop.body, context)))
    return failure();
  markParallel(loop.latch, context.accessGroup);
  builder.setInsertionPointToEnd(loop.exit);
  LLVM::ReturnOp::create(builder, ValueRange{});
  return success();
}

/// One lane after the other.
LogicalResult SegmentFunction::emitLanes() {
  Type i32 = builder.getI32Type();
  Region &region = function.getBody();
  Block *head = new Block(), *body = new Block(), *next = new Block(),
        *done = new Block();
  for (Block *block : {head, body, next, done})
    region.push_back(block);
  Value remaining = head->addArgument(i32, builder.getLoc());
  LLVM::BrOp::create(builder, ValueRange{lanes}, head);

  builder.setInsertionPointToEnd(head);
  Value none = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, remaining,
                                    constant32(builder, 0));
  LLVM::CondBrOp::create(builder, none, done, ValueRange{}, body, ValueRange{});
  builder.setInsertionPointToEnd(done);
  LLVM::ReturnOp::create(builder, ValueRange{});

  builder.setInsertionPointToEnd(body);
  Value bit = LLVM::CountTrailingZerosOp::create(builder, i32, remaining, true);
  Value lane = LLVM::AddOp::create(builder, first, bit);
  Value row = LLVM::UDivOp::create(builder, lane, width);
  LaneContext context;
  context.lane = LLVM::ZExtOp::create(builder, builder.getI64Type(), lane);
  context.position[0] = LLVM::URemOp::create(builder, lane, width);
  context.position[1] = LLVM::URemOp::create(builder, row, height);
  context.position[2] = LLVM::UDivOp::create(builder, row, height);
  context.next = next;
  if (failed(emit(body, context)))
    return failure();

  builder.setInsertionPointToEnd(next);
  Value less = LLVM::SubOp::create(builder, remaining, constant32(builder, 1));
  Value rest = LLVM::AndOp::create(builder, remaining, less);
  LLVM::BrOp::create(builder, ValueRange{rest}, head);
  return success();
}

LLVM::LLVMFuncOp SegmentFunction::build() {
  LLVM::LLVMFuncOp kernel = segments.kernel;
  Type i32 = builder.getI32Type();
  function =
      createSegmentFunction(segments, ".segment." + Twine(point.id),
                            LLVM::LLVMVoidType::get(kernel.getContext()), {i32, i32});
  function->setAttr(ir::segmentAttrName, builder.getI32IntegerAttr(point.pc));
  function->setAttr(ir::segmentOfTeamAttrName, builder.getUnitAttr());
  Block *entry = &function.getBody().front();
  unsigned count = kernel.getNumArguments();
  Value team = entry->getArgument(count);
  lanes = entry->getArgument(count + 1);
  mapping.map(kernel.getArguments(), entry->getArguments().take_front(count));

  builder.setInsertionPointToEnd(entry);
  access.emplace(layout, builder);
  pcs = access->pcs(builder);
  width = ir::BlockDimOp::create(builder, ir::Dim::X);
  height = ir::BlockDimOp::create(builder, ir::Dim::Y);
  first = LLVM::MulOp::create(builder, team, constant32(builder, 32));
  if (isSmall()) {
    Value all = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, lanes,
                                     constant32(builder, -1));
    Value last = LLVM::AddOp::create(builder, first, constant32(builder, 31));
    Value inRow = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, last, width);
    Block *together = new Block(), *apart = new Block();
    function.getBody().push_back(together);
    function.getBody().push_back(apart);
    LLVM::CondBrOp::create(builder, LLVM::AndOp::create(builder, all, inRow), together,
                           ValueRange{}, apart, ValueRange{});
    builder.setInsertionPointToEnd(together);
    if (failed(emitAllLanes()))
      return nullptr;
    builder.setInsertionPointToEnd(apart);
  }
  return succeeded(emitLanes()) ? function : nullptr;
}

/// A constant beside the kernel: what lanes wait for at each point.
void Schedule::createWaitTable() {
  StringRef bytes(reinterpret_cast<const char *>(waits.data()), waits.size());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  LLVM::GlobalOp::create(builder, type, true, LLVM::Linkage::Internal,
                         (kernel.getName() + ".waits").str(),
                         builder.getStringAttr(bytes));
}

/// What comes before the loop: the scheduler's own state.
void Schedule::begin(Value pc, const FrameAccess &frame) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value one = constant32(builder, 1);
  schedule = LLVM::AllocaOp::create(
      builder, pointer, LLVM::LLVMArrayType::get(builder.getI32Type(), 4), one);
  pcs = frame.pcs(builder);
  table =
      LLVM::AddressOfOp::create(builder, pointer, (kernel.getName() + ".waits").str());
  callRuntime(builder, "__het_schedule_begin", nullptr,
              {pc, pcs, frame.threads(), table, schedule});
  if (meetsByNumber)
    callRuntime(builder, "__het_barriers_begin", nullptr,
                {pc, frame.blockMemory(builder, barrierMemory)});
}

/// What to do next.
Value Schedule::callScheduler(const FrameAccess &frame) {
  SmallVector<Value> arguments{pcs,
                               frame.threads(),
                               table,
                               frame.slotArray(builder, maskSlot),
                               frame.slotArray(builder, predicateSlot),
                               frame.slotArray(builder, resultSlot),
                               schedule};
  StringRef name = "__het_schedule_next";
  if (segments.isParkable()) {
    name = parksAtPolls() ? "__het_schedule_next_or_park_at_poll"
                          : "__het_schedule_next_or_park";
    arguments.push_back(ir::ParkingOp::create(builder));
  } else if (meetsByNumber) {
    name = "__het_schedule_next_by_number";
    arguments.append({frame.slotArray(builder, numberSlot),
                      frame.slotArray(builder, countSlot),
                      frame.blockMemory(builder, barrierMemory)});
  }
  return callRuntime(builder, name, builder.getI32Type(), arguments);
}

/// Where the block was parked: what its lanes bring to the operations they stand at.
LogicalResult Schedule::resumeSuspended(LLVM::LLVMFuncOp run) {
  LLVM::LLVMFuncOp arrivals = buildArrivals(segments, layout);
  if (!arrivals)
    return failure();
  Value wasParked =
      LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, run.getArgument(0),
                           constant32(builder, parkedPc));
  Block *arrive = new Block(), *proceed = new Block();
  run.getBody().push_back(arrive);
  run.getBody().push_back(proceed);
  LLVM::CondBrOp::create(builder, wasParked, arrive, ValueRange{}, proceed, ValueRange{});
  builder.setInsertionPointToEnd(arrive);
  LLVM::CallOp::create(builder, arrivals, run.getArguments().drop_front());
  LLVM::BrOp::create(builder, proceed);
  builder.setInsertionPointToEnd(proceed);
  return success();
}

/// Branches to a block of its own for each answer of the scheduler. Gives these in order:
/// a segment of each point, a team operation at each point that has one, and one of each
/// wait's.
SmallVector<Block *> Schedule::branchOn(Value next, LLVM::LLVMFuncOp run, Block *stop) {
  SmallVector<APInt> values;
  SmallVector<Block *> targets;
  auto addCase = [&](int32_t value) {
    values.push_back(APInt(32, value));
    targets.push_back(new Block());
    run.getBody().push_back(targets.back());
  };
  for (const SegmentPoint &point : segments.points)
    addCase(point.id);
  for (const SegmentPoint &point : segments.points)
    if (isTeamOperation(point))
      addCase(operationAtBit | point.id);
  for (auto &[wait, sync] : operations)
    addCase(operationBit | wait);
  SmallVector<ValueRange> none(targets.size());
  LLVM::SwitchOp::create(builder, next, stop, ValueRange{}, values, targets, none);
  return targets;
}

LogicalResult Schedule::buildLoop(LLVM::LLVMFuncOp run,
                                  ArrayRef<LLVM::LLVMFuncOp> functions) {
  Type i32 = builder.getI32Type();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Block *entry = run.addEntryBlock(builder);
  Block *loop = new Block(), *stop = new Block();
  run.getBody().push_back(loop);
  run.getBody().push_back(stop);
  builder.setInsertionPointToEnd(entry);
  FrameAccess frame(layout, builder);
  begin(run.getArgument(0), frame);
  if (segments.isParkable() && failed(resumeSuspended(run)))
    return failure();
  LLVM::BrOp::create(builder, loop);

  builder.setInsertionPointToEnd(loop);
  Value next = callScheduler(frame);
  Value team = LLVM::LoadOp::create(builder, i32, schedule);
  Value second =
      LLVM::GEPOp::create(builder, pointer, i32, schedule, ArrayRef<LLVM::GEPArg>{1});
  Value lanes = LLVM::LoadOp::create(builder, i32, second);
  SmallVector<Block *> targets = branchOn(next, run, stop);
  auto target = targets.begin();
  for (const SegmentPoint &point : segments.points) {
    builder.setInsertionPointToEnd(*target++);
    SmallVector<Value> arguments(run.getArguments().drop_front());
    arguments.append({team, lanes});
    LLVM::CallOp::create(builder, functions[point.id], arguments);
    LLVM::BrOp::create(builder, loop);
  }
  for (const SegmentPoint &point : segments.points) {
    if (!isTeamOperation(point))
      continue;
    builder.setInsertionPointToEnd(*target++);
    emitTeamOperation(builder, point.sync, exchangeSlots(layout, point.sync), frame, pcs,
                      team, lanes, /*useConstants=*/true);
    LLVM::BrOp::create(builder, targets[point.id]);
  }
  for (auto &[wait, sync] : operations) {
    builder.setInsertionPointToEnd(*target++);
    emitTeamOperation(builder, sync, exchangeSlots(layout, sync), frame, pcs, team, lanes,
                      /*useConstants=*/false);
    LLVM::BrOp::create(builder, loop);
  }
  builder.setInsertionPointToEnd(stop);
  LLVM::ReturnOp::create(builder, ValueRange{next});
  return success();
}

void Schedule::addSlots() {
  for (const SegmentPoint &point : segments.points)
    if (point.sync)
      (void)exchangeSlots(layout, point.sync);
  maskSlot = layout.addSlot("mask", builder.getI32Type());
  predicateSlot = layout.addSlot("predicate", builder.getI1Type());
  resultSlot = layout.addSlot("result", builder.getI32Type());
  if (!meetsByNumber)
    return;
  numberSlot = layout.addSlot("barrier", builder.getI32Type());
  countSlot = layout.addSlot("count", builder.getI32Type());
  barrierMemory = layout.addBlockMemory(barrierBytes);
}

LogicalResult Schedule::build() {
  nameBarriers();
  numberWaits();
  addSlots();
  SmallVector<LLVM::LLVMFuncOp> functions;
  SmallVector<llvm::BitVector> noneUniform;
  for (const SegmentPoint &point : segments.points)
    noneUniform.emplace_back(point.op.getLive().size());
  for (const SegmentPoint &point : segments.points) {
    functions.push_back(SegmentFunction(segments, layout, point, noneUniform).build());
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
  if (failed(buildLoop(run, functions)))
    return failure();
  finishKernel(segments, run, layout);
  return success();
}

} // namespace

LogicalResult scheduleSegments(SegmentedKernel &segments, FrameLayout layout) {
  return Schedule(segments, std::move(layout)).build();
}

} // namespace het::transforms
