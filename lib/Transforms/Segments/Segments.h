// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel cut at its safe points, and the code of one lane from one safe point to
// the next ones. What chains the segments (ChainSegments.cpp: uniform control;
// ScheduleSegments.cpp: any control) builds on this.
//
// Terms. A *point* is a safe point with the sync operation that follows it, in a
// block of its own; its *start* is the block behind it. The *segment* of a point is
// the code reachable from its start until the next points or the kernel's end.

#ifndef HET_LIB_TRANSFORMS_SEGMENTS_SEGMENTS_H
#define HET_LIB_TRANSFORMS_SEGMENTS_SEGMENTS_H

#include "het/IR/Module.h"
#include "het/Transforms/Frame.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"

namespace het::transforms {

struct SegmentPoint {
  unsigned id; ///< its place among the points of this form
  uint32_t pc; ///< what a lane's pc is that stands here: the safe point's own id
  mutable ir::SafePointOp op; ///< a handle; MLIR gives no const access
  mlir::Operation *sync;      ///< the sync operation behind it, or null
  mlir::Block *block;         ///< holds `op`, `sync` and a branch to `start`
  mlir::Block *start;
  llvm::SmallVector<unsigned> slots;
};

/// Splits a kernel's blocks so that each safe point stands alone.
class SegmentedKernel {
public:
  explicit SegmentedKernel(mlir::LLVM::LLVMFuncOp kernel);

  /// Whether blocks can be parked inside, by the form that is made of it.
  bool isParkable() const { return parkable; }

  /// The blocks of a segment in reverse post-order (definitions before uses),
  /// without the blocks of points.
  llvm::SmallVector<mlir::Block *> blocksFrom(mlir::Block *start) const;

  /// The point whose block this is, or null.
  const SegmentPoint *pointIn(mlir::Block *block) const;

  mlir::LLVM::LLVMFuncOp kernel;
  llvm::SmallVector<SegmentPoint> points;

private:
  bool parkable;
  llvm::DenseMap<mlir::Block *, unsigned> pointOf;
};

/// What the code of a lane sees, and where it goes when it leaves its segment.
struct LaneContext {
  mlir::Value lane;        ///< i64, in the block
  mlir::Value position[3]; ///< thread id, i32
  FrameLayout *layout;
  const FrameAccess *frame;
  mlir::Block *next; ///< where a lane goes that has left its segment
  mlir::LLVM::AccessGroupAttr accessGroup; ///< lanes do not depend on each other
  /// Whether a team operation's constant operands are taken from their slots too.
  bool constantsInSlots = true;
  /// The slots that a lane leaves alone because they are uniform, a bit for each
  /// live value of a point (by the point's id).
  llvm::ArrayRef<llvm::BitVector> uniform;
  /// Emits what must be noted of a lane that leaves towards point `pc` (or
  /// `endedPc`).
  std::function<void(mlir::ImplicitLocOpBuilder &, uint32_t pc)> leave;
};

/// Emits one lane's code of the segment of `point` at the end of `head`: loads its
/// slots, clones the segment, stores the slots of the points it leaves to.
/// `mapping` holds the kernel's arguments, the uniform live values and, where the
/// caller has it, the sync operation's results.
mlir::LogicalResult emitLane(const SegmentedKernel &segments, const SegmentPoint &point,
                             mlir::IRMapping mapping, mlir::Block *head,
                             const LaneContext &context);

/// Emits what a lane that was parked at `point` brings to the operation there: takes it
/// from its slots. As for emitLane.
mlir::LogicalResult emitArrival(const SegmentedKernel &segments,
                                const SegmentPoint &point, mlir::IRMapping mapping,
                                mlir::Block *head, const LaneContext &context);

/// A loop `do { … } while (++counter < bound)` over lanes.
struct LaneLoop {
  mlir::Block *body, *latch, *exit; ///< `latch` is where the body ends
  mlir::Value counter;
};

/// Opens a loop at the builder's place; then the builder stands in its body.
LaneLoop openLoop(mlir::ImplicitLocOpBuilder &builder, mlir::Region &region,
                  mlir::Value bound);

/// Tells LLVM that the lanes of a loop are independent.
void markParallel(mlir::Block *latch, mlir::LLVM::AccessGroupAttr group);

/// The slots that hold a team operation's operands and results.
struct ExchangeSlots {
  llvm::SmallVector<unsigned> operands, results;
};
ExchangeSlots exchangeSlots(FrameLayout &layout, mlir::Operation *sync);

/// Names what a team operation does: operations of one name share their slots too, so
/// that lanes can carry them out together wherever they stand.
std::string teamOperationName(mlir::Operation *sync);

/// Replaces thread, lane and team ids by values of the lane's position.
void replacePositions(llvm::ArrayRef<mlir::Block *> blocks, const LaneContext &context);

/// Emits the call that carries out `sync` for the lanes that stand at it: those of
/// one team (`team` and `lanes`, both i32) or, where these are null, all threads
/// of the block that have not ended (`pcs` null: none has). With `useConstants` the
/// lanes are all at `sync` itself, and its constant operands need not lie in slots.
void emitTeamOperation(mlir::ImplicitLocOpBuilder &builder, mlir::Operation *sync,
                       const ExchangeSlots &slots, const FrameAccess &frame,
                       mlir::Value pcs, mlir::Value team, mlir::Value lanes,
                       bool useConstants);

/// Emits the call that combines a barrier's predicates over the block; i32.
mlir::Value emitBarrierReduction(mlir::ImplicitLocOpBuilder &builder,
                                 ir::BarrierReduceOp sync, const ExchangeSlots &slots,
                                 const FrameAccess &frame, mlir::Value pcs);

/// Calls a function of the device library, declaring it on first use.
mlir::Value callRuntime(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                        mlir::Type result, mlir::ValueRange arguments);

/// The forms of a segmented kernel, with the layout of its safe points. The chained one
/// is for control that is uniform over the block; elsewhere nothing is done and nothing
/// returned.
std::optional<mlir::LogicalResult> chainSegments(SegmentedKernel &segments,
                                                 FrameLayout layout);
mlir::LogicalResult scheduleSegments(SegmentedKernel &segments, FrameLayout layout);

/// Lets the safe points of a form that is not gone on with elsewhere carry addresses in
/// shared objects, where they carry distances; buildParking() makes these again.
void carryAddresses(mlir::LLVM::LLVMFuncOp kernel);

/// The function that runs for a block that parks at `point`: every lane that has not
/// ended stands there, and has the uniform values in its own slots too. Its arguments
/// are the kernel's and those values.
mlir::LLVM::LLVMFuncOp buildParking(SegmentedKernel &segments, const SegmentPoint &point,
                                    const FrameLayout &layout,
                                    const llvm::BitVector &uniform, bool keepsPcs);

/// The function that turns that round for a suspended block that goes on at `point` in
/// the form that it was suspended in: addresses in shared objects become those of here.
/// Its arguments are the kernel's. Null where there are none.
mlir::LLVM::LLVMFuncOp buildUnparking(SegmentedKernel &segments,
                                      const SegmentPoint &point,
                                      const FrameLayout &layout);

/// The function that makes a block's frame what the scheduler expects, where it is
/// that of a parked block. Its arguments are the kernel's. Null after an error.
mlir::LLVM::LLVMFuncOp buildArrivals(SegmentedKernel &segments, FrameLayout &layout);

/// What `run` returns where the block has parked, and the mark in a pc that it is to
/// park there (docs/design/safe-points.md, State of a block).
constexpr uint32_t parkedPc = 0x7FFFFFFD, stayBit = 0x80000000;

/// Result of the chained form for a suspended block whose threads do not stand together,
/// and the mark in a pc with which a block waits in that form. The bit above it is clear
/// there, and set in each pc with which a block waits in the scheduled form.
constexpr uint32_t apartPc = 0x7FFFFFFC, chainBit = 0x20000000;

/// The mark in a pc with which a block waits that it waits at its cluster's barrier; else
/// it waits at the grid's. What is no such pc may have it, too.
constexpr uint32_t clusterBit = 0x10000000;

/// Makes `@k.resume` of a chained form and a scheduled one: the chained one resumes a
/// block whose threads stand together, the scheduled one any other. Returns it.
mlir::LLVM::LLVMFuncOp resumeInEither(mlir::LLVM::LLVMFuncOp chained,
                                      mlir::LLVM::LLVMFuncOp scheduled);

/// A point at which the chained form goes on with suspended blocks.
struct ResumePoint {
  const SegmentPoint *point;
  /// Which live values are the same for the block; those are the arguments of `target`.
  llvm::BitVector uniform;
  mlir::Block *target;
};

/// Adds to the chained form where it resumes a suspended block: returns the block that
/// finds the point, and ends with apartPc where there is none. `mayEnd`: whether threads
/// may have ended while others go on.
mlir::Block *buildResume(SegmentedKernel &segments, mlir::LLVM::LLVMFuncOp chained,
                         FrameLayout &layout, const FrameAccess &frame,
                         llvm::ArrayRef<ResumePoint> points, bool mayEnd);

/// A private function beside the kernel, with the kernel's arguments first.
mlir::LLVM::LLVMFuncOp createSegmentFunction(SegmentedKernel &segments,
                                             const llvm::Twine &name, mlir::Type result,
                                             mlir::TypeRange extraArguments);

/// The function that runs a segment for every lane of the block. Its arguments: the
/// kernel's, the uniform live values of the point (by `uniform`, as in LaneContext),
/// and a barrier reduction's result. With `keepsPcs` lanes that have ended are passed
/// over. Null after an error.
mlir::LLVM::LLVMFuncOp buildLaneLoops(SegmentedKernel &segments,
                                      const SegmentPoint &point, FrameLayout &layout,
                                      llvm::ArrayRef<llvm::BitVector> uniform,
                                      bool keepsPcs);

/// Puts `run` in the kernel's place: its name, its attributes and what a device must
/// know of its frame.
void finishKernel(SegmentedKernel &segments, mlir::LLVM::LLVMFuncOp run,
                  const FrameLayout &layout);

/// The i32 or i64 constant.
mlir::Value constant32(mlir::ImplicitLocOpBuilder &builder, int64_t value);
mlir::Value constant64(mlir::ImplicitLocOpBuilder &builder, int64_t value);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SEGMENTS_SEGMENTS_H
