// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetIR → LLVM IR → PTX of one kernel, and the artifact around it.

#include "LowerKernel.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "../PTXArtifact.h"
#include "het/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/DebugInfo.h"

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
    return llvm::createStringError(
        "architecture '%s': expected sm_50 or later and ptx60 or later",
        arch.str().c_str());
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

static llvm::SmallVector<char, 0> makeArtifact(const HetPtxArtifact &header,
                                               ArrayRef<uint32_t> offsets,
                                               StringRef kernel,
                                               ArrayRef<char> text) {
  llvm::SmallVector<char, 0> artifact;
  auto *bytes = reinterpret_cast<const char *>(&header);
  artifact.append(bytes, bytes + sizeof(header));
  bytes = reinterpret_cast<const char *>(offsets.data());
  artifact.append(bytes, bytes + offsets.size() * sizeof(uint32_t));
  artifact.append(kernel.begin(), kernel.end());
  artifact.append(text.begin(), text.end());
  return artifact;
}

/// On machines whose lanes do not go on by themselves blocks are not parked inside: a lane
/// that parks waits for another.
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
    function->setAttr(ir::unparkableAttrName,
                      StringAttr::get(module.getContext(),
                                      "the compute capability is below 7.0"));
  return form.run(module);
}

/// What is known of a parkable kernel's state; no layout: it is not parked inside.
static void describeState(LLVM::LLVMFuncOp kernel, HetPtxArtifact &header) {
  header.flags |= HET_PTX_PARKABLE;
  auto layout = kernel->getAttrOfType<IntegerAttr>(ir::layoutAttrName);
  auto frame = kernel->getAttrOfType<DictionaryAttr>(ir::frameAttrName);
  if (!layout || !frame)
    return;
  header.layout = layout.getValue().getZExtValue();
  header.threadBytes = cast<IntegerAttr>(frame.get("thread_bytes")).getInt();
  header.sharedBytes = cast<IntegerAttr>(frame.get("shared_bytes")).getInt();
}

llvm::Expected<llvm::SmallVector<char, 0>>
lowerKernel(StringRef code, StringRef kernel, const Machine &machine,
            const target::LaunchConstants &constants, StringRef devicelibPath) {
  target::LoweringContext context;
  OwningOpRef<ModuleOp> module = context.parse(code);
  if (!module)
    return context.error();
  if (constants.pollInterval &&
      failed(formParkable(*module, kernel, constants.pollInterval, machine)))
    return context.error();
  FailureOr<KernelFacts> facts = convertToPTX(
      *module, kernel, machine,
      constants.pollInterval ? Heap::Runtimes : Heap::Drivers);
  if (failed(facts) || failed(verify(*module)))
    return context.error();
  const bool hasLineInfo = target::attachLineInfo(*module);
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule =
      context.translate(*module, llvmContext, kernel);
  if (!llvmModule)
    return context.error();
  if (!hasLineInfo)
    llvm::StripDebugInfo(*llvmModule);
  // MLIR's translation has no name for it.
  for (const std::string &entry : facts->entries) {
    for (unsigned parameter : facts->gridConstants)
      llvmModule->getFunction(entry)->addParamAttr(
          parameter, llvm::Attribute::get(llvmContext, "nvvm.grid_constant"));
    if (llvm::Error error = target::foldArguments(*llvmModule, entry, constants))
      return error;
  }
  auto text =
      generatePTX(*llvmModule, facts->entries, machine, constants, devicelibPath);
  if (!text)
    return text.takeError();
  text->push_back('\0');
  HetPtxArtifact header = {};
  if (constants.pollInterval) {
    describeState(module->lookupSymbol<LLVM::LLVMFuncOp>(kernel), header);
    facts->parameterOffsets.pop_back(); // the record's
  }
  header.magic = HET_PTX_MAGIC;
  header.form = HET_PTX_TEXT;
  header.variableCount = facts->variableCount;
  header.nameBytes = kernel.size();
  header.staticSharedBytes = staticSharedBytes(*llvmModule);
  header.flags |= (facts->hasGridBarrier ? HET_PTX_GRID_BARRIER : 0) |
                 (hasLineInfo ? HET_PTX_LINE_INFO : 0);
  header.parameterCount = facts->parameterOffsets.size();
  header.codeBytes = text->size();
  return makeArtifact(header, facts->parameterOffsets, kernel, *text);
}

} // namespace het::ptx
