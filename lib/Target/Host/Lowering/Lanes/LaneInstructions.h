// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits one instruction for several lanes.

#ifndef HET_LIB_TARGET_HOST_LOWERING_LANES_LANEINSTRUCTIONS_H
#define HET_LIB_TARGET_HOST_LOWERING_LANES_LANEINSTRUCTIONS_H

#include "LaneValues.h"

namespace het::host {

class LaneInstructions : protected LaneValues {
protected:
  using LaneValues::LaneValues;

  void emit(llvm::Instruction &instruction);

  /// Of the loops that are being emitted, i64: how many rounds are complete.
  llvm::DenseMap<const llvm::Loop *, llvm::Value *> rounds;
  llvm::Value *firstLane = nullptr;

private:
  void emitUniform(llvm::Instruction &instruction);
  llvm::Value *emitVarying(llvm::Instruction &instruction);
  llvm::Value *emitAddress(llvm::GetElementPtrInst &address);
  llvm::Value *emitChoice(llvm::SelectInst &choice);
  llvm::Instruction *widen(llvm::Instruction &instruction);
  llvm::Value *emitDivision(llvm::BinaryOperator &division);
  llvm::Value *emitIntrinsic(llvm::IntrinsicInst &call);
  void emitEachLane(llvm::Instruction &instruction);
  llvm::Instruction *cloneForLane(llvm::Instruction &instruction, llvm::Value *lane);

  void emitAccess(llvm::Instruction &access);
  void emitUniformLoad(llvm::LoadInst &load);
  llvm::Value *emitContiguous(llvm::Instruction &access, llvm::Value *address);
  llvm::Value *emitScattered(llvm::Instruction &access);
  llvm::Value *emitNarrowGather(llvm::LoadInst &load, llvm::Value *pointers);
  llvm::Value *placeForNobody();

  llvm::Value *nobody = nullptr;
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LANES_LANEINSTRUCTIONS_H
