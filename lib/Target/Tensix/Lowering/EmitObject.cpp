// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own order of passes, with ours behind the placement of blocks: what follows
// looks at how far branches go, and moves no accesses.

#include "EmitObject.h"
#include "OrderAccesses.h"
#include "Passes.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"

using namespace llvm;

namespace het::tensix {
namespace {

class RecordFrames : public MachineFunctionPass {
public:
  static char ID;
  RecordFrames(Frames &frames, std::string &growing)
      : MachineFunctionPass(ID), frames(frames), growing(growing) {}

  StringRef getPassName() const override { return "Record stack frames"; }
  bool runOnMachineFunction(MachineFunction &function) override {
    const MachineFrameInfo &frame = function.getFrameInfo();
    frames[function.getName()] = frame.getStackSize();
    if (frame.hasVarSizedObjects())
      growing = function.getName();
    return false;
  }

private:
  Frames &frames;
  std::string &growing;
};

char RecordFrames::ID = 0;

} // namespace

Expected<std::string> emitObject(Module &module, TargetMachine &machine, StringRef arch,
                                 Frames &frames, CodeGenFileType type) {
  SmallVector<char, 0> code;
  raw_svector_ostream out(code);
  std::string growing;
  legacy::PassManager passes;
  auto *info = new MachineModuleInfoWrapperPass(&machine); // the manager's
  TargetPassConfig *steps = machine.createPassConfig(passes);
  steps->setDisableVerify(true);
  if (arch == wormhole)
    steps->insertPass(&MachineBlockPlacementID, createOrderAccesses());
  steps->insertPass(&MachineBlockPlacementID, new RecordFrames(frames, growing));
  passes.add(steps);
  passes.add(info);
  if (steps->addISelPasses())
    return createStringError("LLVM can not select instructions for rv32");
  steps->addMachinePasses();
  steps->setInitialized();
  if (machine.addAsmPrinter(passes, out, nullptr, type, info->getMMI().getContext()))
    return createStringError("LLVM can not emit an object for rv32");
  passes.add(createFreeMachineFunctionPass());
  passes.run(module);
  if (!growing.empty())
    return createStringError("'%s' takes memory of a size that is known only when it "
                             "runs (alloca), which is not supported on this target",
                             growing.c_str());
  return std::string(code.begin(), code.end());
}

} // namespace het::tensix
