// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, constants, functions and blocks.

#include "Translator.h"
#include "../../SPIRVArtifact.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Constants.h"

namespace het::spirv {

Id Translator::fail(const llvm::Twine &what) {
  if (failure.empty())
    failure = what.str();
  return 0;
}

Id Translator::failAt(const llvm::Instruction &instruction) {
  std::string text;
  llvm::raw_string_ostream(text) << instruction;
  return fail("SPIR-V for Vulkan has no instruction for" + text);
}

Id Translator::typeOf(llvm::Type *type) {
  if (type->isVoidTy())
    return builder.nothing();
  if (type->isPointerTy())
    return builder.integer(64);
  if (auto *integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
    const unsigned bits = integer->getBitWidth();
    if (bits == 1)
      return builder.truth();
    if (bits == 8 || bits == 16 || bits == 32 || bits == 64)
      return builder.integer(bits);
  }
  if (type->isHalfTy() || type->isFloatTy() || type->isDoubleTy()) {
    numberWidths.insert(type->getScalarSizeInBits());
    return builder.number(type->getScalarSizeInBits());
  }
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
      vector && vector->getNumElements() >= 2 && vector->getNumElements() <= 4)
    return builder.vector(typeOf(vector->getElementType()), vector->getNumElements());
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type); array && array->getNumElements())
    return builder.array(typeOf(array->getElementType()), u32(array->getNumElements()));
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    llvm::SmallVector<uint32_t> members;
    for (llvm::Type *member : structure->elements())
      members.push_back(typeOf(member));
    return builder.structure(members);
  }
  std::string text;
  llvm::raw_string_ostream(text) << *type;
  fail("SPIR-V for Vulkan has no type '" + text + "'");
  return builder.nothing();
}

/// Whether it is its operand in other words.
static bool isAlias(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Freeze:
  case llvm::Instruction::AddrSpaceCast:
    return true;
  case llvm::Instruction::PtrToInt:
    return instruction.getType()->isIntegerTy(64);
  case llvm::Instruction::IntToPtr:
    return instruction.getOperand(0)->getType()->isIntegerTy(64);
  case llvm::Instruction::BitCast:
    return instruction.getType() == instruction.getOperand(0)->getType();
  default:
    return false;
  }
}

Id Translator::constantOf(llvm::Constant &constant) {
  llvm::Type *type = constant.getType();
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (type->isIntegerTy(1))
      return builder.truth(integer->isOne());
    if (type->isIntegerTy() && integer->getBitWidth() <= 64)
      return builder.constant(integer->getBitWidth(), integer->getZExtValue());
  }
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(&constant);
      number && !type->isVectorTy()) {
    const uint64_t bits = number->getValueAPF().bitcastToAPInt().getZExtValue();
    const auto low = static_cast<uint32_t>(bits), high = static_cast<uint32_t>(bits >> 32);
    return type->isDoubleTy() ? builder.constant(typeOf(type), Words{low, high})
                              : builder.constant(typeOf(type), Words{low});
  }
  if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant))
    return type->isPointerTy() ? builder.constant(64, 0) : builder.null(typeOf(type));
  if (auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
      expression && expression->isCast() && expression->getType()->isPointerTy())
    return constantOf(*expression->getOperand(0));
  if (type->isAggregateType() || type->isVectorTy()) {
    llvm::SmallVector<uint32_t> parts;
    for (unsigned index = 0; llvm::Constant *part = constant.getAggregateElement(index);
         ++index)
      parts.push_back(constantOf(*part));
    if (!parts.empty())
      return builder.composite(typeOf(type), parts);
  }
  std::string text;
  llvm::raw_string_ostream(text) << constant;
  return fail("SPIR-V for Vulkan has no constant '" + text + "'");
}

Id Translator::idOf(llvm::Value *value) {
  for (auto *alias = llvm::dyn_cast<llvm::Instruction>(value); alias && isAlias(*alias);
       alias = llvm::dyn_cast<llvm::Instruction>(value))
    value = alias->getOperand(0);
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value);
      constant && !llvm::isa<llvm::Function>(value))
    return constantOf(*constant);
  Id &id = ids[value];
  if (!id)
    id = builder.newId();
  return id;
}

Id Translator::labelOf(llvm::BasicBlock *block) { return idOf(block); }

void Translator::translateEnd(llvm::Instruction &end) {
  if (auto *back = llvm::dyn_cast<llvm::ReturnInst>(&end)) {
    if (llvm::Value *value = back->getReturnValue())
      return builder.append(spv::OpReturnValue, idOf(value));
    return builder.append(spv::OpReturn, {});
  }
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(&end)) {
    if (branch->isUnconditional())
      return builder.append(spv::OpBranch, labelOf(branch->getSuccessor(0)));
    return builder.append(spv::OpBranchConditional,
                          {idOf(branch->getCondition()), labelOf(branch->getSuccessor(0)),
                           labelOf(branch->getSuccessor(1))});
  }
  if (llvm::isa<llvm::UnreachableInst>(end))
    return builder.append(spv::OpUnreachable, {});
  failAt(end);
}

void Translator::translate(llvm::BasicBlock &block, const Structure &structure) {
  builder.append(spv::OpLabel, labelOf(&block));
  for (llvm::Instruction &instruction : block) {
    if (!instruction.isTerminator()) {
      if (!isAlias(instruction))
        translate(instruction);
      continue;
    }
    if (auto merge = structure.find(&block); merge != structure.end()) {
      if (merge->second.next)
        builder.append(spv::OpLoopMerge, {labelOf(merge->second.merge),
                                          labelOf(merge->second.next),
                                          spv::LoopControlMaskNone});
      else
        builder.append(spv::OpSelectionMerge, {labelOf(merge->second.merge),
                                               spv::SelectionControlMaskNone});
    }
    translateEnd(instruction);
  }
}

void Translator::translate(llvm::Function &function) {
  auto structure = findStructure(function);
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
  if (!failure.empty())
    return llvm::createStringError(failure);
  return builder.finish(main, HET_SPIRV_ENTRY);
}

} // namespace het::spirv
