// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses are aligned, so two that overlap and begin at different bytes have different
// sizes: one of them is of less than a word. A load waits for earlier stores that begin
// where it does, stores leave their queue one after the other, and memory does what comes
// to it in that order. So it is enough that
//  - behind a store of less than a word there is a load of the same bytes, which waits
//  for
//    it: then no later load meets it in the queue;
//  - before a load of less than a word there is one of its whole word, which waits for
//  the
//    stores of that word.
// Their results go to x0; addresses are computed in tp, which nothing else uses.

#include "OrderAccesses.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace het::tensix {
namespace {

/// The back end's numbers of instructions and registers, which it shows by name only.
struct Names {
  explicit Names(const MachineFunction &function) {
    const TargetInstrInfo &instructions = *function.getSubtarget().getInstrInfo();
    for (unsigned number = 0; number < instructions.getNumOpcodes(); ++number)
      opcodes.try_emplace(instructions.getName(number), number);
    const TargetRegisterInfo &table = *function.getSubtarget().getRegisterInfo();
    for (unsigned number = 1; number < table.getNumRegs(); ++number)
      registers.try_emplace(table.getName(number), number);
  }
  unsigned opcode(StringRef name) const { return opcodes.at(name); }
  MCRegister reg(StringRef name) const { return registers.at(name); }

  StringMap<unsigned> opcodes, registers;
};

class OrderAccesses : public MachineFunctionPass {
public:
  static char ID;
  OrderAccesses() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "Order accesses of a word's parts"; }
  bool runOnMachineFunction(MachineFunction &function) override;

private:
  void wait(MachineBasicBlock &block, MachineBasicBlock::iterator before,
            const DebugLoc &at, StringRef load, const MachineOperand &base,
            const MachineOperand &offset);
  void waitForWord(MachineInstr &load);
  void waitForItself(MachineInstr &store, StringRef load);

  const TargetInstrInfo *instructions = nullptr;
  std::optional<Names> names;
};

char OrderAccesses::ID = 0;

/// A load whose result is not needed.
void OrderAccesses::wait(MachineBasicBlock &block, MachineBasicBlock::iterator before,
                         const DebugLoc &at, StringRef load, const MachineOperand &base,
                         const MachineOperand &offset) {
  BuildMI(block, before, at, instructions->get(names->opcode(load)), names->reg("X0"))
      .addReg(base.getReg())
      .add(offset);
}

void OrderAccesses::waitForWord(MachineInstr &load) {
  if (load.hasOneMemOperand() && (*load.memoperands_begin())->getAlign() >= Align(4))
    return; // it begins where its word does
  MachineBasicBlock &block = *load.getParent();
  const DebugLoc &at = load.getDebugLoc();
  const MachineOperand &base = load.getOperand(1), &offset = load.getOperand(2);
  if (base.getReg() == names->reg("X2") && offset.isImm()) // aligned to 16
    return wait(block, load, at, "LW", base,
                MachineOperand::CreateImm(offset.getImm() & ~int64_t(3)));
  const MCRegister scratch = names->reg("X4");
  BuildMI(block, load, at, instructions->get(names->opcode("ADDI")), scratch)
      .addReg(base.getReg())
      .add(offset);
  BuildMI(block, load, at, instructions->get(names->opcode("ANDI")), scratch)
      .addReg(scratch)
      .addImm(-4);
  wait(block, load, at, "LW", MachineOperand::CreateReg(scratch, false),
       MachineOperand::CreateImm(0));
}

void OrderAccesses::waitForItself(MachineInstr &store, StringRef load) {
  MachineOperand &base = store.getOperand(1);
  base.setIsKill(false);
  wait(*store.getParent(), std::next(store.getIterator()), store.getDebugLoc(), load,
       base, store.getOperand(2));
}

bool OrderAccesses::runOnMachineFunction(MachineFunction &function) {
  instructions = function.getSubtarget().getInstrInfo();
  if (!names)
    names.emplace(function);
  SmallVector<MachineInstr *> loads, bytes, halves;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &instruction : block) {
      StringRef name = instructions->getName(instruction.getOpcode());
      if (name == "LB" || name == "LBU" || name == "LH" || name == "LHU")
        loads.push_back(&instruction);
      else if (name == "SB")
        bytes.push_back(&instruction);
      else if (name == "SH")
        halves.push_back(&instruction);
    }
  for (MachineInstr *load : loads)
    waitForWord(*load);
  for (MachineInstr *store : bytes)
    waitForItself(*store, "LBU");
  for (MachineInstr *store : halves)
    waitForItself(*store, "LHU");
  return !loads.empty() || !bytes.empty() || !halves.empty();
}

} // namespace

Pass *createOrderAccesses() { return new OrderAccesses; }

} // namespace het::tensix
