// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop over lanes must be like: its rounds are counted before it begins, nothing
// goes from one round to the next but what is linear in the lane's number, and each
// instruction has a form for vectors or can be done lane by lane.

#include "LanePlan.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace het::host {

bool isLaneLoop(const Loop &loop) {
  return findOptionMDForLoop(&loop, "llvm.loop.parallel_accesses") != nullptr;
}

bool hasVectorForm(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::sqrt:
  case Intrinsic::fabs:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::minimumnum:
  case Intrinsic::maximumnum:
  case Intrinsic::copysign:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::sadd_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    return true;
  default:
    return false;
  }
}

namespace {

class Planner {
public:
  explicit Planner(LanePlan &plan)
      : plan(plan), lanes(plan.lanes), loops(plan.analyses.loops) {}

  bool make();

private:
  bool hasShape() const;
  bool hasLinearPhis() const;
  bool hasNoResult() const;
  bool collectObjects();
  bool isPrivate(const AllocaInst &object) const;
  bool isIndependent(const StoreInst &store) const;
  bool isSupported(const Instruction &instruction) const;
  bool isElement(const Type *type) const;
  unsigned findWidth() const;

  LanePlan &plan;
  Loop &lanes;
  LoopInfo &loops;
};

bool Planner::hasShape() const {
  constexpr size_t large = 1500; // instructions
  size_t size = 0;
  for (BasicBlock *block : lanes.blocks())
    size += block->size();
  if (size > large)
    return false;
  if (lanes.isInnermost() || !lanes.isLoopSimplifyForm() || !isLaneLoop(lanes) ||
      lanes.getExitingBlock() != lanes.getLoopLatch() || !lanes.getUniqueExitBlock() ||
      !plan.analyses.evolution.hasLoopInvariantBackedgeTakenCount(&lanes))
    return false;
  LoopBlocksRPO order(&lanes);
  order.perform(&loops);
  if (containsIrreducibleCFG<const BasicBlock *>(order, loops))
    return false;
  for (BasicBlock *block : lanes.blocks())
    if (!isa<BranchInst, SwitchInst>(block->getTerminator()))
      return false;
  for (Loop *inner : lanes.getLoopsInPreorder())
    if (!inner->isLoopSimplifyForm())
      return false;
  return true;
}

/// What goes from round to round is a sum of its first value and the rounds.
bool Planner::hasLinearPhis() const {
  return all_of(lanes.getHeader()->phis(), [&](PHINode &phi) {
    if (!phi.getType()->isIntegerTy() && !phi.getType()->isPointerTy())
      return false;
    auto *round = dyn_cast<SCEVAddRecExpr>(plan.analyses.evolution.getSCEV(&phi));
    return round && round->getLoop() == &lanes && round->isAffine() &&
           isa<SCEVConstant>(round->getStepRecurrence(plan.analyses.evolution));
  });
}

bool Planner::hasNoResult() const {
  for (BasicBlock *block : lanes.blocks())
    for (Instruction &instruction : *block)
      for (User *user : instruction.users())
        if (!lanes.contains(cast<Instruction>(user)))
          return false;
  return true;
}

bool Planner::isElement(const Type *type) const {
  return (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) || type->isHalfTy() ||
         type->isBFloatTy() || type->isFloatTy() || type->isDoubleTy() ||
         (type->isPointerTy() && type->getPointerAddressSpace() == 0);
}

bool Planner::isPrivate(const AllocaInst &object) const {
  constexpr uint64_t large = 4096; // bytes
  std::optional<TypeSize> size =
      object.getAllocationSize(object.getFunction()->getDataLayout());
  if (!object.isStaticAlloca() || !size || size->isScalable() || *size > large)
    return false;
  return all_of(object.users(), [&](const User *user) {
    return lanes.contains(cast<Instruction>(user)) ||
           cast<Instruction>(user)->isLifetimeStartOrEnd();
  });
}

/// Whether what an instruction may access is known to be no object of the function, or
/// one of those.
static bool accessesOnly(const Instruction &instruction,
                         const SmallPtrSetImpl<AllocaInst *> &known) {
  return all_of(instruction.operands(), [&](const Use &operand) {
    if (!operand->getType()->isPointerTy())
      return true;
    SmallVector<const Value *> objects;
    getUnderlyingObjects(operand.get(), objects, nullptr, /*MaxLookup=*/0);
    return all_of(objects, [&](const Value *object) {
      auto *own = dyn_cast<AllocaInst>(object);
      return !own || known.contains(own);
    });
  });
}

/// A lane has a copy of each, so all together are small.
bool Planner::collectObjects() {
  SmallPtrSet<AllocaInst *, 8> seen;
  constexpr uint64_t most = 4096; // bytes
  uint64_t total = 0;
  for (BasicBlock *block : lanes.blocks())
    for (Instruction &instruction : *block)
      for (Value *operand : instruction.operands()) {
        auto *object = dyn_cast<AllocaInst>(operand);
        if (!object || !seen.insert(object).second)
          continue;
        if (lanes.contains(object) || !isPrivate(*object))
          return false;
        total += object->getAllocationSize(object->getDataLayout())->getFixedValue();
        plan.privateObjects.push_back(object);
      }
  return total <= most && all_of(lanes.blocks(), [&](const BasicBlock *block) {
           return all_of(*block, [&](const Instruction &instruction) {
             return accessesOnly(instruction, seen);
           });
         });
}

/// Whether a store belongs to the lanes, which do not depend on each other's, or is to an
/// object of the lane's own. One that does not is a part of an atomic
/// (SharedAtomics.cpp).
bool Planner::isIndependent(const StoreInst &store) const {
  const Value *object = getUnderlyingObject(store.getPointerOperand(), /*MaxLookup=*/0);
  if (is_contained(plan.privateObjects, object))
    return true;
  MDNode *groups = store.getMetadata(LLVMContext::MD_access_group);
  const MDNode *ofLanes = findOptionMDForLoop(&lanes, "llvm.loop.parallel_accesses");
  auto belongs = [&](const Metadata *group) {
    return any_of(drop_begin(ofLanes->operands()),
                  [&](const MDOperand &operand) { return operand.get() == group; });
  };
  if (!groups || groups->getNumOperands() == 0)
    return groups && belongs(groups);
  return any_of(groups->operands(), belongs);
}

/// Atomics and calls are done lane by lane; in loops inside, where lanes could wait for
/// each other, only atomics whose result nobody uses.
bool Planner::isSupported(const Instruction &instruction) const {
  if (isa<LoadInst, StoreInst>(instruction)) {
    Type *type = getLoadStoreType(const_cast<Instruction *>(&instruction));
    const DataLayout &layout = instruction.getDataLayout();
    if (isa<StoreInst>(instruction) && !isElement(type))
      return false;
    // In vectors such elements lie closer together than in memory.
    if (isElement(type) && layout.getTypeSizeInBits(type).getFixedValue() !=
                               8 * layout.getTypeAllocSize(type).getFixedValue())
      return false;
  }
  if (instruction.getType()->isVoidTy() || isElement(instruction.getType())) {
    if (any_of(instruction.operands(), [&](const Use &operand) {
          const Type *type = operand->getType();
          return type->isSized() && !isElement(type) && !isa<Function>(operand.get());
        }))
      return !plan.isVarying(&instruction) && !isPerLane(instruction);
  } else if (plan.isVarying(&instruction) || isPerLane(instruction)) {
    return false;
  }
  if (auto *access = dyn_cast<StoreInst>(&instruction))
    if (!access->isSimple() || !isIndependent(*access))
      return false;
  if (isa<AllocaInst, VAArgInst, FenceInst>(instruction))
    return false;
  if (!isPerLane(instruction))
    return true;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return intrinsic->isAssumeLikeIntrinsic() && intrinsic->use_empty();
  const bool isInside = loops.getLoopFor(instruction.getParent()) != &lanes;
  if (auto *call = dyn_cast<CallInst>(&instruction))
    return !isInside && !call->hasOperandBundles() && call->doesNotThrow() &&
           call->willReturn() && !call->isMustTailCall();
  return isa<AtomicRMWInst>(instruction) && !instruction.isVolatile() &&
         (!isInside || instruction.use_empty());
}

/// As many lanes as the vectors of the machine have elements of the type that the floats
/// have; 0: it has no vectors with masks.
unsigned Planner::findWidth() const {
  const TargetTransformInfo &machine = plan.analyses.machine;
  const unsigned bits =
      machine.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue();
  Type *word = Type::getInt32Ty(lanes.getHeader()->getContext());
  if (bits < 256)
    return 0;
  unsigned element = 32;
  for (BasicBlock *block : lanes.blocks())
    for (Instruction &instruction : *block)
      if (instruction.getType()->isDoubleTy() && plan.isVarying(&instruction) &&
          loops.getLoopFor(block) != &lanes)
        element = 64;
  auto *vector = FixedVectorType::get(word, bits / 32);
  if (!machine.isLegalMaskedLoad(vector, Align(4), 0) ||
      !machine.isLegalMaskedStore(vector, Align(4), 0))
    return 0;
  return bits / element;
}

bool Planner::make() {
  if (!hasShape() || !hasLinearPhis() || !hasNoResult() || !collectObjects())
    return false;
  plan.divergence = std::make_unique<LaneDivergence>(
      lanes, loops, plan.analyses.dominators, plan.privateObjects);
  for (BasicBlock *block : lanes.blocks())
    for (Instruction &instruction : *block)
      if (!instruction.isTerminator() && !isSupported(instruction))
        return false;
  plan.width = findWidth();
  if (plan.width == 0)
    return false;
  plan.addresses = std::make_unique<LaneAddresses>(lanes, loops, plan.analyses.evolution,
                                                   *plan.divergence, plan.width);
  return true;
}

} // namespace

bool makePlan(LanePlan &plan) { return Planner(plan).make(); }

LaneAccess findAccess(const LanePlan &plan, const Instruction &access) {
  Value *pointer = const_cast<Value *>(getLoadStorePointerOperand(&access));
  if (!plan.isVarying(pointer))
    return LaneAccess::Uniform;
  // Each lane has a copy of a private object.
  if (is_contained(plan.privateObjects, getUnderlyingObject(pointer, /*MaxLookup=*/0)))
    return LaneAccess::Scattered;
  std::optional<int64_t> stride = plan.addresses->strideOf(pointer, access.getParent());
  const uint64_t bytes =
      access.getDataLayout().getTypeAllocSize(getLoadStoreType(&access));
  return stride && *stride == int64_t(bytes) ? LaneAccess::Contiguous
                                             : LaneAccess::Scattered;
}

} // namespace het::host
