// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and blocks, and the module around them.

#include "Translator.h"
#include "../../SPIRVArtifact.h"
#include "llvm/ADT/PostOrderIterator.h"

namespace het::spirv {

void Translator::translateEnd(llvm::Instruction &end) {
  if (auto *back = llvm::dyn_cast<llvm::ReturnInst>(&end)) {
    if (llvm::Value *value = back->getReturnValue())
      return builder.append(spv::OpReturnValue, idOf(value));
    return builder.append(spv::OpReturn, {});
  }
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(&end)) {
    if (branch->isUnconditional())
      return builder.append(spv::OpBranch, idOf(branch->getSuccessor(0)));
    return builder.append(spv::OpBranchConditional,
                          {idOf(branch->getCondition()), idOf(branch->getSuccessor(0)),
                           idOf(branch->getSuccessor(1))});
  }
  if (llvm::isa<llvm::UnreachableInst>(end))
    return builder.append(spv::OpUnreachable, {});
  failAt(end);
}

void Translator::translate(llvm::BasicBlock &block, const Structure &structure) {
  builder.append(spv::OpLabel, idOf(&block));
  for (llvm::Instruction &instruction : block) {
    if (!instruction.isTerminator()) {
      if (!isAlias(instruction))
        translateInstruction(instruction);
      continue;
    }
    if (auto merge = structure.find(&block); merge != structure.end()) {
      if (merge->second.next)
        builder.append(spv::OpLoopMerge,
                       {idOf(merge->second.merge), idOf(merge->second.next),
                        spv::LoopControlMaskNone});
      else
        builder.append(spv::OpSelectionMerge,
                       {idOf(merge->second.merge), spv::SelectionControlMaskNone});
    }
    translateEnd(instruction);
  }
}

void Translator::translate(llvm::Function &function) {
  auto structure = findStructure(function, machine.isLlvmpipe);
  if (!structure) {
    fail(llvm::toString(structure.takeError()));
    return;
  }
  llvm::SmallVector<uint32_t> parameters;
  for (llvm::Argument &argument : function.args())
    parameters.push_back(typeOf(argument.getType()));
  Id result = typeOf(function.getReturnType());
  builder.appendTo(idOf(&function), spv::OpFunction, result,
                   {function.hasFnAttribute(llvm::Attribute::NoInline)
                        ? spv::FunctionControlDontInlineMask
                        : spv::FunctionControlMaskNone,
                    builder.function(result, parameters)});
  for (llvm::Argument &argument : function.args())
    builder.appendTo(idOf(&argument), spv::OpFunctionParameter,
                     typeOf(argument.getType()), {});
  for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal(&function))
    translate(*block, *structure);
  builder.append(spv::OpFunctionEnd, {});
}

/// The entry, which has no parameters: the launch is a push constant.
Id Translator::createMain() {
  llvm::Function *kernel = module.getFunction(HET_SPIRV_ENTRY);
  const Id main = builder.newId(), nothing = builder.nothing();
  builder.appendTo(main, spv::OpFunction, nothing,
                   {spv::FunctionControlMaskNone, builder.function(nothing, {})});
  builder.append(spv::OpLabel, builder.newId());
  llvm::SmallVector<uint32_t> operands = {idOf(kernel)};
  operands.push_back(readPushed(PushedWord::Launch, 64));
  if (kernel->arg_size() > 1)
    operands.push_back(builder.constant(64, uint64_t(sharedMark) << 32));
  builder.append(spv::OpFunctionCall, nothing, operands);
  builder.append(spv::OpReturn, {});
  builder.append(spv::OpFunctionEnd, {});
  return main;
}

/// How numbers of each size that there is are rounded.
void Translator::setModes() {
  for (unsigned bits : numberWidths) {
    builder.require(spv::CapabilityRoundingModeRTE);
    builder.setMode(spv::ExecutionModeRoundingModeRTE, bits);
    builder.require(spv::CapabilitySignedZeroInfNanPreserve);
    builder.setMode(spv::ExecutionModeSignedZeroInfNanPreserve, bits);
    if (!machine.keepsSubnormals(bits))
      continue;
    builder.require(spv::CapabilityDenormPreserve);
    builder.setMode(spv::ExecutionModeDenormPreserve, bits);
  }
}

llvm::Expected<std::string> Translator::run() {
  for (spv::Capability capability :
       {spv::CapabilityShader, spv::CapabilityPhysicalStorageBufferAddresses,
        spv::CapabilityVulkanMemoryModel, spv::CapabilityVulkanMemoryModelDeviceScope,
        spv::CapabilityInt64})
    builder.require(capability);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      translate(function);
  const Id main = createMain();
  Id size[3];
  for (uint32_t axis = 0; axis < 3; ++axis)
    size[axis] = builder.specialised(axis, 1);
  builder.setMode(spv::ExecutionModeLocalSizeId, size, /*byId=*/true);
  setModes();
  if (!failure.empty())
    return llvm::createStringError(failure);
  return builder.finish(main, HET_SPIRV_ENTRY);
}

} // namespace het::spirv
