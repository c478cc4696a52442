// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Team operations and barrier reductions between segments: their operands lie in
// slots, a function of the device library (runtime/devicelib/teams.c) carries the
// operation out for all lanes that stand at it, their results lie in slots again.

#include "MatrixSlots.h"
#include "Segments.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het::transforms {

/// The roles of an operation's operands and results: operations share the slots of
/// a role, since a lane stands at one operation at a time.
static std::pair<SmallVector<StringRef>, SmallVector<StringRef>>
rolesOf(Operation *sync) {
  using Roles = std::pair<SmallVector<StringRef>, SmallVector<StringRef>>;
  return llvm::TypeSwitch<Operation *, Roles>(sync)
      .Case([](ir::BarrierReduceOp) -> Roles { return {{"predicate"}, {"result"}}; })
      .Case<ir::NamedBarrierOp, ir::BarrierArriveOp>(
          [](auto) -> Roles { return {{"barrier", "count"}, {}}; })
      .Case<ir::BallotOp, ir::VoteOp>(
          [](auto) -> Roles { return {{"mask", "predicate"}, {"result"}}; })
      .Case([](ir::ActiveMaskOp) -> Roles { return {{}, {"result"}}; })
      .Case([](ir::TeamSyncOp) -> Roles { return {{"mask"}, {}}; })
      .Case(
          [](ir::MatchOp) -> Roles { return {{"mask", "value"}, {"result", "inRange"}}; })
      .Case([](ir::ShuffleOp) -> Roles {
        return {{"mask", "value", "source", "clamp"}, {"shuffled", "inRange"}};
      })
      .Case([](ir::TeamReduceOp) -> Roles { return {{"mask", "value"}, {"result"}}; })
      .Default([](Operation *) -> Roles { return {}; });
}

ExchangeSlots exchangeSlots(FrameLayout &layout, Operation *sync) {
  if (ir::isMatrixOperation(sync))
    return matrixSlots(layout, sync);
  ExchangeSlots slots;
  auto [operands, results] = rolesOf(sync);
  for (auto [role, value] : llvm::zip(operands, sync->getOperands()))
    slots.operands.push_back(layout.addSlot(role, value.getType()));
  for (auto [role, value] : llvm::zip(results, sync->getResults()))
    slots.results.push_back(layout.addSlot(role, value.getType()));
  return slots;
}

Value callRuntime(ImplicitLocOpBuilder &builder, StringRef name, Type result,
                  ValueRange arguments) {
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    Type type = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
    function = LLVM::LLVMFuncOp::create(
        builder, name,
        LLVM::LLVMFunctionType::get(type, SmallVector<Type>(arguments.getTypes())));
    function->setAttr(ir::runtimeAttrName, builder.getUnitAttr());
  }
  auto call = LLVM::CallOp::create(builder, function, arguments);
  return result ? call.getResult() : Value();
}

static int kindOf(Operation *sync) {
  if (ir::isMatrixOperation(sync))
    return static_cast<int>(ir::matrixFlags(sync));
  return llvm::TypeSwitch<Operation *, int>(sync)
      .Case<ir::VoteOp, ir::MatchOp, ir::ShuffleOp, ir::TeamReduceOp,
            ir::BarrierReduceOp>([](auto op) { return static_cast<int>(op.getKind()); })
      .Default([](Operation *) { return -1; });
}

static std::string nameOf(Operation *sync) {
  if (ir::isMatrixOperation(sync))
    return ir::matrixFunction(sync);
  auto ofWidth = [](StringRef name, Type type) {
    return (name + (type.getIntOrFloatBitWidth() == 64 ? "_b64" : "_b32")).str();
  };
  return llvm::TypeSwitch<Operation *, std::string>(sync)
      .Case([](ir::BallotOp) { return "ballot"; })
      .Case([](ir::VoteOp) { return "vote"; })
      .Case([](ir::ActiveMaskOp) { return "active_mask"; })
      .Case([](ir::TeamReduceOp) { return "reduce"; })
      .Case([&](ir::MatchOp op) { return ofWidth("match", op.getValue().getType()); })
      .Case([&](ir::ShuffleOp op) { return ofWidth("shuffle", op.getValue().getType()); })
      .Default([](Operation *) { return ""; });
}

std::string teamOperationName(Operation *sync) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  stream << nameOf(sync) << '.' << kindOf(sync);
  for (Type type : sync->getOperandTypes())
    stream << '.' << type;
  return name;
}

/// An operand that is the same for all lanes. What is undefined (the padding of a
/// structure that is exchanged word by word) is zero: no lane gets less than a number.
static Value constantInMemory(ImplicitLocOpBuilder &builder, Value operand) {
  auto function = cast<LLVM::LLVMFuncOp>(builder.getInsertionBlock()->getParentOp());
  OpBuilder::InsertionGuard guard(builder);
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  Operation *definition = operand.getDefiningOp();
  Type type = operand.getType();
  Value place =
      LLVM::AllocaOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()),
                             type, constant32(builder, 1));
  Value constant = isa<LLVM::UndefOp, LLVM::PoisonOp>(definition)
                       ? LLVM::ZeroOp::create(builder, type).getResult()
                       : builder.clone(*definition)->getResult(0);
  LLVM::StoreOp::create(builder, constant, place);
  return place;
}

void emitTeamOperation(ImplicitLocOpBuilder &builder, Operation *sync,
                       const ExchangeSlots &slots, const FrameAccess &frame, Value pcs,
                       Value team, Value lanes, bool useConstants) {
  std::string name = nameOf(sync);
  if (name.empty()) // a team sync: to arrive is all there is
    return;
  SmallVector<Value> arguments;
  if (team) {
    arguments = {team, lanes};
  } else {
    if (!pcs)
      pcs =
          LLVM::ZeroOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()));
    arguments = {frame.threads(), pcs};
  }
  if (int kind = kindOf(sync); kind >= 0)
    arguments.push_back(constant32(builder, kind));
  if (ir::isMatrixOperation(sync)) {
    arguments.push_back(frame.threads());
    for (unsigned slot : matrixArrays(sync, slots))
      arguments.push_back(frame.slotArray(builder, slot));
    callRuntime(builder, (team ? "__het_team_" : "__het_block_") + name, nullptr,
                arguments);
    return;
  }
  for (auto [operand, slot] : llvm::zip(sync->getOperands(), slots.operands)) {
    bool isOne = useConstants && matchPattern(operand, m_Constant());
    arguments.push_back(isOne ? constantInMemory(builder, operand)
                              : frame.slotArray(builder, slot));
    arguments.push_back(constant64(builder, isOne ? 0 : 1));
  }
  for (auto [index, slot] : llvm::enumerate(slots.results)) {
    bool isUsed = !useConstants || index == 0 || !sync->getResult(index).use_empty();
    arguments.push_back(
        isUsed ? frame.slotArray(builder, slot)
               : LLVM::ZeroOp::create(builder,
                                      LLVM::LLVMPointerType::get(builder.getContext())));
  }
  callRuntime(builder, (team ? "__het_team_" : "__het_block_") + name, nullptr,
              arguments);
}

Value emitBarrierReduction(ImplicitLocOpBuilder &builder, ir::BarrierReduceOp sync,
                           const ExchangeSlots &slots, const FrameAccess &frame,
                           Value pcs) {
  if (!pcs)
    pcs = LLVM::ZeroOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()));
  return callRuntime(builder, "__het_barrier_reduce", builder.getI32Type(),
                     {frame.threads(), pcs, constant32(builder, kindOf(sync)),
                      frame.slotArray(builder, slots.operands[0])});
}

} // namespace het::transforms
