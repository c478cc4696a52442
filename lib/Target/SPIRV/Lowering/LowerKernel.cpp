// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of a form, and the answers to the lowering driver.

#include "LowerKernel.h"
#include "../../Support/Lowering/PluginTable.h"
#include "../../Support/Lowering/SpaceMerging.h"
#include "Vulkan/Vulkan.h"

using namespace mlir;

namespace het::spirv {

llvm::Expected<Machine> Machine::parse(StringRef arch) {
  auto invalid = [&](const Twine &what) {
    return llvm::make_error<target::InvalidRequest>(
        ("architecture '" + arch + "': " + what).str());
  };
  Machine machine;
  bool hasVersion = false;
  for (StringRef rest = arch; !rest.empty();) {
    auto [word, others] = rest.split(';');
    rest = others;
    machine.isVulkan |= word == "vulkan1.3";
    hasVersion |= word.starts_with("spirv1.") || machine.isVulkan;
    machine.fusesExactly |= word == "exactfma";
    machine.dividesExactly |= word == "exactdiv";
    machine.isLlvmpipe |= word == "llvmpipe";
    if (unsigned bits = 0;
        word.starts_with("denorms") && !word.drop_front(7).getAsInteger(10, bits))
      machine.subnormals |= bits;
    if (std::optional<uint32_t> lack = lackNamed(word))
      machine.lacks |= *lack;
    if (word.consume_front("teams") &&
        (word.empty() ? "32" : word).getAsInteger(10, machine.lanes))
      return invalid("found teams of '" + word + "' lanes");
    machine.segmentsAll |= word == "segmented";
    machine.isCPU |= word == "cpu";
    machine.emulatesDoubles |= word == "softfp64";
  }
  if (!hasVersion)
    return invalid("expected spirv1.3 or later, or vulkan1.3");
  return machine;
}

LogicalResult SPIRVLowering::form(LLVM::LLVMFuncOp kernel) {
  // The device library's own 64-bit floating point is nobody's choice.
  device.emulatesDoubles |= !computesDoubles(kernel);
  return kind == Form::Segmented ? KernelLowering::form(kernel) : success();
}

llvm::Error SPIRVLowering::prepare(llvm::Module &module) {
  module.setDataLayout(target::plainLayout);
  if (llvm::Error error = makeIterative(module))
    return error;
  if (llvm::Error error = compareWithObjects(module))
    return error;
  endAtFaults(module);
  expandWideAtomics(module);
  return llvm::Error::success();
}

void SPIRVLowering::linked(llvm::Module &module) {
  keepPartsApart(module);
  KernelLowering::linked(module);
}

/// How many lanes the sub-groups have (SPIR-V's execution mode SubgroupSize).
static void setSubgroupSize(llvm::Module &module, unsigned lanes) {
  llvm::LLVMContext &context = module.getContext();
  auto *size = llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), lanes));
  module.getFunction(HET_SPIRV_ENTRY)
      ->setMetadata("intel_reqd_sub_group_size", llvm::MDNode::get(context, size));
}

/// Says that the kernel has vectors of its own (SPIR-V's execution mode VecTypeHint), so
/// that a compiler for CPUs makes none out of neighbouring work-items.
static void setVectorHint(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *number = llvm::Type::getInt32Ty(context);
  llvm::Metadata *hint[] = {
      llvm::ConstantAsMetadata::get(
          llvm::PoisonValue::get(llvm::FixedVectorType::get(number, 4))),
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(number, 0))};
  module.getFunction(HET_SPIRV_ENTRY)
      ->setMetadata("vec_type_hint", llvm::MDNode::get(context, hint));
}

llvm::Error SPIRVLowering::legalise(llvm::Module &module) {
  if (device.isVulkan) {
    splitVectors(module, *machine);
    if (llvm::Error error = makeExact(module, device, request.devicelibPath))
      return error;
  }
  target::inferSpaces(module, *machine, ir::globalSpace);
  if (llvm::Error error = expandAtomics(module, kind))
    return error;
  if (device.lacks & *lackNamed("nofp64")) {
    if (!device.emulatesDoubles)
      moveDoubles(module);
    else if (llvm::Error error = emulateDoubles(module, *machine, request.devicelibPath))
      return error;
  }
  if (llvm::Error error = spirv::legalize(module, device))
    return error;
  if (device.isVulkan)
    return target::verifyModule(module, "after legalisation");
  renumberSpaces(module);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  if (kind == Form::Flat || kind == Form::Split)
    setSubgroupSize(module, device.lanes);
  if (kind == Form::Segmented && device.isCPU) // neighbouring blocks go different ways
    setVectorHint(module);
  return target::verifyModule(module, "after legalisation");
}

/// Features that the device lacks are looked for in hetIR, which knows their place in the
/// source.
llvm::Expected<target::Artifact> SPIRVLowering::emit(llvm::Module &module) {
  auto code = emitCode(module);
  if (!code)
    return code.takeError();
  if (uint32_t lacks = findLacks(*code, device)) {
    target::LoweringContext context;
    auto hetir = target::parseKernel(context, request);
    if (!hetir)
      return hetir.takeError();
    reportLacks((*hetir)->lookupSymbol<LLVM::LLVMFuncOp>(request.kernel), lacks);
    return context.error();
  }
  return target::Artifact(code->begin(), code->end());
}

llvm::Expected<std::string> SPIRVLowering::emitCode(llvm::Module &module) {
  if (!device.isVulkan)
    return emitSPIRV(module, *machine, device);
  auto code = emitVulkan(module, *machine, device);
  if (!code)
    return code.takeError();
  constants = std::move(code->constants);
  return std::move(code->module);
}

target::Artifact SPIRVLowering::artifact(llvm::ArrayRef<char> code) {
  HetSpirvArtifact header = {};
  header.magic = HET_SPIRV_MAGIC;
  header.form = HET_SPIRV_MODULE;
  header.variableCount = info.variableCount;
  header.nameBytes = request.kernel.size();
  header.staticSharedBytes = info.staticSharedBytes;
  header.flags = kind == Form::Segmented ? HET_SPIRV_SEGMENTED
                 : kind == Form::Flat    ? HET_SPIRV_FLAT
                 : kind == Form::Split   ? HET_SPIRV_FLAT | HET_SPIRV_SPLIT
                                         : 0;
  if (info.readsClock)
    header.flags |= HET_SPIRV_CLOCK;
  header.argumentBytes = info.argumentBytes;
  header.maxThreads = info.maxThreads;
  header.frameBytesPerThread = info.frameBytesPerThread;
  header.frameBytesPerBlock = info.frameBytesPerBlock;
  header.layout = info.layout;
  header.stateBytes = info.stateBytes;
  header.constantBytes = constants.size();
  header.codeBytes = code.size() + constants.size();
  return target::makeArtifact(header, {request.kernel, target::bytesOf(code), constants});
}

/// Blocks are suspended in the segmented form only.
static llvm::Expected<FormChoice> chooseFor(const target::LowerRequest &request,
                                            const Machine &machine) {
  target::LoweringContext context;
  auto module = target::parseKernel(context, request);
  if (!module)
    return module.takeError();
  if (machine.segmentsAll)
    return FormChoice{Form::Segmented, "all kernels are, by the device's settings"};
  if (request.pollInterval)
    return FormChoice{Form::Segmented, "it is to be parkable"};
  return chooseForm((*module)->lookupSymbol<LLVM::LLVMFuncOp>(request.kernel),
                    machine.lanes);
}

/// The fastest form first. What it can not do the segmented form may be able to.
llvm::Expected<target::Artifact> lowerKernel(const target::LowerRequest &request,
                                             const Machine &machine, FormChoice &choice) {
  auto chosen = chooseFor(request, machine);
  if (!chosen)
    return chosen.takeError();
  choice = std::move(*chosen);
  auto artifact = SPIRVLowering(request, machine, choice.form).run();
  if (artifact || choice.form == Form::Segmented)
    return artifact;
  choice = {Form::Segmented, llvm::toString(artifact.takeError())};
  return SPIRVLowering(request, machine, Form::Segmented).run();
}

} // namespace het::spirv
