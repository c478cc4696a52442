// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that has been unrolled is cut into many segments that differ in the slots of their
// values alone. Where segments stay functions of their own, one function serves all that
// are alike, and takes what differs as arguments: none of it matters to a loop's body.
// An argument is by how much constants are greater than the first segment's, so that
// LLVM still sees which of a segment's addresses are neighbours.

#include "Passes.h"
#include "SegmentShape.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/StructuralHash.h"

using namespace llvm;

namespace het::host {
namespace {

/// Segments that are alike.
class LikeSegments {
public:
  explicit LikeSegments(Function &first) : segments{&first} {}

  bool take(Function &segment);
  void share();

private:
  using Shift = SmallVector<Constant *>;
  void findShifts();
  Function *build();
  void redirect(Function &segment, Function &shared, size_t number);

  SmallVector<Function *> segments;
  MapVector<Shift, SmallVector<unsigned>> shifts; ///< Of each segment; the uses.
};

bool LikeSegments::take(Function &segment) {
  if (!SegmentShape(*segments.front(), segment).areAlike())
    return false;
  segments.push_back(&segment);
  return true;
}

SmallVector<Use *> usesThatDiffer(Function &function) {
  SmallVector<Use *> uses;
  for (Instruction &instruction : instructions(function))
    for (Use &use : instruction.operands())
      if (mayDiffer(use))
        uses.push_back(&use);
  return uses;
}

const APInt &valueOf(const Use *use) { return cast<ConstantInt>(use->get())->getValue(); }

/// Finds by how much the uses differ; those that differ in the same way share an
/// argument.
void LikeSegments::findShifts() {
  SmallVector<SmallVector<Use *>> uses;
  for (Function *segment : segments)
    uses.push_back(usesThatDiffer(*segment));
  for (unsigned number = 0; number < uses.front().size(); ++number) {
    const APInt &first = valueOf(uses.front()[number]);
    Shift shift;
    for (const SmallVector<Use *> &ofSegment : uses)
      shift.push_back(ConstantInt::get(segments.front()->getContext(),
                                       valueOf(ofSegment[number]) - first));
    auto isZero = [](Constant *constant) { return constant->isNullValue(); };
    if (!all_of(shift, isZero))
      shifts[shift].push_back(number);
  }
}

/// The first segment's code in a function that takes the arguments.
Function *LikeSegments::build() {
  Function &first = *segments.front();
  const SmallVector<Use *> uses = usesThatDiffer(first);
  SmallVector<Type *> types(first.getFunctionType()->params());
  for (const auto &[shift, places] : shifts)
    types.push_back(shift.front()->getType());
  auto *shared = Function::Create(
      FunctionType::get(first.getReturnType(), types, /*isVarArg=*/false),
      first.getLinkage(), first.getAddressSpace(), "", first.getParent());
  shared->copyAttributesFrom(&first);
  shared->setName(first.getName() + ".shared");
  shared->splice(shared->end(), &first);
  for (const auto &[argument, own] : zip(first.args(), shared->args()))
    argument.replaceAllUsesWith(&own);
  IRBuilder<> builder(&shared->getEntryBlock(), shared->getEntryBlock().begin());
  Argument *next = shared->getArg(first.arg_size());
  for (const auto &[shift, places] : shifts) {
    for (unsigned place : places)
      uses[place]->set(builder.CreateAdd(next, uses[place]->get()));
    ++next;
  }
  return shared;
}

/// Makes the calls of one of the segments calls of the function that they share.
void LikeSegments::redirect(Function &segment, Function &shared, size_t number) {
  for (User *user : make_early_inc_range(segment.users())) {
    auto *call = cast<CallInst>(user);
    SmallVector<Value *> operands(call->args());
    for (const auto &[shift, places] : shifts)
      operands.push_back(shift[number]);
    auto *other = CallInst::Create(&shared, operands, "", call->getIterator());
    other->setAttributes(call->getAttributes());
    other->setCallingConv(call->getCallingConv());
    other->copyMetadata(*call);
    call->replaceAllUsesWith(other);
    call->eraseFromParent();
  }
  segment.eraseFromParent();
}

void LikeSegments::share() {
  constexpr size_t maxArguments = 64;
  if (segments.size() < 2)
    return;
  findShifts();
  if (shifts.size() > maxArguments)
    return;
  Function *shared = build();
  for (const auto &[number, segment] : enumerate(segments))
    redirect(*segment, *shared, number);
}

/// Whether it is a segment that is a function of its own, and called alone.
bool isApart(const Function &function) {
  return !function.isDeclaration() && function.getName().contains(".segment.") &&
         function.hasFnAttribute(Attribute::NoInline) &&
         all_of(function.uses(), [](const Use &use) {
           auto *call = dyn_cast<CallInst>(use.getUser());
           return call && call->isCallee(&use);
         });
}

} // namespace

void shareSegments(Module &module) {
  MapVector<stable_hash, SmallVector<LikeSegments, 1>> shapes;
  for (Function &function : module) {
    if (!isApart(function))
      continue;
    auto &ofShape = shapes[StructuralHash(function)];
    if (none_of(ofShape, [&](LikeSegments &one) { return one.take(function); }))
      ofShape.emplace_back(function);
  }
  for (auto &[shape, groups] : shapes)
    for (LikeSegments &group : groups)
      group.share();
}

} // namespace het::host
