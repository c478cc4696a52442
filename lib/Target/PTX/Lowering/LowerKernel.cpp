// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers the lowering driver for PTX: the form, the conversion and the code of a kernel.

#include "LowerKernel.h"
#include "../../Support/Lowering/PluginTable.h"
#include "../PTXArtifact.h"
#include "Passes.h"
#include "het/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace het::ptx {

llvm::Expected<Machine> Machine::parse(StringRef arch) {
  Machine machine;
  StringRef rest = arch;
  while (!rest.empty()) {
    auto [word, others] = rest.split(';');
    rest = others;
    if (word.consume_front("sm_") && word.getAsInteger(10, machine.capability))
      break;
    if (word.consume_front("ptx") && word.getAsInteger(10, machine.version))
      break;
  }
  if (machine.capability < 50 || machine.version < 60)
    return llvm::make_error<target::InvalidRequest>(
        ("architecture '" + arch + "': expected sm_50 or later and ptx60 or later")
            .str());
  return machine;
}

/// Bytes of shared memory that the kernel takes without asking.
static uint32_t staticSharedBytes(const llvm::Module &module) {
  uint64_t bytes = 0;
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == ir::sharedSpace && global.hasInitializer())
      bytes += module.getDataLayout().getTypeAllocSize(global.getValueType());
  return bytes;
}

/// On machines whose lanes do not go on by themselves blocks are not suspended inside: a
/// lane that parks waits for another.
static LogicalResult formParkable(ModuleOp module, StringRef kernel,
                                  unsigned pollInterval, const Machine &machine) {
  PassManager points(module.getContext()), form(module.getContext());
  transforms::InsertSafePointsOptions safePoints;
  safePoints.parkable = true;
  safePoints.pollInterval = pollInterval;
  points.addPass(transforms::createInsertSafePoints(safePoints));
  form.addPass(transforms::createFormParkable());
  if (failed(points.run(module)))
    return failure();
  constexpr unsigned firstCapability = 70;
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel);
      function && machine.capability < firstCapability)
    function->setAttr(
        ir::unparkableAttrName,
        StringAttr::get(module.getContext(), "the compute capability is below 7.0"));
  return form.run(module);
}

LogicalResult PTXLowering::form(LLVM::LLVMFuncOp kernel) {
  return request.pollInterval ? formParkable(kernel->getParentOfType<ModuleOp>(),
                                             request.kernel, request.pollInterval, device)
                              : success();
}

llvm::Error PTXLowering::prepare(llvm::Module &module) {
  for (const std::string &name : entryNames(request.kernel)) {
    llvm::Function *entry = module.getFunction(name);
    if (!entry)
      continue;
    entries.push_back(name);
    // MLIR's translation has no name for it.
    for (unsigned parameter : info.gridConstants)
      entry->addParamAttr(
          parameter, llvm::Attribute::get(module.getContext(), "nvvm.grid_constant"));
    if (llvm::Error error = target::foldArguments(module, name, constants))
      return error;
  }
  if (llvm::Error error = KernelLowering::prepare(module))
    return error;
  target::defineDivisions(module, 33);
  hideDivisors(module);
  return llvm::Error::success();
}

bool PTXLowering::addsAtomically(llvm::Type *type) {
  return ptx::addsAtomically(type, device);
}

void PTXLowering::linked(llvm::Module &module) {
  useByteInstructions(module);
  keepTeamsTogether(module);
  convertSaturating(module);
  if (constants.block)
    setBlockShape(module, entries, *constants.block);
}

void PTXLowering::optimise(llvm::Module &module) {
  target::optimizeForSpeed(module, machine.get(), target::CLibrary::Absent,
                           [](llvm::PassBuilder &builder) {
                             showConstantDivisors(builder);
                             chooseUnrollCounts(builder);
                             chooseLoopsOfPtxas(builder);
                           });
}

llvm::Expected<target::Artifact> PTXLowering::emit(llvm::Module &module) {
  auto text = target::emitCode(module, *machine, llvm::CodeGenFileType::AssemblyFile);
  if (!text)
    return text;
  text->push_back('\0');
  sharedBytes = staticSharedBytes(module);
  return text;
}

target::Artifact PTXLowering::artifact(llvm::ArrayRef<char> code) {
  HetPtxArtifact header = {};
  llvm::ArrayRef<uint32_t> offsets = info.argumentOffsets;
  if (request.pollInterval) {
    header.flags |= HET_PTX_PARKABLE;
    offsets = offsets.drop_back(); // the record's
  }
  if (info.layout) {
    header.layout = info.layout;
    header.threadBytes = info.frameBytesPerThread;
    header.sharedBytes = info.stateSharedBytes;
  }
  header.magic = HET_PTX_MAGIC;
  header.form = HET_PTX_TEXT;
  header.variableCount = info.variableCount;
  header.nameBytes = request.kernel.size();
  header.staticSharedBytes = sharedBytes;
  header.flags |= (info.hasGridBarrier ? HET_PTX_GRID_BARRIER : 0) |
                  (info.waitsForGrids ? HET_PTX_GRID_WAIT : 0) |
                  (hasLines ? HET_PTX_LINE_INFO : 0);
  header.parameterCount = offsets.size();
  header.codeBytes = code.size();
  return target::makeArtifact(
      header, {target::bytesOf(offsets), request.kernel, target::bytesOf(code)});
}

} // namespace het::ptx
