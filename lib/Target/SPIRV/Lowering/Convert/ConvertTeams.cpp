// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Team operations of the flat forms: all lanes of a team arrive together and name each
// other in their masks (ChooseForm.cpp). So where a team is a sub-group, SPIR-V's
// "active invocations" are those that take part. Where it is several sub-groups, all
// threads of the block arrive together; values go through a scratch place of 8 bytes
// for each thread, between barriers of the block.
//
// Source: SPIR-V specification, "Non-Uniform Instructions"; docs/spec/hetir-ops.md.

#include "../../../Support/Lowering/TargetLowering.h"
#include "ConvertToSPIRV.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cstddef>

using namespace mlir;

namespace het::spirv {
namespace {

class TeamConverter {
public:
  TeamConverter(Operation *op, const Context &context)
      : op(op), context(context), builder(op->getLoc(), op) {}

  LogicalResult run();

private:
  void replace(ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
  }
  Value ballot(Value predicate);
  Value everyone() { return ballot(constant1(true)); }
  Value vote(ir::VoteOp vote);
  void convertMatch(ir::MatchOp match);
  void convertShuffle(ir::ShuffleOp shuffle);
  Value sourceLane(ir::ShuffleOp shuffle, Value &inRange);
  Value reduce(ir::TeamReduceOp reduce);
  void convertSync();

  Type i1() { return builder.getI1Type(); }
  Type i32() { return builder.getI32Type(); }
  Value constant1(bool value) {
    return LLVM::ConstantOp::create(builder, i1(), builder.getBoolAttr(value));
  }
  Value compare(LLVM::ICmpPredicate predicate, Value a, Value b) {
    return LLVM::ICmpOp::create(builder, predicate, a, b);
  }
  bool isSplit() const { return context.form == Form::Split; }
  Value laneOfSubgroup() {
    return callFunction(builder, "_Z22get_sub_group_local_idv", i32(), {});
  }
  Value lane() {
    return isSplit() ? LLVM::AndOp::create(builder, linearThread(builder, context),
                                           constantI32(builder, ir::teamSize - 1))
                     : laneOfSubgroup();
  }
  void meet();
  Value scratch(Value thread);
  Value firstOfTeam() {
    return LLVM::AndOp::create(builder, linearThread(builder, context),
                               constantI32(builder, ~(ir::teamSize - 1)));
  }
  SmallVector<Value> partsOfTeam(Value ofSubgroup);
  Value exists(Value thread) {
    return compare(
        LLVM::ICmpPredicate::ult, thread,
        loadField(builder, context.launch, offsetof(HetSpirvLaunch, threadCount), i32()));
  }

  Operation *op;
  const Context &context;
  ImplicitLocOpBuilder builder;
};

/// A barrier of the block.
void TeamConverter::meet() {
  constexpr uint32_t scopeWorkgroup = 2, semantics = 0x10 | 0x100 | 0x200;
  callFunction(builder, "_Z22__spirv_ControlBarrierjjj", nullptr,
               {constantI32(builder, scopeWorkgroup),
                constantI32(builder, scopeWorkgroup), constantI32(builder, semantics)});
}

/// A thread's place, behind the block's own.
Value TeamConverter::scratch(Value thread) {
  Value offset = LLVM::AddOp::create(
      builder,
      loadField(builder, context.launch, offsetof(HetSpirvLaunch, scratchOffset), i32()),
      LLVM::AddOp::create(
          builder,
          LLVM::MulOp::create(builder, thread,
                              constantI32(builder, HET_SPIRV_SCRATCH_BYTES)),
          constantI32(builder, HET_SPIRV_SHARED_ALIGNMENT)));
  return target::addressAt(builder, context.block, offset);
}

/// Results of this team's sub-groups, each in the place of its first lane; beyond the
/// block's end what is there does not count.
SmallVector<Value> TeamConverter::partsOfTeam(Value ofSubgroup) {
  Value first =
      LLVM::SubOp::create(builder, linearThread(builder, context), laneOfSubgroup());
  LLVM::StoreOp::create(builder, ofSubgroup, scratch(first)); // all lanes the same
  meet();
  SmallVector<Value> parts;
  Value begin = firstOfTeam();
  for (unsigned lane = 0; lane < ir::teamSize; lane += context.lanes) {
    Value thread = LLVM::AddOp::create(builder, begin, constantI32(builder, lane));
    parts.push_back(LLVM::LoadOp::create(builder, i32(), scratch(thread)));
  }
  meet();
  return parts;
}

Value TeamConverter::ballot(Value predicate) {
  Value word = LLVM::ZExtOp::create(builder, i32(), predicate);
  Value words =
      callFunction(builder, "_Z16sub_group_balloti", VectorType::get({4}, i32()), word);
  word = LLVM::ExtractElementOp::create(builder, words, constantI32(builder, 0));
  if (!isSplit())
    return word;
  Value all = constantI32(builder, 0), begin = firstOfTeam();
  for (auto [index, part] : llvm::enumerate(partsOfTeam(word))) {
    uint32_t shift = index * context.lanes;
    Value thread = LLVM::AddOp::create(builder, begin, constantI32(builder, shift));
    Value counted =
        LLVM::SelectOp::create(builder, exists(thread), part, constantI32(builder, 0));
    all = LLVM::OrOp::create(
        builder, all, LLVM::ShlOp::create(builder, counted, constantI32(builder, shift)));
  }
  return all;
}

Value TeamConverter::vote(ir::VoteOp vote) {
  Value yes = ballot(vote.getPredicate());
  Value none = constantI32(builder, 0);
  if (vote.getKind() == ir::VoteKind::Any)
    return compare(LLVM::ICmpPredicate::ne, yes, none);
  Value all = compare(LLVM::ICmpPredicate::eq, yes, everyone());
  if (vote.getKind() == ir::VoteKind::All)
    return all;
  return LLVM::OrOp::create(builder, all, compare(LLVM::ICmpPredicate::eq, yes, none));
}

/// A ballot for each bit of the value: the lanes that agree in all of them.
void TeamConverter::convertMatch(ir::MatchOp match) {
  // A lane that does not count may bring an undefined value; all its bits are looked at.
  Value value = LLVM::FreezeOp::create(builder, match.getValue());
  Value all = everyone(), equal = all;
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  for (unsigned bit = 0; bit < bits; ++bit) {
    Value mask = LLVM::ConstantOp::create(
        builder, value.getType(),
        builder.getIntegerAttr(value.getType(), APInt::getOneBitSet(bits, bit)));
    Value zero = LLVM::ConstantOp::create(builder, value.getType(),
                                          builder.getIntegerAttr(value.getType(), 0));
    Value isSet =
        compare(LLVM::ICmpPredicate::ne, LLVM::AndOp::create(builder, value, mask), zero);
    Value set = ballot(isSet);
    Value clear = LLVM::XOrOp::create(builder, set, constantI32(builder, ~0u));
    Value same = LLVM::SelectOp::create(builder, isSet, set, clear);
    equal = LLVM::AndOp::create(builder, equal, same);
  }
  if (match.getKind() == ir::MatchKind::Any)
    return replace({equal, constant1(true)});
  Value isAll = compare(LLVM::ICmpPredicate::eq, equal, all);
  Value none = constantI32(builder, 0);
  replace({LLVM::SelectOp::create(builder, isAll, equal, none), isAll});
}

/// hetIR's definition of the lane a shuffle reads (hetir.shuffle).
Value TeamConverter::sourceLane(ir::ShuffleOp shuffle, Value &inRange) {
  auto constant = [&](uint32_t value) { return constantI32(builder, value); };
  auto bitAnd = [&](Value a, Value b) -> Value {
    return LLVM::AndOp::create(builder, a, b);
  };
  Value own = lane();
  Value bound = bitAnd(shuffle.getClamp(), constant(31));
  Value segment = bitAnd(LLVM::LShrOp::create(builder, shuffle.getClamp(), constant(8)),
                         constant(31));
  Value within = LLVM::XOrOp::create(builder, segment, constant(31));
  // Undefined, too, it leads to a place of the scratch memory.
  Value offset =
      bitAnd(LLVM::FreezeOp::create(builder, shuffle.getSource()), constant(31));
  Value lowest = bitAnd(own, segment);
  Value highest = LLVM::OrOp::create(builder, lowest, bitAnd(bound, within));
  Value from;
  switch (shuffle.getKind()) {
  case ir::ShuffleKind::Idx:
    from = LLVM::OrOp::create(builder, lowest, bitAnd(offset, within));
    break;
  case ir::ShuffleKind::Up:
    from = LLVM::SubOp::create(builder, own, offset);
    break;
  case ir::ShuffleKind::Down:
    from = LLVM::AddOp::create(builder, own, offset);
    break;
  case ir::ShuffleKind::Xor:
    from = LLVM::XOrOp::create(builder, own, offset);
    break;
  }
  inRange = compare(shuffle.getKind() == ir::ShuffleKind::Up ? LLVM::ICmpPredicate::sge
                                                             : LLVM::ICmpPredicate::sle,
                    from, highest);
  Value source = LLVM::SelectOp::create(builder, inRange, from, own);
  return bitAnd(source, constant(31));
}

void TeamConverter::convertShuffle(ir::ShuffleOp shuffle) {
  Type type = shuffle.getValue().getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits);
  Type carrier = bits == 64 ? Type(builder.getI64Type()) : i32();
  Value inRange, value = shuffle.getValue();
  Value source = sourceLane(shuffle, inRange);
  if (type != integer)
    value = LLVM::BitcastOp::create(builder, integer, value);
  if (integer != carrier)
    value = LLVM::ZExtOp::create(builder, carrier, value);
  if (isSplit()) {
    LLVM::StoreOp::create(builder, value, scratch(linearThread(builder, context)));
    meet();
    Value from = LLVM::OrOp::create(builder, firstOfTeam(), source);
    value = LLVM::LoadOp::create(builder, carrier, scratch(from));
    meet();
  } else {
    value = callFunction(
        builder, bits == 64 ? "_Z17sub_group_shufflelj" : "_Z17sub_group_shuffleij",
        carrier, {value, source});
  }
  if (integer != carrier)
    value = LLVM::TruncOp::create(builder, integer, value);
  if (type != integer)
    value = LLVM::BitcastOp::create(builder, type, value);
  replace({value, inRange});
}

Value TeamConverter::reduce(ir::TeamReduceOp reduce) {
  StringRef kind = stringifyReduceKind(reduce.getKind());
  bool isUnsigned = kind.consume_front("u");
  std::string name = ("sub_group_non_uniform_reduce_" + kind).str();
  name = "_Z" + std::to_string(name.size()) + name + (isUnsigned ? "j" : "i");
  Value result = callFunction(builder, name, i32(), reduce.getValue());
  if (!isSplit())
    return result;
  Value begin = firstOfTeam(), all;
  for (auto [index, part] : llvm::enumerate(partsOfTeam(result))) {
    Value thread =
        LLVM::AddOp::create(builder, begin, constantI32(builder, index * context.lanes));
    all = index ? LLVM::SelectOp::create(
                      builder, exists(thread),
                      target::combine(builder, reduce.getKind(), all, part), all)
                : part;
  }
  return all;
}

/// A barrier of scope Subgroup over all memory.
void TeamConverter::convertSync() {
  if (isSplit()) {
    meet();
    return op->erase();
  }
  constexpr uint32_t scopeSubgroup = 3, semantics = 0x10 | 0x100 | 0x200;
  callFunction(builder, "_Z22__spirv_ControlBarrierjjj", nullptr,
               {constantI32(builder, scopeSubgroup), constantI32(builder, scopeSubgroup),
                constantI32(builder, semantics)});
  op->erase();
}

LogicalResult TeamConverter::run() {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ir::BallotOp op) { replace(ballot(op.getPredicate())); })
      .Case([&](ir::VoteOp op) { replace(vote(op)); })
      .Case([&](ir::ActiveMaskOp) { replace(everyone()); })
      .Case([&](ir::TeamSyncOp) { convertSync(); })
      .Case([&](ir::MatchOp match) { convertMatch(match); })
      .Case([&](ir::ShuffleOp shuffle) { convertShuffle(shuffle); })
      .Case([&](ir::TeamReduceOp op) { replace(reduce(op)); });
  return success();
}

} // namespace

LogicalResult convertTeamOperation(Operation *op, const Context &context) {
  return TeamConverter(op, context).run();
}

} // namespace het::spirv
