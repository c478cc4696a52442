// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Team operations: a team is a warp.
//
// Source: PTX ISA, "vote.sync", "match.sync", "shfl.sync", "redux.sync".

#include "../../Support/Lowering/TargetLowering.h"
#include "ConvertToPTX.h"
#include "het/IR/Matrix.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het::ptx {
namespace {

/// The first machine with redux.sync.
constexpr unsigned reduxCapability = 80;
/// The first machine whose lanes go on by themselves: with the .sync forms and
/// match.sync.
constexpr unsigned syncCapability = 70;

class TeamConverter {
public:
  TeamConverter(Operation *op, const Machine &machine)
      : op(op), machine(machine), builder(op->getLoc(), op) {}

  LogicalResult run();

private:
  Value call(const Twine &name, Type result, ValueRange operands) {
    return callIntrinsic(builder, ("llvm.nvvm." + name).str(), result, operands);
  }
  void replace(ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
  }
  Type i1() { return builder.getI1Type(); }
  Type i32() { return builder.getI32Type(); }
  Type i64() { return builder.getI64Type(); }

  void convertMatch(ir::MatchOp match);
  void convertShuffle(ir::ShuffleOp shuffle);
  Value shuffleWord(ir::ShuffleOp shuffle, Value word, Value &inRange);
  void convertReduce(ir::TeamReduceOp reduce);
  LLVM::LLVMFuncOp reduceFunction(ir::ReduceKind kind);

  Operation *op;
  const Machine &machine;
  ImplicitLocOpBuilder builder;
};

void TeamConverter::convertMatch(ir::MatchOp match) {
  StringRef type = match.getValue().getType().isInteger(32) ? "i32" : "i64";
  Value operands[] = {match.getMask(), match.getValue()};
  if (match.getKind() == ir::MatchKind::Any) {
    Value lanes = call("match.any.sync." + type, i32(), operands);
    Value all = LLVM::ConstantOp::create(builder, i1(), builder.getBoolAttr(true));
    return replace({lanes, all});
  }
  auto both = LLVM::LLVMStructType::getLiteral(builder.getContext(), {i32(), i1()});
  Value result = call("match.all.sync." + type + "p", both, operands);
  replace({LLVM::ExtractValueOp::create(builder, result, 0),
           LLVM::ExtractValueOp::create(builder, result, 1)});
}

Value TeamConverter::shuffleWord(ir::ShuffleOp shuffle, Value word, Value &inRange) {
  StringRef kind = shuffle.getKind() == ir::ShuffleKind::Xor
                       ? "bfly"
                       : stringifyShuffleKind(shuffle.getKind());
  Value operands[] = {shuffle.getMask(), word, shuffle.getSource(), shuffle.getClamp()};
  if (inRange || shuffle.getInRange().use_empty())
    return call("shfl.sync." + kind + ".i32", i32(), operands);
  auto both = LLVM::LLVMStructType::getLiteral(builder.getContext(), {i32(), i1()});
  Value result = call("shfl.sync." + kind + ".i32p", both, operands);
  inRange = LLVM::ExtractValueOp::create(builder, result, 1);
  return LLVM::ExtractValueOp::create(builder, result, 0);
}

/// A value travels as one or two words of 32 bits.
void TeamConverter::convertShuffle(ir::ShuffleOp shuffle) {
  Type type = shuffle.getValue().getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits);
  Value value = shuffle.getValue(), inRange;
  if (type != integer)
    value = LLVM::BitcastOp::create(builder, integer, value);
  if (bits == 64) {
    Value half = LLVM::ConstantOp::create(builder, i64(), builder.getI64IntegerAttr(32));
    Value high = LLVM::LShrOp::create(builder, value, half);
    Value words[] = {LLVM::TruncOp::create(builder, i32(), value),
                     LLVM::TruncOp::create(builder, i32(), high)};
    for (Value &word : words)
      word = LLVM::ZExtOp::create(builder, i64(), shuffleWord(shuffle, word, inRange));
    value = LLVM::OrOp::create(builder, words[0],
                               LLVM::ShlOp::create(builder, words[1], half));
  } else {
    if (bits < 32)
      value = LLVM::ZExtOp::create(builder, i32(), value);
    value = shuffleWord(shuffle, value, inRange);
    if (bits < 32)
      value = LLVM::TruncOp::create(builder, integer, value);
  }
  if (type != integer)
    value = LLVM::BitcastOp::create(builder, type, value);
  if (!inRange) // nobody asks
    inRange = LLVM::ConstantOp::create(builder, i1(), builder.getBoolAttr(true));
  replace({value, inRange});
}

/// Where there is no redux.sync: the values of the lanes of the mask, one by one.
///   rest = mask; sum = the value of its lowest lane;
///   while (rest &= rest - 1) sum = combine(sum, the value of its lowest lane)
LLVM::LLVMFuncOp TeamConverter::reduceFunction(ir::ReduceKind kind) {
  auto module = op->getParentOfType<ModuleOp>();
  std::string name = "het$team_reduce_" + stringifyReduceKind(kind).str();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  ImplicitLocOpBuilder builder(op->getLoc(), op->getContext());
  builder.setInsertionPointToEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      builder, name, LLVM::LLVMFunctionType::get(i32(), {i32(), i32()}),
      LLVM::Linkage::Internal);
  Block *entry = function.addEntryBlock(builder), *loop = new Block, *end = new Block;
  function.getBody().push_back(loop);
  function.getBody().push_back(end);
  Value mask = entry->getArgument(0), value = entry->getArgument(1);
  auto valueOfLowest = [&](Value rest) {
    Value lane = LLVM::CountTrailingZerosOp::create(builder, i32(), rest,
                                                    /*is_zero_poison=*/false);
    return callIntrinsic(builder, "llvm.nvvm.shfl.sync.idx.i32", i32(),
                         {mask, value, lane, constantI32(builder, 31)});
  };
  auto withoutLowest = [&](Value rest) -> Value {
    Value less = LLVM::SubOp::create(builder, rest, constantI32(builder, 1));
    return LLVM::AndOp::create(builder, rest, less);
  };
  auto branch = [&](Value rest, Value sum) {
    Value more = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, rest,
                                      constantI32(builder, 0));
    LLVM::CondBrOp::create(builder, more, loop, ValueRange{rest, sum}, end,
                           ValueRange{sum});
  };
  for (Block *block : {loop, loop, end})
    block->addArgument(i32(), op->getLoc());
  builder.setInsertionPointToEnd(entry);
  Value first = valueOfLowest(mask);
  branch(withoutLowest(mask), first);
  builder.setInsertionPointToEnd(loop);
  Value next = target::combine(builder, kind, loop->getArgument(1),
                               valueOfLowest(loop->getArgument(0)));
  branch(withoutLowest(loop->getArgument(0)), next);
  builder.setInsertionPointToEnd(end);
  LLVM::ReturnOp::create(builder, end->getArgument(0));
  return function;
}

void TeamConverter::convertReduce(ir::TeamReduceOp reduce) {
  if (machine.capability >= reduxCapability)
    return replace(call("redux.sync." + stringifyReduceKind(reduce.getKind()), i32(),
                        {reduce.getValue(), reduce.getMask()}));
  LLVM::LLVMFuncOp function = reduceFunction(reduce.getKind());
  replace(LLVM::CallOp::create(builder, function,
                               ValueRange{reduce.getMask(), reduce.getValue()})
              .getResults());
}

LogicalResult TeamConverter::run() {
  if (machine.capability < syncCapability)
    return op->emitError("'") << op->getName() << "' needs compute capability 7.0, found "
                              << machine.capability / 10 << "."
                              << machine.capability % 10;
  if (ir::isMatrixOperation(op)) {
    convertMatrixOperation(op, machine);
    return success();
  }
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ir::BallotOp ballot) {
        replace(
            call("vote.ballot.sync", i32(), {ballot.getMask(), ballot.getPredicate()}));
      })
      .Case([&](ir::VoteOp vote) {
        replace(call("vote." + stringifyVoteKind(vote.getKind()) + ".sync", i1(),
                     {vote.getMask(), vote.getPredicate()}));
      })
      .Case([&](ir::ActiveMaskOp) { replace(call("activemask", i32(), {})); })
      .Case([&](ir::TeamSyncOp sync) {
        call("bar.warp.sync", {}, sync.getMask());
        op->erase();
      })
      .Case([&](ir::MatchOp match) { convertMatch(match); })
      .Case([&](ir::ShuffleOp shuffle) { convertShuffle(shuffle); })
      .Case([&](ir::TeamReduceOp reduce) { convertReduce(reduce); });
  return success();
}

} // namespace

LogicalResult convertTeamOperation(Operation *op, const Machine &machine) {
  return TeamConverter(op, machine).run();
}

} // namespace het::ptx
