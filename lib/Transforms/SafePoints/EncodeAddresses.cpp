// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An address becomes a distance before its safe point, and an address again behind it or
// behind the sync point, which directly follows its safe point. As a pass by itself it
// also keeps slots of one type each: an encoded value leaves a slot that others of its
// type stay in.

#include "EncodeAddresses.h"
#include "../Analysis/ObjectAddresses.h"
#include "het/Transforms/Passes.h"

namespace het::transforms {
#define GEN_PASS_DEF_ENCODEADDRESSES
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

using namespace mlir;

namespace het::transforms {

/// The object's address where the builder stands.
static Value addressOf(ImplicitLocOpBuilder &builder, Value object) {
  Operation *definition = object.getDefiningOp();
  return definition && !isa<LLVM::AllocaOp>(definition)
             ? builder.clone(*definition)->getResult(0)
             : object;
}

ir::SafePointOp encodeAddresses(ir::SafePointOp safePoint, ArrayRef<Value> objects) {
  if (llvm::none_of(objects, [](Value object) { return static_cast<bool>(object); }))
    return safePoint;
  ImplicitLocOpBuilder builder(safePoint.getLoc(), safePoint);
  SmallVector<Value> operands, addresses;
  for (auto [live, object] : llvm::zip(safePoint.getLive(), objects)) {
    Value address = object ? addressOf(builder, object) : Value();
    addresses.push_back(address);
    operands.push_back(address ? ObjectAddresses::encode(builder, live, address) : live);
  }
  auto encoded =
      ir::SafePointOp::create(builder, ValueRange(operands).getTypes(), safePoint.getId(),
                              safePoint.getReason(), operands);
  encoded->setDiscardableAttrs(safePoint->getDiscardableAttrDictionary());
  // No sync point takes the address of an object, so none needs it decoded before.
  Operation *sync = safePoint.getSyncPoint();
  builder.setInsertionPointAfter(sync ? sync : safePoint.getOperation());
  for (auto [old, result, address] :
       llvm::zip(safePoint->getResults(), encoded->getResults(), addresses))
    old.replaceAllUsesWith(
        address ? ObjectAddresses::decode(builder, result, old.getType(), address)
                : result);
  safePoint.erase();
  return encoded;
}

} // namespace het::transforms

using namespace het;
using namespace het::transforms;

namespace {

/// A safe point and the objects of its live values.
struct Encoding {
  ir::SafePointOp safePoint;
  SmallVector<Value> objects;
};

SmallVector<int32_t> slotsOf(ir::SafePointOp safePoint) {
  auto slots = safePoint->getAttrOfType<DenseI32ArrayAttr>(ir::slotsAttrName);
  return slots ? SmallVector<int32_t>(slots.asArrayRef()) : SmallVector<int32_t>();
}

/// Moves encoded values into slots of their own, where they shared one with others.
void separateSlots(MutableArrayRef<Encoding> encodings) {
  llvm::DenseSet<int32_t> ofOthers;
  int32_t count = 0;
  for (Encoding &encoding : encodings)
    for (auto [slot, object] : llvm::zip(slotsOf(encoding.safePoint), encoding.objects)) {
      count = std::max(count, slot + 1);
      if (!object)
        ofOthers.insert(slot);
    }
  DenseMap<int32_t, int32_t> moved;
  for (Encoding &encoding : encodings) {
    SmallVector<int32_t> slots = slotsOf(encoding.safePoint);
    for (auto [slot, object] : llvm::zip(slots, encoding.objects))
      if (object && ofOthers.contains(slot)) {
        auto [place, isNew] = moved.try_emplace(slot, count);
        count += isNew;
        slot = place->second;
      }
    if (!slots.empty())
      encoding.safePoint->setAttr(
          ir::slotsAttrName,
          DenseI32ArrayAttr::get(encoding.safePoint.getContext(), slots));
  }
}

LogicalResult encodeKernel(LLVM::LLVMFuncOp kernel) {
  ObjectAddresses addresses(kernel);
  SmallVector<Encoding> encodings;
  WalkResult found = kernel.walk([&](ir::SafePointOp safePoint) {
    Encoding &encoding = encodings.emplace_back(Encoding{safePoint, {}});
    for (Value live : safePoint.getLive()) {
      std::optional<Value> object =
          isa<LLVM::LLVMPointerType>(live.getType()) ? addresses.objectOf(live) : Value();
      if (!object) {
        safePoint.emitError("an address may be that of several objects");
        return WalkResult::interrupt();
      }
      encoding.objects.push_back(*object);
    }
    return WalkResult::advance();
  });
  if (found.wasInterrupted())
    return failure();
  separateSlots(encodings);
  for (Encoding &encoding : encodings)
    (void)het::transforms::encodeAddresses(encoding.safePoint, encoding.objects);
  return success();
}

struct EncodeAddresses : het::transforms::impl::EncodeAddressesBase<EncodeAddresses> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](LLVM::LLVMFuncOp function) {
      if (!ir::isKernel(function) || function.isExternal())
        return WalkResult::advance();
      return failed(encodeKernel(function)) ? WalkResult::interrupt()
                                            : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
