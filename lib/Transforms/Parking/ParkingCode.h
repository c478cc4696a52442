// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building blocks of a parkable kernel's code (FormParkable.cpp): branches,
// the record's fields, the threads' numbers, the block's words and the flag. Each
// function emits at the builder's place, and leaves the builder in the block where the
// code goes on.
//
// Words. A block has some words of shared memory of its own, which are no part of its
// state: which place in the device's memory holds its state, how many threads are gone
// (in the lower half those that have ended, in the upper half those that are parked), a
// counter, before which barrier the first of them parked, the address of the flag (two
// words; polls read it there, so that no register keeps it), and for each team the lanes
// that are parked.

#ifndef HET_LIB_TRANSFORMS_PARKING_PARKINGCODE_H
#define HET_LIB_TRANSFORMS_PARKING_PARKINGCODE_H

#include "het/DeviceABI/SuspendRecord.h"
#include "het/Transforms/Frame.h"
#include "het/Transforms/SharedObjects.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace het::transforms {

/// What the code of a kernel depends on.
struct ParkingForm {
  bool perThread = false;           ///< Threads park one by one somewhere.
  bool countsEnded = false;         ///< How many are left must be known,
  bool countsBarriers = false;      ///< which barriers parked threads have not come to,
  bool marksLanes = false;          ///< which lanes of a team are parked.
  bool keepsTeamsConvergent = true; ///< All lanes of a team stand at one point.
  bool copies = true;               ///< What resumed threads run may be a copy.
  bool usesShared = false;          ///< The state has shared memory that matters.
  bool usesDynamic = false;
};

class ParkingCode {
public:
  ParkingCode(mlir::LLVM::LLVMFuncOp kernel, const FrameLayout &layout,
              const SharedObjects &shared, const ParkingForm &form);

  mlir::ImplicitLocOpBuilder builder;

  mlir::Value constant32(uint32_t value);
  mlir::Value constant64(uint64_t value);
  mlir::Block *addBlock(mlir::TypeRange arguments = {});
  /// Goes on in a new block where the condition is true, and elsewhere otherwise.
  void continueIf(mlir::Value condition, mlir::Block *elsewhere,
                  mlir::ValueRange arguments = {});
  /// A comparison with 0.
  mlir::Value isNotZero(mlir::Value value);

  /// A field of the record, as i64.
  mlir::Value field(uint64_t offset);
  /// An address in global memory, from an i64 and bytes behind it (i64 or null).
  mlir::Value global(mlir::Value address, mlir::Value bytes = {});
  /// One of the counts' words.
  mlir::Value count(uint64_t offset);
  mlir::Value threadCount(); ///< i32
  mlir::Value thread();      ///< its number in the block, i32
  mlir::Value block();       ///< its number in the grid, i64

  enum Word : unsigned {
    Place = 0,
    Gone = 1,
    Rank = 2,
    ParkedAt = 3,
    Flag = 4,
    Lanes = 6
  };
  mlir::Value word(Word word); ///< its address; Lanes: that of the thread's team
  mlir::Value read(Word word);
  mlir::Value add(Word word, mlir::Value value); ///< what it was before
  /// All threads write all words, the same; a barrier follows. Polls come behind it.
  void initializeWords(mlir::Value place);

  /// The thread's barriers are counted, from none.
  void createCounter();
  /// The thread comes to a barrier of the block, or has come.
  mlir::Value barriersBefore();
  void countBarrier();

  /// The address of the flag, i64; and as it is kept in the words.
  mlir::Value flagAddress();
  mlir::Value keptFlagAddress();
  /// Whether the flag at this address is set, i1.
  mlir::Value lookAtFlag(mlir::Value address);

  /// Count of the thread's barriers; set where they are counted. No part of its state.
  mlir::LLVM::AllocaOp barriers;
  const FrameLayout &layout;
  const SharedObjects &shared;
  const ParkingForm &form;
  mlir::LLVM::LLVMFuncOp kernel;

private:
  mlir::LLVM::GlobalOp words;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_PARKING_PARKINGCODE_H
