// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Segments → LLVM IR → object → ELF shared object, for this machine's processor or a
// named one. The artifact is a shared object and not code of a JIT because a later
// process must be able to load it without LLVM.

#include "LowerKernel.h"
#include "../../Support/Lowering/ElfLinker.h"
#include "../HostABI.h"
#include "FlushMode.h"
#include "Lanes/VectorizeLanes.h"
#include "Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;

namespace het::host {

/// Adds the exported header `het_kernel`: a structure of HostABI.h as a constant, whose
/// fields must be those of HetHostKernel, in order.
static void addKernelHeader(llvm::Module &module, llvm::StringRef kernel,
                            const target::KernelInfo &info, Flushing flushing) {
  llvm::LLVMContext &context = module.getContext();
  auto word = [&](uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  };
  auto wide = [&](uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value);
  };
  llvm::Constant *text = llvm::ConstantDataArray::getString(context, kernel);
  auto *name = new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/true,
                                        llvm::GlobalValue::PrivateLinkage, text);
  llvm::Function *resume = module.getFunction(resumeName);
  llvm::Constant *fields[] = {
      word(HET_HOST_ABI_VERSION),
      word(info.staticSharedBytes),
      word(128),
      word(info.variableCount),
      wide(info.frameBytesPerThread),
      wide(info.frameBytesPerBlock),
      module.getFunction(entryName),
      name,
      wide(info.layout),
      wide(info.stateBytes),
      resume ? static_cast<llvm::Constant *>(resume)
             : llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0)),
      word(flushing == Flushing::ByMode)};
  auto *value = llvm::ConstantStruct::getAnon(context, fields);
  auto *header =
      new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::ExternalLinkage, value, "het_kernel");
  header->setVisibility(llvm::GlobalValue::DefaultVisibility);
}

LogicalResult HostLowering::form(LLVM::LLVMFuncOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  if (flushing == Flushing::ByMode && !canFlush(module))
    flushing = Flushing::WrittenOut;
  return target::formSegments(module, request.pollInterval, processor.schedule);
}

bool HostLowering::canFlush(ModuleOp module) {
  if (!canFlushByMode(module))
    return false;
  auto created = createMachine();
  if (created)
    return canFlushByMode(**created);
  llvm::consumeError(created.takeError()); // it comes again
  return false;
}

FailureOr<target::KernelInfo> HostLowering::convert(LLVM::LLVMFuncOp kernel) {
  if (flushing == Flushing::ByMode)
    flushByMode(kernel->getParentOfType<ModuleOp>());
  return convertToHost(kernel);
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> HostLowering::createMachine() {
  target::initialiseBackEnd<llvm::InitializeNativeTarget,
                            llvm::InitializeNativeTargetAsmPrinter>();
  target::MachineOptions options(llvm::sys::getProcessTriple(), processor.cpu,
                                 processor.features);
  options.relocation = llvm::Reloc::PIC_;
  options.codeModel = llvm::CodeModel::Small;
  if (request.isInterim)
    options.level = llvm::CodeGenOptLevel::None;
  return target::createTargetMachine(options);
}

llvm::Error HostLowering::prepare(llvm::Module &module) {
  if (llvm::Error error = KernelLowering::prepare(module))
    return error;
  lowerSmallFloatProducts(module, *machine);
  defineMarks(module);
  return llvm::Error::success();
}

void HostLowering::linked(llvm::Module &module) {
  addKernelHeader(module, request.kernel, info, flushing);
  setFunctionAttributes(module, *machine, processor.tune);
  if (flushing == Flushing::ByMode)
    assumeFlushing(module);
  lowerSharedAtomics(module);
  keepSegmentsApart(module);
  shareSegments(module);
  shareTeamOperations(module);
  target::defineDivisions(module);
}

void HostLowering::optimise(llvm::Module &module) {
  if (request.isInterim)
    return target::optimizeInHaste(module, *machine);
  const auto addVectors = [this](llvm::PassBuilder &builder) {
    if (processor.schedule || request.pollInterval) // code that can be suspended is large
      return;
    builder.registerVectorizerStartEPCallback(
        [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
          passes.addPass(VectorizeLanes(LaneVectors::WhereFaster));
        });
  };
  target::optimizeForSpeed(module, machine.get(), target::CLibrary::Present, addVectors);
}

llvm::Error HostLowering::legalise(llvm::Module &module) {
  if (flushing == Flushing::WrittenOut || removeMarks(module))
    return llvm::Error::success();
  hasFalseMarks = true;
  return llvm::createStringError("a constant that the processor may flush");
}

llvm::Expected<target::Artifact> HostLowering::emit(llvm::Module &module) {
  auto object = KernelLowering::emit(module);
  if (!object)
    return object.takeError();
  auto shared =
      target::linkELF({{"kernel.o", llvm::StringRef(object->data(), object->size())}},
                      {"-shared", "-z", "now", "--gc-sections", "@kernel.o"});
  if (!shared)
    return shared.takeError();
  if (llvm::Error error =
          checkImports({shared->data(), shared->size()}, machine->getTargetTriple()))
    return error;
  return shared;
}

} // namespace het::host
