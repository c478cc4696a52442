// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetIR that the vector unit can run: what it asks and does besides arithmetic is checked
// by name here, and the rest where it is seen (VectorEmit.cpp).

#include "../../../Support/Lowering/BlockArguments.h"
#include "../../../Support/Lowering/TargetLowering.h"
#include "VectorKernel.h"

using namespace mlir;

namespace het::tensix {
namespace {

Reason refusalOf(Operation *op) {
  if (isa<ir::ThreadIdOp, ir::BlockIdOp, ir::BlockDimOp, ir::GridDimOp, ir::TeamSizeOp,
          ir::SafePointOp, ir::MathOp, ir::NoteLaneOp, ir::FrameOp>(op))
    return std::nullopt;
  if (op->getName().getDialectNamespace() == ir::HetIRDialect::getDialectNamespace())
    return "it has " + op->getName().getStringRef().str();
  if (isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp, LLVM::FenceOp>(op))
    return std::string("it has atomics");
  auto isOrdered = [](auto access) {
    return access.getVolatile_() ||
           access.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(op); load && isOrdered(load))
    return std::string("it has volatile or atomic accesses");
  if (auto store = dyn_cast<LLVM::StoreOp>(op); store && isOrdered(store))
    return std::string("it has volatile or atomic accesses");
  return std::nullopt;
}

/// Whether what an address leads to is only read, and the address goes nowhere else.
bool isOnlyRead(Value address) {
  return llvm::all_of(address.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user))
      return isOnlyRead(user->getResult(0));
    if (isa<LLVM::MemcpyOp>(user))
      return use.getOperandNumber() == 1;
    return isa<LLVM::LoadOp>(user);
  });
}

/// Each thread has its own parameters; here a row has them together.
bool writesParameters(LLVM::LLVMFuncOp kernel) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()) &&
        !isOnlyRead(kernel.getArgument(i)))
      return true;
  return false;
}

LLVM::LLVMFuncOp declareMarker(ModuleOp module, StringRef name) {
  if (auto marker = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return marker;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto marker =
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name,
                               LLVM::LLVMFunctionType::get(builder.getI32Type(), {}));
  marker.setNoUnwind(true);
  marker.setWillReturn(true);
  auto none = LLVM::ModRefInfo::NoModRef;
  marker.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(module.getContext(), none,
                                                           none, none, none, none, none));
  return marker;
}

/// Segments take the number of one first and return one; a kernel ends at once.
void addSegments(LLVM::LLVMFuncOp kernel) {
  OpBuilder builder(kernel.getContext());
  Type i32 = builder.getI32Type();
  target::takeFirst(kernel, i32);
  kernel.setFunctionType(
      LLVM::LLVMFunctionType::get(i32, kernel.getFunctionType().getParams()));
  kernel.walk([&](LLVM::ReturnOp end) {
    OpBuilder at(end);
    Value ended = LLVM::ConstantOp::create(
        at, end.getLoc(), i32,
        at.getI32IntegerAttr(static_cast<int32_t>(HET_TENSIX_ENDED)));
    LLVM::ReturnOp::create(at, end.getLoc(), ended);
    end.erase();
  });
  auto zero = builder.getI64IntegerAttr(0);
  kernel->setAttr(ir::frameAttrName,
                  builder.getDictionaryAttr({builder.getNamedAttr("thread_bytes", zero),
                                             builder.getNamedAttr("block_bytes", zero)}));
}

} // namespace

Reason formVectorKernel(ModuleOp module, StringRef name) {
  auto kernel = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!kernel || !ir::isKernel(kernel))
    return std::string("it is not in its package");
  target::dropSafePoints(module);
  Reason reason;
  module.walk([&](Operation *op) {
    if (!reason)
      reason = refusalOf(op);
  });
  if (reason)
    return reason;
  if (writesParameters(kernel))
    return std::string("it may write to its parameters");
  module.walk([&](ir::ThreadIdOp id) {
    OpBuilder builder(id);
    auto marker =
        declareMarker(module, markerNames[static_cast<unsigned>(id.getDimension())]);
    auto call = LLVM::CallOp::create(builder, id.getLoc(), marker, ValueRange{});
    id.replaceAllUsesWith(call.getResult());
    id.erase();
  });
  addSegments(kernel);
  return std::nullopt;
}

} // namespace het::tensix
