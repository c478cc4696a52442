// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which object an address belongs to (backwards through arithmetic and block
// arguments), and whether one gets out of sight (forwards through all uses).

#include "ObjectAddresses.h"
#include "IncomingValue.h"
#include "het/IR/Matrix.h"
#include "het/IR/Module.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace het::transforms {

bool ObjectAddresses::areSame(Value a, Value b) {
  if (a == b)
    return true;
  auto first = a.getDefiningOp<LLVM::AddressOfOp>();
  auto second = b.getDefiningOp<LLVM::AddressOfOp>();
  if (first && second)
    return first.getGlobalName() == second.getGlobalName();
  return a.getDefiningOp<ir::DynamicSharedOp>() && b.getDefiningOp<ir::DynamicSharedOp>();
}

bool ObjectAddresses::isObject(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &kernel.getBody().front() &&
           kernel.getArgAttr(argument.getArgNumber(),
                             LLVM::LLVMDialect::getByValAttrName());
  Operation *op = value.getDefiningOp();
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
    Operation *object =
        SymbolTable::lookupNearestSymbolFrom(op, address.getGlobalNameAttr());
    return !object || !object->hasAttr(ir::variableAttrName);
  }
  return isa<LLVM::AllocaOp, ir::DynamicSharedOp>(op);
}

/// The values that a block argument may have.
static void addIncoming(BlockArgument argument, SmallVectorImpl<Value> &values) {
  Block *block = argument.getOwner();
  for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it)
    values.push_back(incomingValue(argument, it));
}

std::optional<Value> ObjectAddresses::objectOf(Value pointer) {
  SmallVector<Value> work{pointer};
  llvm::DenseSet<Value> visited;
  Value object;
  bool isElsewhere = false;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!value || !visited.insert(value).second)
      continue;
    if (isObject(value)) {
      if (object && !areSame(object, value))
        return std::nullopt;
      object = value;
      continue;
    }
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner()->isEntryBlock())
        isElsewhere = true;
      else
        addIncoming(argument, work);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp, LLVM::FreezeOp>(op))
      work.push_back(op->getOperand(0));
    else if (auto select = dyn_cast<LLVM::SelectOp>(op))
      work.append({select.getTrueValue(), select.getFalseValue()});
    else if (auto point = dyn_cast<ir::SafePointOp>(op))
      work.push_back(point.getLive()[cast<OpResult>(value).getResultNumber()]);
    else if (!isa<LLVM::UndefOp, LLVM::PoisonOp>(op))
      isElsewhere = true;
  }
  if (object && isElsewhere)
    return std::nullopt;
  return object;
}

/// What is done with an address of an object, or with one made of it.
std::optional<std::string> ObjectAddresses::findKept(OpOperand &use) {
  Operation *user = use.getOwner();
  auto kept = [&](const Twine &how) -> std::optional<std::string> {
    return ("an object's address " + how).str();
  };
  if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp, LLVM::FreezeOp,
          LLVM::SelectOp>(user))
    return findKept(user->getResult(0));
  if (isa<ir::SafePointOp>(user))
    return findKept(user->getResult(use.getOperandNumber()));
  if (auto branch = dyn_cast<BranchOpInterface>(user)) {
    for (auto [index, successor] : llvm::enumerate(user->getSuccessors()))
      for (auto [place, operand] :
           llvm::enumerate(branch.getSuccessorOperands(index).getForwardedOperands()))
        if (operand == use.get())
          if (auto reason = findKept(successor->getArgument(place)))
            return reason;
    return std::nullopt;
  }
  if (isa<LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(user)) {
    unsigned address = isa<LLVM::StoreOp>(user) ? 1 : 0;
    return use.getOperandNumber() == address ? std::nullopt : kept("is stored in memory");
  }
  if (auto call = dyn_cast<LLVM::CallOp>(user)) {
    auto callee = call.getCalleeAttr()
                      ? SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
                            user, call.getCalleeAttr())
                      : nullptr;
    if (!callee || callee.isExternal() ||
        use.getOperandNumber() >= callee.getNumArguments())
      return kept("is given to a function that is not known");
    return findKept(callee.getArgument(use.getOperandNumber()));
  }
  if (isa<LLVM::ReturnOp>(user))
    return kept("is returned by a function");
  if (isa<LLVM::PtrToIntOp>(user))
    return kept("becomes an integer");
  if (ir::isSyncPoint(user) && !ir::isMatrixOperation(user))
    return kept("is given to other threads");
  bool isUse = isa<LLVM::LoadOp, LLVM::ICmpOp, LLVM::MemcpyOp, LLVM::MemmoveOp,
                   LLVM::MemsetOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(user) ||
               isa<ir::HetIRDialect>(user->getDialect());
  return isUse ? std::nullopt : kept("is used by " + user->getName().getStringRef());
}

std::optional<std::string> ObjectAddresses::findKept(Value address) {
  if (!seen.insert(address).second)
    return std::nullopt;
  for (OpOperand &use : address.getUses())
    if (auto reason = findKept(use))
      return reason;
  return std::nullopt;
}

std::optional<std::string> ObjectAddresses::findKeptAddress() {
  std::optional<std::string> reason;
  auto check = [&](Value value) {
    if (!reason && isObject(value))
      reason = findKept(value);
  };
  for (Value argument : kernel.getArguments())
    check(argument);
  kernel.walk([&](Operation *op) {
    if (isa<LLVM::AllocaOp, LLVM::AddressOfOp, ir::DynamicSharedOp>(op))
      check(op->getResult(0));
  });
  return reason;
}

Value ObjectAddresses::encode(ImplicitLocOpBuilder &builder, Value pointer,
                              Value object) {
  auto type = cast<LLVM::LLVMPointerType>(pointer.getType());
  if (object.getType() != type)
    object = LLVM::AddrSpaceCastOp::create(builder, type, object);
  Type i64 = builder.getI64Type();
  Value to = LLVM::PtrToIntOp::create(builder, i64, pointer);
  Value from = LLVM::PtrToIntOp::create(builder, i64, object);
  return LLVM::SubOp::create(builder, to, from);
}

Value ObjectAddresses::decode(ImplicitLocOpBuilder &builder, Value distance, Type type,
                              Value object) {
  if (object.getType() != type)
    object = LLVM::AddrSpaceCastOp::create(builder, type, object);
  return LLVM::GEPOp::create(builder, type, builder.getI8Type(), object,
                             ArrayRef<LLVM::GEPArg>{distance});
}

} // namespace het::transforms
