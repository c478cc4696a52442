// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a suspended block gets back into the chained form, which is the faster one: where
// all its threads stand at one safe point and hold what is uniform there in common, it
// goes on at that point. Any other block is the scheduled form's.

#include "Segments.h"

using namespace mlir;

namespace het::transforms {
namespace {

/// Builds the way from a suspended block's frame to its place in the chained form.
class Resume {
public:
  Resume(SegmentedKernel &segments, LLVM::LLVMFuncOp chained, FrameLayout &layout,
         const FrameAccess &frame)
      : segments(segments), chained(chained), layout(layout), frame(frame),
        builder(chained.getLoc(), chained.getContext()) {}

  Block *build(ArrayRef<ResumePoint> points, bool mayEnd);

private:
  Block *addBlock();
  Value isUniform(const ResumePoint &point);
  void goOn(const ResumePoint &point, LLVM::LLVMFuncOp arrivals);

  SegmentedKernel &segments;
  LLVM::LLVMFuncOp chained;
  FrameLayout &layout;
  const FrameAccess &frame;
  ImplicitLocOpBuilder builder;
  Value first; ///< a thread that has not ended
};

Block *Resume::addBlock() {
  auto *block = new Block();
  chained.getBody().push_back(block);
  return block;
}

/// Whether the threads hold in common what the chained form keeps once.
Value Resume::isUniform(const ResumePoint &point) {
  Value all = constant32(builder, 1);
  for (unsigned index : point.uniform.set_bits()) {
    const FrameSlot &slot = layout.slot(point.point->slots[index]);
    Value same =
        callRuntime(builder, "__het_is_uniform", builder.getI32Type(),
                    {frame.pcs(builder), frame.threads(),
                     frame.slotArray(builder, point.point->slots[index]),
                     constant64(builder, static_cast<int64_t>(slot.size)), first});
    all = LLVM::AndOp::create(builder, all, same);
  }
  return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, all,
                              constant32(builder, 0));
}

void Resume::goOn(const ResumePoint &point, LLVM::LLVMFuncOp arrivals) {
  ValueRange arguments = chained.getArguments().drop_front();
  if (LLVM::LLVMFuncOp unpark = buildUnparking(segments, *point.point, layout))
    LLVM::CallOp::create(builder, unpark, arguments);
  if (Operation *sync = point.point->sync; sync && sync->getNumOperands())
    LLVM::CallOp::create(builder, arrivals, arguments);
  SmallVector<Value> live;
  for (unsigned index : point.uniform.set_bits())
    live.push_back(LLVM::LoadOp::create(
        builder, point.point->op.getLive()[index].getType(),
        frame.slotOfLane(builder, point.point->slots[index], first)));
  LLVM::BrOp::create(builder, live, point.target);
}

Block *Resume::build(ArrayRef<ResumePoint> points, bool mayEnd) {
  Block *apart = addBlock();
  builder.setInsertionPointToEnd(apart);
  LLVM::ReturnOp::create(builder, ValueRange{constant32(builder, apartPc)});
  if (points.empty())
    return apart;

  LLVM::LLVMFuncOp arrivals;
  if (llvm::any_of(points, [](const ResumePoint &point) {
        return point.point->sync && point.point->sync->getNumOperands();
      }))
    if (arrivals = buildArrivals(segments, layout); !arrivals)
      return nullptr;
  Block *entry = addBlock();
  builder.setInsertionPointToEnd(entry);
  Type i64 = builder.getI64Type();
  Value place =
      LLVM::AllocaOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()),
                             i64, constant32(builder, 1));
  Value at = callRuntime(
      builder, "__het_suspended_at", builder.getI32Type(),
      {frame.pcs(builder), frame.threads(), constant32(builder, mayEnd), place});
  first = LLVM::LoadOp::create(builder, i64, place);
  SmallVector<APInt> pcs;
  SmallVector<Block *> targets;
  for (const ResumePoint &point : points) {
    pcs.push_back(APInt(32, point.point->pc));
    targets.push_back(addBlock());
  }
  SmallVector<ValueRange> none(points.size());
  LLVM::SwitchOp::create(builder, at, apart, ValueRange{}, pcs, targets, none);
  for (auto [point, block] : llvm::zip(points, targets)) {
    builder.setInsertionPointToEnd(block);
    Value uniform = isUniform(point);
    Block *proceed = addBlock();
    LLVM::CondBrOp::create(builder, uniform, proceed, ValueRange{}, apart, ValueRange{});
    builder.setInsertionPointToEnd(proceed);
    goOn(point, arrivals);
  }
  return entry;
}

/// Adds the mark of the chained form to a pc that a block waits with.
Value markWaiting(ImplicitLocOpBuilder &builder, Value pc) {
  // Ended, deadlocked and suspended blocks wait for nothing.
  Value waits = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, pc,
                                     constant32(builder, chainBit));
  Value marked = LLVM::OrOp::create(builder, pc, constant32(builder, chainBit));
  return LLVM::SelectOp::create(builder, waits, marked, pc);
}

} // namespace

Block *buildResume(SegmentedKernel &segments, LLVM::LLVMFuncOp chained,
                   FrameLayout &layout, const FrameAccess &frame,
                   ArrayRef<ResumePoint> points, bool mayEnd) {
  return Resume(segments, chained, layout, frame).build(points, mayEnd);
}

LLVM::LLVMFuncOp resumeInEither(LLVM::LLVMFuncOp chained, LLVM::LLVMFuncOp scheduled) {
  ImplicitLocOpBuilder builder(scheduled.getLoc(), scheduled);
  std::string name = scheduled.getName().str();
  auto resume = cast<LLVM::LLVMFuncOp>(builder.cloneWithoutRegions(*scheduled));
  scheduled.setName(name + ".scheduled");
  scheduled.setLinkage(LLVM::Linkage::Internal);
  Block *entry = resume.addEntryBlock(builder);
  auto addBlock = [&] {
    resume.getBody().push_back(new Block());
    return &resume.getBody().back();
  };
  Block *isMarked = addBlock(), *inChain = addBlock(), *inSchedule = addBlock(),
        *chainEnds = addBlock();
  Value pc = entry->getArgument(0);
  SmallVector<Value> arguments(entry->getArguments());
  auto call = [&](LLVM::LLVMFuncOp function, Value at) {
    arguments[0] = at;
    return LLVM::CallOp::create(builder, function, arguments).getResult();
  };

  builder.setInsertionPointToEnd(entry);
  Value wasSuspended = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, pc,
                                            constant32(builder, parkedPc));
  LLVM::CondBrOp::create(builder, wasSuspended, inChain, ValueRange{pc}, isMarked,
                         ValueRange{});
  Value chainPc = inChain->addArgument(pc.getType(), pc.getLoc());

  builder.setInsertionPointToEnd(isMarked);
  // The scheduled form waits with pcs that have the bit above as well (teams.h).
  Value mark = LLVM::AndOp::create(builder, pc, constant32(builder, chainBit * 3));
  Value hasMark = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, mark,
                                       constant32(builder, chainBit));
  Value unmarked = LLVM::XOrOp::create(builder, pc, mark);
  LLVM::CondBrOp::create(builder, hasMark, inChain, ValueRange{unmarked}, inSchedule,
                         ValueRange{});

  builder.setInsertionPointToEnd(inChain);
  Value result = call(chained, chainPc);
  Value stands = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, result,
                                      constant32(builder, apartPc));
  LLVM::CondBrOp::create(builder, stands, chainEnds, ValueRange{}, inSchedule,
                         ValueRange{});
  builder.setInsertionPointToEnd(chainEnds);
  LLVM::ReturnOp::create(builder, ValueRange{markWaiting(builder, result)});

  builder.setInsertionPointToEnd(inSchedule);
  LLVM::ReturnOp::create(builder, ValueRange{call(scheduled, pc)});
  return resume;
}

} // namespace het::transforms
