// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a loop over lanes: of one step of several lanes, and of these lanes one
// after another.

#include "LanePlan.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace het::host {
namespace {

using TTI = TargetTransformInfo;
constexpr TTI::TargetCostKind kind = TTI::TCK_RecipThroughput;

class Cost {
public:
  explicit Cost(const LanePlan &plan) : plan(plan), machine(plan.analyses.machine) {}

  InstructionCost ofVector(const Instruction &instruction) const;
  InstructionCost ofScalar(const Instruction &instruction) const {
    return machine.getInstructionCost(&instruction, kind);
  }

private:
  Type *vector(Type *type) const { return FixedVectorType::get(type, plan.width); }
  InstructionCost registers(Type *type) const {
    return std::max<InstructionCost>(1, machine.getNumberOfParts(vector(type)));
  }
  InstructionCost ofAccess(const Instruction &access) const;
  InstructionCost ofCall(const CallBase &call) const;
  InstructionCost lanesApart(const Instruction &instruction) const {
    return (ofScalar(instruction) + 4) * plan.width;
  }

  const LanePlan &plan;
  const TTI &machine;
};

InstructionCost Cost::ofAccess(const Instruction &access) const {
  Type *type = getLoadStoreType(const_cast<Instruction *>(&access));
  const bool isLoad = isa<LoadInst>(access);
  switch (findAccess(plan, access)) {
  case LaneAccess::Uniform:
    return isLoad ? InstructionCost(1) : plan.width;
  case LaneAccess::Contiguous:
    return registers(type) * 2;
  case LaneAccess::Scattered:
    break;
  }
  const unsigned bits = type->getScalarSizeInBits();
  if (isLoad && (bits == 8 || bits == 16))
    return plan.width + 4;
  auto *wide = cast<VectorType>(vector(type));
  const Align align = getLoadStoreAlignment(&access);
  const bool isLegal = isLoad ? machine.isLegalMaskedGather(wide, align) &&
                                    !machine.forceScalarizeMaskedGather(wide, align)
                              : machine.isLegalMaskedScatter(wide, align) &&
                                    !machine.forceScalarizeMaskedScatter(wide, align);
  if (!isLegal)
    return plan.width * 5;
  return isLoad ? plan.width : plan.width * 3 / 2;
}

InstructionCost Cost::ofCall(const CallBase &call) const {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (intrinsic && intrinsic->isAssumeLikeIntrinsic())
    return 0;
  if (!intrinsic || !hasVectorForm(intrinsic->getIntrinsicID()))
    return lanesApart(call);
  SmallVector<Type *> types;
  for (const Use &operand : call.args())
    types.push_back(vector(operand->getType()));
  FastMathFlags flags;
  if (isa<FPMathOperator>(call))
    flags = call.getFastMathFlags();
  return machine.getIntrinsicInstrCost(
      IntrinsicCostAttributes(intrinsic->getIntrinsicID(), vector(call.getType()), types,
                              flags),
      kind);
}

InstructionCost Cost::ofVector(const Instruction &instruction) const {
  if (isa<PHINode>(instruction))
    return plan.isVarying(&instruction) ? registers(instruction.getType())
                                        : InstructionCost(0);
  if (instruction.isTerminator())
    return conditionOf(*instruction.getParent()) ? 3 : 0;
  if (isa<LoadInst, StoreInst>(instruction))
    return ofAccess(instruction);
  if (!isPerLane(instruction) && !plan.isVarying(&instruction))
    return ofScalar(instruction);
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return ofCall(*call);
  if (isPerLane(instruction))
    return lanesApart(instruction);
  if (isa<GetElementPtrInst>(instruction))
    return 0; // part of what follows
  if (instruction.isBinaryOp() || instruction.isUnaryOp())
    return machine.getArithmeticInstrCost(instruction.getOpcode(),
                                          vector(instruction.getType()), kind);
  if (auto *conversion = dyn_cast<CastInst>(&instruction))
    return machine.getCastInstrCost(
        conversion->getOpcode(), vector(conversion->getType()),
        vector(conversion->getOperand(0)->getType()), TTI::CastContextHint::None, kind);
  return registers(instruction.getOperand(0)->getType());
}

} // namespace

bool isWorthwhile(const LanePlan &plan) {
  constexpr unsigned roundsOfLoop = 8, maxDepth = 3;
  const Cost cost(plan);
  const unsigned outer = plan.lanes.getLoopDepth();
  InstructionCost scalar = 0, vector = 0;
  for (const BasicBlock *block : plan.lanes.blocks()) {
    unsigned weight = 1;
    const unsigned depth = plan.analyses.loops.getLoopDepth(block) - outer;
    for (unsigned i = 0; i < std::min(depth, maxDepth); ++i)
      weight *= roundsOfLoop;
    for (const Instruction &instruction : *block) {
      scalar += cost.ofScalar(instruction) * weight;
      vector += cost.ofVector(instruction) * weight;
    }
  }
  // Lanes of which some have left, and ways of which each lane takes one.
  return vector.isValid() && scalar.isValid() && vector * 2 < scalar * plan.width;
}

} // namespace het::host
