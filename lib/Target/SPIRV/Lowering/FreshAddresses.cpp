// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MachineFunctions that are made ahead of the pass that would make them.

#include "FreshAddresses.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

namespace het::spirv {
namespace {

class FreshAddresses : public llvm::FunctionPass {
public:
  static char ID;

  FreshAddresses(const llvm::TargetMachine &machine, llvm::DenseSet<const void *> &used)
      : FunctionPass(ID), machine(machine), used(used) {}

  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.addRequired<llvm::MachineModuleInfoWrapperPass>();
    usage.setPreservesAll();
  }

  bool runOnFunction(llvm::Function &function) override {
    auto &info = getAnalysis<llvm::MachineModuleInfoWrapperPass>().getMMI();
    const llvm::TargetSubtargetInfo &subtarget = *machine.getSubtargetImpl(function);
    // Kept until there is a new one, so that their addresses are not given
    // again.
    llvm::SmallVector<std::unique_ptr<llvm::MachineFunction>> made;
    do
      made.push_back(std::make_unique<llvm::MachineFunction>(function, machine, subtarget,
                                                             info.getContext(), number));
    while (!used.insert(made.back().get()).second);
    ++number;
    made.back()->initTargetMachineFunctionInfo(subtarget);
    machine.registerMachineRegisterInfoCallback(*made.back());
    info.insertFunction(function, std::move(made.back()));
    return false;
  }

private:
  const llvm::TargetMachine &machine;
  llvm::DenseSet<const void *> &used;
  unsigned number = 0; ///< as MachineModuleInfo counts them
};

char FreshAddresses::ID = 0;

} // namespace

llvm::FunctionPass *createFreshAddresses(const llvm::TargetMachine &machine,
                                         llvm::DenseSet<const void *> &used) {
  return new FreshAddresses(machine, used);
}

} // namespace het::spirv
