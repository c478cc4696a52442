// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: of functions of the module, of intrinsics, and of those that stand for a
// position, a barrier, a team operation or a word of memory.

#include "../../SPIRVArtifact.h"
#include "Translator.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"

namespace het::spirv {

/// Orders accesses of buffers and of shared memory, and makes them seen.
void CallTranslator::translateBarrier(llvm::CallInst &call, bool isControl) {
  const uint32_t all =
      spv::MemorySemanticsAcquireReleaseMask | spv::MemorySemanticsUniformMemoryMask |
      spv::MemorySemanticsWorkgroupMemoryMask | spv::MemorySemanticsMakeAvailableMask |
      spv::MemorySemanticsMakeVisibleMask;
  auto scopeAt = [&](unsigned index) -> uint32_t {
    auto *scope = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(index));
    const auto number = static_cast<uint32_t>(scope ? scope->getZExtValue() : 0);
    return number == spv::ScopeCrossDevice ? uint32_t(spv::ScopeDevice) : number;
  };
  if (isControl)
    builder.append(spv::OpControlBarrier, {u32(scopeAt(0)), u32(scopeAt(1)), u32(all)});
  else if (scopeAt(0) == spv::ScopeInvocation)
    return; // there is nobody to see it
  else if (machine.isLlvmpipe)
    updateNothing();
  else
    builder.append(spv::OpMemoryBarrier, {u32(scopeAt(0)), u32(all)});
}

/// An atomic update that changes nothing: lavapipe orders accesses at each, and compilers
/// move none across. Its memory barriers are barriers of the group, where those whose
/// loops end later are lost.
void CallTranslator::updateNothing() {
  const Id launch = readPushed(PushedWord::Launch, 64);
  const Id field = builder.append(
      spv::OpIAdd, builder.integer(64),
      {launch, builder.constant(64, offsetof(HetSpirvLaunch, clusterStride))});
  const Id place = builder.append(
      spv::OpConvertUToPtr,
      builder.pointer(spv::StorageClassPhysicalStorageBuffer, builder.integer(32)),
      field);
  builder.append(spv::OpAtomicOr, builder.integer(32),
                 {place, u32(spv::ScopeDevice), u32(0), u32(0)});
}

bool CallTranslator::translateTeamCall(llvm::CallInst &call, llvm::StringRef name) {
  const Id scope = u32(spv::ScopeSubgroup);
  if (name == "_Z22get_sub_group_local_idv") {
    builder.require(spv::CapabilityGroupNonUniform);
    make(call, spv::OpCopyObject, readInput(spv::BuiltInSubgroupLocalInvocationId, 1));
  } else if (name == "_Z16sub_group_balloti") {
    builder.require(spv::CapabilityGroupNonUniformBallot);
    const Id holds = builder.append(spv::OpINotEqual, builder.truth(),
                                    {idOf(call.getArgOperand(0)), u32(0)});
    make(call, spv::OpGroupNonUniformBallot, {scope, holds});
  } else if (name == "_Z17sub_group_shufflelj" || name == "_Z17sub_group_shuffleij") {
    builder.require(spv::CapabilityGroupNonUniformShuffle);
    make(call, spv::OpGroupNonUniformShuffle,
         {scope, idOf(call.getArgOperand(0)), idOf(call.getArgOperand(1))});
  } else {
    const size_t place = name.find("sub_group_non_uniform_reduce_");
    if (place == name.npos)
      return false;
    const spv::Op op = llvm::StringSwitch<spv::Op>(name.substr(place + 29))
                           .Case("addi", spv::OpGroupNonUniformIAdd)
                           .Case("mini", spv::OpGroupNonUniformSMin)
                           .Case("minj", spv::OpGroupNonUniformUMin)
                           .Case("maxi", spv::OpGroupNonUniformSMax)
                           .Case("maxj", spv::OpGroupNonUniformUMax)
                           .Case("andi", spv::OpGroupNonUniformBitwiseAnd)
                           .Case("ori", spv::OpGroupNonUniformBitwiseOr)
                           .Case("xori", spv::OpGroupNonUniformBitwiseXor)
                           .Default(spv::OpNop);
    if (op == spv::OpNop)
      return false;
    builder.require(spv::CapabilityGroupNonUniformArithmetic);
    make(call, op, {scope, spv::GroupOperationReduce, idOf(call.getArgOperand(0))});
  }
  return true;
}

bool CallTranslator::translateKnown(llvm::CallInst &call, llvm::StringRef name) {
  auto widen = [&](Id word) {
    make(call, spv::OpUConvert, word);
    return true;
  };
  auto access = [&](unsigned index) -> uint32_t {
    return spv::MemoryAccessNonPrivatePointerMask |
           (llvm::cast<llvm::ConstantInt>(call.getArgOperand(index))->isOne()
                ? spv::MemoryAccessVolatileMask
                : spv::MemoryAccessMaskNone);
  };
  if (name == "_Z12get_local_idj")
    return widen(readPosition(spv::BuiltInLocalInvocationId, call.getArgOperand(0)));
  // Segmented kernels ask for these; their groups have one work-item.
  if (name == "_Z12get_group_idj" || name == "_Z13get_global_idj")
    return widen(readPosition(spv::BuiltInWorkgroupId, call.getArgOperand(0)));
  if (name == "_Z22__spirv_ControlBarrierjjj" || name == "_Z21__spirv_MemoryBarrierjj")
    translateBarrier(call, name.contains("Control"));
  else if (name == constantsName)
    make(call, spv::OpCopyObject, readPushed(PushedWord::Constants, 64));
  else if (name == neverName)
    make(call, spv::OpINotEqual, {readPushed(PushedWord::Zero, 32), u32(0)});
  else if (name == loadSharedName)
    make(call, spv::OpLoad, {sharedWord(idOf(call.getArgOperand(0))), access(1)});
  else if (name == storeSharedName)
    builder.append(spv::OpStore, {sharedWord(idOf(call.getArgOperand(0))),
                                  idOf(call.getArgOperand(1)), access(2)});
  else if (name == loadLocalName)
    make(call, spv::OpLoad, localWord(idOf(call.getArgOperand(0))));
  else if (name == storeLocalName)
    builder.append(spv::OpStore,
                   {localWord(idOf(call.getArgOperand(0))), idOf(call.getArgOperand(1))});
  else
    return translateTeamCall(call, name);
  return true;
}

/// Counts bits in words of 32 bits; GLSL's functions find -1 in a zero.
bool CallTranslator::translateBits(llvm::CallInst &call) {
  const Id word = builder.integer(32), value = idOf(call.getArgOperand(0));
  auto find = [&](GLSLstd450 function) {
    return builder.append(spv::OpExtInst, word,
                          {builder.extendedInstructions(), uint32_t(function), value});
  };
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::ctpop:
    make(call, spv::OpBitCount, value);
    return true;
  case llvm::Intrinsic::ctlz:
    make(call, spv::OpISub, {u32(31), find(GLSLstd450FindUMsb)});
    return true;
  case llvm::Intrinsic::cttz: {
    const Id isZero = builder.append(spv::OpIEqual, builder.truth(), {value, u32(0)});
    make(call, spv::OpSelect, {isZero, u32(32), find(GLSLstd450FindILsb)});
    return true;
  }
  default:
    return false;
  }
}

/// Translates the intrinsics that expandOperations and makeExact leave.
bool CallTranslator::translateIntrinsic(llvm::CallInst &call) {
  if (call.getType()->isIntegerTy(32))
    return translateBits(call);
  GLSLstd450 op = GLSLstd450Bad;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::fabs:
    op = GLSLstd450FAbs;
    break;
  case llvm::Intrinsic::floor:
    op = GLSLstd450Floor;
    break;
  case llvm::Intrinsic::ceil:
    op = GLSLstd450Ceil;
    break;
  case llvm::Intrinsic::trunc:
    op = GLSLstd450Trunc;
    break;
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
  case llvm::Intrinsic::roundeven:
    op = GLSLstd450RoundEven;
    break;
  case llvm::Intrinsic::sqrt:
    op = GLSLstd450Sqrt;
    break;
  case llvm::Intrinsic::fma:
    op = GLSLstd450Fma;
    break;
  default:
    return false;
  }
  llvm::SmallVector<uint32_t> operands = {builder.extendedInstructions(),
                                          static_cast<uint32_t>(op)};
  for (llvm::Value *argument : call.args())
    operands.push_back(idOf(argument));
  makeExact(call, spv::OpExtInst, operands);
  return true;
}

void CallTranslator::translateCall(llvm::CallInst &call) {
  llvm::Function *callee = call.getCalledFunction();
  if (!callee) {
    failAt(call);
    return;
  }
  if (callee->isIntrinsic()
          ? translateIntrinsic(call)
          : callee->isDeclaration() && translateKnown(call, callee->getName()))
    return;
  if (callee->isDeclaration()) {
    failAt(call);
    return;
  }
  llvm::SmallVector<uint32_t> operands = {idOf(callee)};
  for (llvm::Value *argument : call.args())
    operands.push_back(idOf(argument));
  make(call, spv::OpFunctionCall, operands);
}

} // namespace het::spirv
