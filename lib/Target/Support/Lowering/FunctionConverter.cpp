// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which hook an operation goes to, and the hooks' defaults.

#include "FunctionConverter.h"
#include "BlockArguments.h"
#include "TargetLowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace het::target {

FunctionConverter::FunctionConverter(LLVM::LLVMFuncOp function, unsigned recordCount)
    : function(function), records(function.getArguments().take_front(recordCount)),
      builder(function.getLoc(), function.getContext()) {}

void FunctionConverter::moveTo(Operation *operation) {
  op = operation;
  builder.setLoc(op->getLoc());
  builder.setInsertionPoint(op);
}

LogicalResult FunctionConverter::refuse() {
  return op->emitError() << "'" << op->getName() << "' is not supported on "
                         << targetName() << " yet";
}

Value FunctionConverter::generic(Value pointer) { return toGeneric(builder, pointer); }

Value FunctionConverter::integer(Value pointer) {
  return LLVM::PtrToIntOp::create(builder, builder.getI64Type(), pointer);
}

LogicalResult FunctionConverter::replace(ValueRange values) {
  op->replaceAllUsesWith(values);
  op->erase();
  return success();
}

LogicalResult FunctionConverter::run() {
  SmallVector<Operation *> operations;
  function.walk([&](Operation *operation) { operations.push_back(operation); });
  for (Operation *operation : operations) {
    moveTo(operation);
    if (failed(convert()))
      return failure();
  }
  return success();
}

/// The value that a position or an address stands for; null: it is none.
Value FunctionConverter::valueOf() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ir::ThreadIdOp id) {
        return position(Position::Thread, id.getDimension());
      })
      .Case(
          [&](ir::BlockIdOp id) { return position(Position::Block, id.getDimension()); })
      .Case([&](ir::BlockDimOp size) {
        return position(Position::BlockSize, size.getDimension());
      })
      .Case([&](ir::GridDimOp size) {
        return position(Position::GridSize, size.getDimension());
      })
      .Case([&](ir::LaneIdOp) { return laneId(); })
      .Case([&](ir::TeamIdOp) { return teamId(); })
      .Case([&](ir::TeamSizeOp) { return constantI32(builder, ir::teamSize); })
      .Case([&](ir::CooperativeOp) { return isCooperative(); })
      .Case([&](ir::ClusterDimOp size) {
        return position(Position::ClusterSize, size.getDimension());
      })
      .Case([&](ir::ClusterGivenOp) { return isClusterGiven(); })
      .Case([&](ir::ClusterMapOp map) {
        return mapToCluster(map.getPointer(), map.getRank());
      })
      .Case([&](ir::ClusterRankOp rank) { return rankInCluster(rank.getPointer()); })
      .Case([&](ir::ClusterAddressOp of) { return clusterAddress(of.getPointer()); })
      .Case([&](ir::ClusterPointerOp to) { return clusterPointer(to.getAddress()); })
      .Case([&](ir::DynamicSharedOp) { return dynamicShared(); })
      .Case([&](ir::FrameOp) { return frame(op->getResult(0).getType()); })
      .Case([&](ir::ParkingOp) { return parking(); })
      .Case([&](ir::PollIntervalOp) { return pollInterval(); })
      .Case([&](LLVM::AddressOfOp address) { return addressOf(address); })
      .Default([](Operation *) { return Value(); });
}

LogicalResult FunctionConverter::convert() {
  if (Value value = valueOf())
    return replace(value);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](LLVM::CallOp call) {
        if (!records.empty())
          giveFirst(call, records);
        return success();
      })
      .Case([&](ir::MathOp math) {
        convertMath(math);
        return success();
      })
      .Case([&](ir::FenceOp order) {
        fence(order.getScope());
        return replace({});
      })
      .Case([&](ir::ClusterArriveOp) {
        arriveAtCluster();
        return replace({});
      })
      .Case<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp,
            LLVM::FenceOp>([&](Operation *) {
        convertScope();
        return success();
      })
      .Case([&](ir::SyncPointOpInterface sync) {
        return sync.getSyncScope() == ir::SyncScope::Team ? convertTeamOperation()
                                                          : convertBarrier();
      })
      .Default([&](Operation *rest) {
        return rest->getName().getDialectNamespace() ==
                       ir::HetIRDialect::getDialectNamespace()
                   ? convertService()
                   : success();
      });
}

LogicalResult FunctionConverter::convertService() {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::PrintfOp print) {
        return replace(
            callService(Service::Printf, builder.getI32Type(),
                        {generic(print.getFormat()), generic(print.getArguments())}));
      })
      .Case([&](ir::AssertFailOp fail) {
        SmallVector<Value> operands{generic(fail.getMessage()), generic(fail.getFile()),
                                    fail.getLine(), generic(fail.getFunction())};
        appendPosition(operands);
        callService(Service::Assert, nullptr, operands);
        endThread();
        return replace({});
      })
      .Case([&](ir::TrapOp) {
        callService(Service::Trap, nullptr, {});
        endThread();
        return replace({});
      })
      .Case([&](ir::NoteLaneOp note) {
        if (failed(noteLane(note.getLane())))
          return failure();
        return replace({});
      })
      .Case([&](ir::MallocOp malloc) { return replace(allocate(malloc)); })
      .Case([&](ir::FreeOp free) {
        release(free);
        return replace({});
      })
      .Case([&](ir::SleepOp pause) {
        sleep(pause.getNanoseconds());
        return replace({});
      })
      .Case([&](ir::TextureFetchOp fetch) {
        Value channels = fetchTexture(fetch);
        return channels ? replace(channels) : refuse();
      })
      .Case([&](ir::ClockOp reading) {
        Value ticks = clock(reading.getKind());
        if (reading.getType() != ticks.getType())
          ticks = LLVM::TruncOp::create(builder, reading.getType(), ticks);
        return replace(ticks);
      })
      .Default([&](Operation *) { return refuse(); });
}

Value FunctionConverter::call(StringRef name, Type result, ValueRange operands) {
  return callFunction(builder, name, result, operands,
                      [&](LLVM::LLVMFuncOp callee) { declared(callee); });
}

static StringRef nameOf(Service service) {
  switch (service) {
  case Service::Printf:
    return "printf";
  case Service::Assert:
    return "assert";
  case Service::Trap:
    return "trap";
  case Service::NoteFree:
    return "note_free";
  case Service::Clock:
    return "clock";
  }
  llvm_unreachable("a service of no kind");
}

Value FunctionConverter::callService(Service service, Type result,
                                     ArrayRef<Value> operands) {
  SmallVector<Value> all{records.front()};
  llvm::append_range(all, operands);
  return call((servicePrefix() + nameOf(service)).str(), result, all);
}

void FunctionConverter::convertScope() {
  auto scope = op->getAttrOfType<StringAttr>("syncscope");
  if (!scope)
    return;
  StringRef name = accessScope(scope.getValue());
  if (name.empty())
    op->removeAttr("syncscope");
  else
    op->setAttr("syncscope", builder.getStringAttr(name));
}

void FunctionConverter::fence(ir::FenceScope scope) {
  LLVM::FenceOp::create(builder, LLVM::AtomicOrdering::seq_cst, fenceScope(scope));
}

StringRef FunctionConverter::fenceScope(ir::FenceScope scope) {
  return scope <= ir::FenceScope::Block ? "singlethread" : "";
}

void FunctionConverter::convertMath(ir::MathOp math) { callDeviceLibrary(math); }

Value FunctionConverter::allocate(ir::MallocOp op) {
  Value pointer = LLVM::IntToPtrOp::create(builder, pointerTo(builder, ir::globalSpace),
                                           callMalloc(builder, op));
  return castTo(builder, op.getType(), pointer);
}

/// Frees memory; a pointer that malloc did not give is a fault.
void FunctionConverter::release(ir::FreeOp op) {
  callService(Service::NoteFree, nullptr, {callFree(builder, op)});
}

/// The clock: there is one kind, whatever is asked for.
Value FunctionConverter::clock(ir::ClockKind) {
  return callService(Service::Clock, builder.getI64Type(), {});
}

Value FunctionConverter::isConstant(Value pointer) {
  return isInConstants(builder, function->getParentOfType<ModuleOp>(), integer(pointer));
}

Value FunctionConverter::isGlobal(Value pointer) {
  Value any = constantI1(builder, false);
  for (ir::Space space : {ir::Space::Shared, ir::Space::Constant, ir::Space::Local,
                          ir::Space::GridConstant}) {
    Value isThere = isIn(space, pointer);
    if (!isThere)
      return {};
    any = LLVM::OrOp::create(builder, any, isThere);
  }
  return LLVM::XOrOp::create(builder, any, constantI1(builder, true));
}

Value FunctionConverter::isIn(ir::Space space, Value pointer) {
  switch (space) {
  case ir::Space::Shared:
    return isShared(pointer);
  case ir::Space::Local:
    return isLocal(pointer);
  case ir::Space::Constant:
    return isConstant(pointer);
  case ir::Space::GridConstant:
    return isGridConstant(pointer);
  case ir::Space::Global:
    return isGlobal(pointer);
  }
  llvm_unreachable("an address space of no kind");
}

LogicalResult FunctionConverter::convertSpaces() {
  SmallVector<ir::IsSpaceOp> queries;
  function.walk([&](ir::IsSpaceOp query) { queries.push_back(query); });
  for (ir::IsSpaceOp query : queries) {
    moveTo(query);
    Value answer = isIn(query.getSpace(), query.getPointer());
    if (!answer)
      return query.emitError() << targetName()
                               << " can not tell whether a pointer leads to "
                               << stringifySpace(query.getSpace()) << " memory";
    if (failed(replace(answer)))
      return failure();
  }
  return success();
}

LogicalResult convertFunctions(
    ModuleOp module, ArrayRef<Type> records,
    llvm::function_ref<std::unique_ptr<FunctionConverter>(LLVM::LLVMFuncOp)> create,
    llvm::function_ref<void()> afterSpaces) {
  std::vector<std::unique_ptr<FunctionConverter>> converters;
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  for (LLVM::LLVMFuncOp function : functions)
    if (!records.empty())
      takeFirst(function, records);
  for (LLVM::LLVMFuncOp function : functions) {
    function.setLinkage(LLVM::Linkage::Internal);
    converters.push_back(create(function));
  }
  for (auto &converter : converters)
    if (failed(converter->convertSpaces()))
      return failure();
  if (afterSpaces)
    afterSpaces();
  for (auto &converter : converters)
    if (failed(converter->run()))
      return failure();
  return success();
}

} // namespace het::target
