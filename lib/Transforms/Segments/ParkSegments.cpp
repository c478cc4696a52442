// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What forms that run segments need to park a block and to take up a parked one: a
// state has every value in its lane's own slot and nothing but the safe points' slots
// (docs/design/safe-points.md, State of a block), while a form keeps uniform values once,
// and the operands of operations in slots of their own.

#include "../Analysis/ObjectAddresses.h"
#include "Segments.h"

using namespace mlir;

namespace het::transforms {
namespace {

/// A loop over all lanes of a block, in a function of its own.
class LanesFunction {
public:
  LanesFunction(SegmentedKernel &segments, const Twine &name, TypeRange extra,
                const FrameLayout &layout)
      : builder(segments.kernel.getLoc(), segments.kernel.getContext()) {
    function = createSegmentFunction(
        segments, name, LLVM::LLVMVoidType::get(builder.getContext()), extra);
    Region &region = function.getBody();
    builder.setInsertionPointToEnd(&region.front());
    access.emplace(layout, builder);
    pcs = access->pcs(builder);
    width = ir::BlockDimOp::create(builder, ir::Dim::X);
    height = ir::BlockDimOp::create(builder, ir::Dim::Y);
    loop = openLoop(builder, region, access->threads());
    pcAddress = LLVM::GEPOp::create(builder, pcs.getType(), builder.getI32Type(), pcs,
                                    ArrayRef<LLVM::GEPArg>{loop.counter});
  }

  Block *addBlock() {
    auto *block = new Block();
    function.getBody().push_back(block);
    return block;
  }

  LLVM::LLVMFuncOp finish() {
    builder.setInsertionPointToEnd(loop.exit);
    LLVM::ReturnOp::create(builder, ValueRange{});
    return function;
  }

  ImplicitLocOpBuilder builder;
  LLVM::LLVMFuncOp function;
  std::optional<FrameAccess> access;
  Value pcs, width, height, pcAddress;
  LaneLoop loop;
};

} // namespace

/// On a safe point: for each live value that is an address in a shared object, the
/// object's name.
static constexpr llvm::StringLiteral objectsAttrName = "hetir.objects";

namespace {

/// A live value that is the distance of an address from a shared object.
struct Distance {
  Value address;
  FlatSymbolRefAttr object;
  SmallVector<LLVM::GEPOp> decoded; ///< All that is made of it behind the point.
};

} // namespace

static std::optional<Distance> findDistance(ir::SafePointOp point, unsigned index) {
  auto distance = point->getOperand(index).getDefiningOp<LLVM::SubOp>();
  if (!distance)
    return std::nullopt;
  auto address = distance.getLhs().getDefiningOp<LLVM::PtrToIntOp>();
  auto from = distance.getRhs().getDefiningOp<LLVM::PtrToIntOp>();
  auto object = from ? from.getArg().getDefiningOp<LLVM::AddressOfOp>() : nullptr;
  if (!address || !object || address.getArg().getType() != object.getType() ||
      object.getType().getAddressSpace() != ir::sharedSpace)
    return std::nullopt;
  Distance found = {address.getArg(), object.getGlobalNameAttr(), {}};
  for (Operation *user : point->getResult(index).getUsers()) {
    auto decoded = dyn_cast<LLVM::GEPOp>(user);
    auto base = decoded ? decoded.getBase().getDefiningOp<LLVM::AddressOfOp>() : nullptr;
    if (!base || base.getGlobalNameAttr() != found.object ||
        !decoded.getElemType().isInteger(8))
      return std::nullopt;
    found.decoded.push_back(decoded);
  }
  return found;
}

void carryAddresses(LLVM::LLVMFuncOp kernel) {
  SmallVector<ir::SafePointOp> points;
  kernel.walk([&](ir::SafePointOp point) { points.push_back(point); });
  Builder builder(kernel.getContext());
  for (ir::SafePointOp point : points) {
    SmallVector<Attribute> objects(point.getLive().size(), builder.getUnitAttr());
    for (unsigned index = 0; index < objects.size(); ++index) {
      std::optional<Distance> found = findDistance(point, index);
      if (!found)
        continue;
      objects[index] = found->object;
      point->setOperand(index, found->address);
      Value result = point->getResult(index);
      result.setType(found->address.getType());
      for (LLVM::GEPOp decoded : found->decoded) {
        decoded->replaceAllUsesWith(ValueRange{result});
        decoded.erase();
      }
    }
    point->setAttr(objectsAttrName, builder.getArrayAttr(objects));
  }
}

/// Makes what a state holds of a value that a point carries.
static Value toState(ImplicitLocOpBuilder &builder, ir::SafePointOp point, unsigned index,
                     Value value) {
  auto objects = point->getAttrOfType<ArrayAttr>(objectsAttrName);
  auto name = objects ? dyn_cast<FlatSymbolRefAttr>(objects[index]) : FlatSymbolRefAttr();
  if (!name)
    return value;
  Value object = LLVM::AddressOfOp::create(builder, value.getType(), name.getValue());
  return ObjectAddresses::encode(builder, value, object);
}

LLVM::LLVMFuncOp buildParking(SegmentedKernel &segments, const SegmentPoint &point,
                              const FrameLayout &layout, const llvm::BitVector &uniform,
                              bool keepsPcs) {
  SmallVector<Type> extra;
  for (unsigned index : uniform.set_bits())
    extra.push_back(point.op.getLive()[index].getType());
  LanesFunction lanes(segments, ".park." + Twine(point.id), extra, layout);
  ImplicitLocOpBuilder &b = lanes.builder;
  if (keepsPcs) {
    Value pc = LLVM::LoadOp::create(b, b.getI32Type(), lanes.pcAddress);
    Value alive = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, pc, constant32(b, -1));
    Block *body = lanes.addBlock();
    LLVM::CondBrOp::create(b, alive, body, ValueRange{}, lanes.loop.latch, ValueRange{});
    b.setInsertionPointToEnd(body);
  }
  LLVM::StoreOp::create(b, constant32(b, point.pc), lanes.pcAddress);
  auto values =
      lanes.function.getArguments().drop_front(segments.kernel.getNumArguments());
  auto addressOf = [&](unsigned index) {
    return lanes.access->slotOfLane(b, point.slots[index], lanes.loop.counter);
  };
  for (auto [index, value] : llvm::zip(uniform.set_bits(), values))
    LLVM::StoreOp::create(b, toState(b, point.op, index, value), addressOf(index));
  for (unsigned index = 0; index < point.slots.size(); ++index) {
    Type type = point.op.getLive()[index].getType();
    if (uniform.test(index) || !isa<LLVM::LLVMPointerType>(type))
      continue;
    Value slot = addressOf(index), held = LLVM::LoadOp::create(b, type, slot);
    if (Value value = toState(b, point.op, index, held); value != held)
      LLVM::StoreOp::create(b, value, slot);
  }
  LLVM::BrOp::create(b, lanes.loop.latch);
  return lanes.finish();
}

LLVM::LLVMFuncOp buildUnparking(SegmentedKernel &segments, const SegmentPoint &point,
                                const FrameLayout &layout) {
  auto objects = point.op->getAttrOfType<ArrayAttr>(objectsAttrName);
  if (!objects || llvm::none_of(objects, llvm::IsaPred<FlatSymbolRefAttr>))
    return nullptr;
  LanesFunction lanes(segments, ".unpark." + Twine(point.id), {}, layout);
  ImplicitLocOpBuilder &b = lanes.builder;
  for (auto [index, object] : llvm::enumerate(objects)) {
    auto name = dyn_cast<FlatSymbolRefAttr>(object);
    if (!name)
      continue;
    Type type = point.op.getLive()[index].getType();
    Value slot = lanes.access->slotOfLane(b, point.slots[index], lanes.loop.counter);
    Value base = LLVM::AddressOfOp::create(b, type, name.getValue());
    Value distance = LLVM::LoadOp::create(b, b.getI64Type(), slot);
    LLVM::StoreOp::create(b, ObjectAddresses::decode(b, distance, type, base), slot);
  }
  LLVM::BrOp::create(b, lanes.loop.latch);
  return lanes.finish();
}

LLVM::LLVMFuncOp buildArrivals(SegmentedKernel &segments, FrameLayout &layout) {
  LanesFunction lanes(segments, ".arrive", {}, layout);
  ImplicitLocOpBuilder &b = lanes.builder;
  Type i32 = b.getI32Type();
  LaneContext context;
  context.lane = lanes.loop.counter;
  Value lane = LLVM::TruncOp::create(b, i32, context.lane);
  Value row = LLVM::UDivOp::create(b, lane, lanes.width);
  context.position[0] = LLVM::URemOp::create(b, lane, lanes.width);
  context.position[1] = LLVM::URemOp::create(b, row, lanes.height);
  context.position[2] = LLVM::UDivOp::create(b, row, lanes.height);
  context.layout = &layout;
  context.frame = &*lanes.access;
  context.next = lanes.loop.latch;
  SmallVector<llvm::BitVector> noneUniform;
  for (const SegmentPoint &point : segments.points)
    noneUniform.emplace_back(point.op.getLive().size());
  context.uniform = noneUniform;
  IRMapping mapping;
  mapping.map(segments.kernel.getArguments(), lanes.function.getArguments().take_front(
                                                  segments.kernel.getNumArguments()));

  Value pc = LLVM::LoadOp::create(b, i32, lanes.pcAddress);
  Block *head = b.getInsertionBlock();
  SmallVector<APInt> pcs;
  SmallVector<Block *> targets;
  for (const SegmentPoint &point : segments.points) {
    if (!point.sync || point.sync->getNumOperands() == 0)
      continue;
    pcs.push_back(APInt(32, point.pc));
    targets.push_back(lanes.addBlock());
    if (failed(emitArrival(segments, point, mapping, targets.back(), context)))
      return nullptr;
  }
  b.setInsertionPointToEnd(head);
  SmallVector<ValueRange> none(targets.size());
  if (targets.empty())
    LLVM::BrOp::create(b, lanes.loop.latch);
  else
    LLVM::SwitchOp::create(b, pc, lanes.loop.latch, ValueRange{}, pcs, targets, none);
  return lanes.finish();
}

} // namespace het::transforms
