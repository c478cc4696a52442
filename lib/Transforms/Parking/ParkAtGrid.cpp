// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of all blocks in a parkable kernel. As no block may wait for one that is
// parked, the first thread of a block that waits looks at the flag, too, takes back its
// block's arrival where not all have come, and has the block park before the barrier.
//
// All meet at one word: every block adds 1 to it, the first one adds 2^31 minus the
// number of the others, so that bit 31 changes when all have come, and stays until they
// come again. It is 0 when a launch begins or goes on: then nobody has arrived.

#include "SafePointCode.h"
#include <cstddef>

using namespace mlir;

namespace het::transforms {
namespace {

/// What the first thread of a block does.
class GridMeeting {
public:
  GridMeeting(ParkingCode &code) : code(code), builder(code.builder) {}

  /// Ends in `join`, whose argument says whether the arrival was taken back.
  void emit(Block *join) {
    Block *wait = code.addBlock(), *look = code.addBlock(), *arrived = code.addBlock();
    Block *takeBack = code.addBlock(builder.getI32Type());
    Block *again = code.addBlock();
    word = code.count(offsetof(HetSuspendCounts, grid));
    fence();
    increment = findIncrement();
    old = LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::add, word, increment,
                                    LLVM::AtomicOrdering::monotonic, "device");
    LLVM::BrOp::create(builder, wait);

    builder.setInsertionPointToEnd(wait);
    Value now = LLVM::LoadOp::create(builder, builder.getI32Type(), word,
                                     /*alignment=*/4, /*isVolatile=*/true);
    LLVM::CondBrOp::create(builder, haveAllCome(now), arrived, look);
    builder.setInsertionPointToEnd(look);
    Value flag = code.lookAtFlag(code.keptFlagAddress());
    LLVM::CondBrOp::create(builder, flag, takeBack, ValueRange{now}, wait, ValueRange{});

    builder.setInsertionPointToEnd(takeBack);
    Value seen = takeBack->getArgument(0);
    Value less = LLVM::SubOp::create(builder, seen, increment);
    Value exchange = LLVM::AtomicCmpXchgOp::create(
        builder, word, seen, less, LLVM::AtomicOrdering::monotonic,
        LLVM::AtomicOrdering::monotonic, "device");
    Value found = LLVM::ExtractValueOp::create(builder, exchange, 0);
    Value done = LLVM::ExtractValueOp::create(builder, exchange, 1);
    LLVM::CondBrOp::create(builder, done, join, ValueRange{done}, again, ValueRange{});
    builder.setInsertionPointToEnd(again);
    LLVM::CondBrOp::create(builder, haveAllCome(found), arrived, ValueRange{}, takeBack,
                           ValueRange{found});

    builder.setInsertionPointToEnd(arrived);
    fence();
    LLVM::BrOp::create(builder, ValueRange{no()}, join);
  }

  Value no() {
    return LLVM::ConstantOp::create(builder, builder.getI1Type(),
                                    builder.getBoolAttr(false));
  }

private:
  void fence() { ir::FenceOp::create(builder, ir::FenceScope::Device); }

  Value findIncrement() {
    Value blocks;
    for (ir::Dim dim : {ir::Dim::X, ir::Dim::Y, ir::Dim::Z}) {
      Value size = ir::GridDimOp::create(builder, dim);
      blocks = blocks ? LLVM::MulOp::create(builder, blocks, size).getResult() : size;
    }
    Value ofFirst = LLVM::SubOp::create(builder, code.constant32(0x80000001u), blocks);
    Value isOther = code.isNotZero(code.block());
    return LLVM::SelectOp::create(builder, isOther, code.constant32(1), ofFirst);
  }

  Value haveAllCome(Value now) {
    Value difference = LLVM::XOrOp::create(builder, old, now);
    return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::slt, difference,
                                code.constant32(0));
  }

  ParkingCode &code;
  ImplicitLocOpBuilder &builder;
  Value word, increment, old;
};

} // namespace

void SafePointCode::waitForGrid() {
  if (!form.perThread) // else there has been one
    ir::BarrierOp::create(builder, 0, Value());
  GridMeeting meeting(code);
  Block *meet = code.addBlock(), *join = code.addBlock(builder.getI1Type());
  Value isOther = code.isNotZero(code.thread());
  LLVM::CondBrOp::create(builder, isOther, join, ValueRange{meeting.no()}, meet,
                         ValueRange{});
  builder.setInsertionPointToEnd(meet);
  meeting.emit(join);
  builder.setInsertionPointToEnd(join);
  Value mustPark = join->getArgument(0);
  point.sync->erase();
  if (form.perThread) {
    // As if it were parked now.
    Value none = code.constant32(~0u);
    Value at = LLVM::SelectOp::create(builder, mustPark, code.barriersBefore(), none);
    LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::umin,
                              code.word(ParkingCode::ParkedAt), at,
                              LLVM::AtomicOrdering::acq_rel, "block");
    ir::BarrierOp::create(builder, 0, Value());
    code.countBarrier();
    return checkBlock();
  }
  auto told = ir::BarrierReduceOp::create(builder, ir::BarrierReduceKind::Or, mustPark);
  Value none = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, told.getResult(),
                                    code.constant32(0));
  parkUnless(none);
}

} // namespace het::transforms
