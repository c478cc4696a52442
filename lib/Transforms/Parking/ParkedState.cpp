// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the state of a block in the device's memory, and copies what is in it.

#include "ParkedState.h"
#include "het/IR/Module.h"
#include <cstddef>

using namespace mlir;

namespace het::transforms {

/// Value of the word that holds a place while some thread is getting one.
static constexpr uint32_t beingTaken = 0xFFFFFFFE;

ParkedState::ParkedState(ParkingCode &code, Value address)
    : address(address), code(code), builder(code.builder) {}

/// How many threads of a block a state has room for.
static Value padded(ParkingCode &code) {
  ImplicitLocOpBuilder &builder = code.builder;
  Value more =
      LLVM::AddOp::create(builder, code.threadCount(), code.constant32(ir::teamSize - 1));
  Value whole = LLVM::AndOp::create(builder, more, code.constant32(~(ir::teamSize - 1)));
  return LLVM::ZExtOp::create(builder, builder.getI64Type(), whole);
}

/// Address in a state of what each thread has `size` bytes of, behind `offset` bytes a
/// thread.
Value ParkedState::inFrame(uint64_t offset, uint64_t size, uint64_t inside) const {
  Value bytes = LLVM::MulOp::create(builder, padded(code), code.constant64(offset));
  Value number = LLVM::ZExtOp::create(builder, builder.getI64Type(), code.thread());
  Value own = LLVM::MulOp::create(builder, number, code.constant64(size));
  bytes = LLVM::AddOp::create(builder, bytes, own);
  if (inside)
    bytes = LLVM::AddOp::create(builder, bytes, code.constant64(inside));
  return code.global(address, bytes);
}

Value ParkedState::pcAddress() const { return inFrame(0, 4); }

Value ParkedState::slotAddress(unsigned slot) const {
  const FrameSlot &place = code.layout.slot(slot);
  return inFrame(place.offset, place.size);
}

ParkedState ParkedState::inPlace(ParkingCode &code, Value place) {
  ImplicitLocOpBuilder &builder = code.builder;
  Value wide = LLVM::ZExtOp::create(builder, builder.getI64Type(), place);
  Value bytes = LLVM::MulOp::create(builder, wide,
                                    code.field(offsetof(HetSuspendRecord, placeBytes)));
  Value address =
      LLVM::AddOp::create(builder, code.field(offsetof(HetSuspendRecord, states)), bytes);
  return ParkedState(code, address);
}

/// The first thread that comes counts one place more and tells the others.
ParkedState ParkedState::takePlace(ParkingCode &code) {
  ImplicitLocOpBuilder &builder = code.builder;
  Block *take = code.addBlock(), *full = code.addBlock(), *wait = code.addBlock();
  Block *taken = code.addBlock(builder.getI32Type());
  Value none = code.constant32(HET_SUSPEND_NO_PLACE);
  Value exchange = LLVM::AtomicCmpXchgOp::create(
      builder, code.word(ParkingCode::Place), none, code.constant32(beingTaken),
      LLVM::AtomicOrdering::acq_rel, LLVM::AtomicOrdering::acquire, "block");
  Value isFirst = LLVM::ExtractValueOp::create(builder, exchange, 1);
  LLVM::CondBrOp::create(builder, isFirst, take, wait);

  builder.setInsertionPointToEnd(take);
  Value place = LLVM::AtomicRMWOp::create(
      builder, LLVM::AtomicBinOp::add, code.count(offsetof(HetSuspendCounts, places)),
      code.constant32(1), LLVM::AtomicOrdering::monotonic, "device");
  Value wide = LLVM::ZExtOp::create(builder, builder.getI64Type(), place);
  Value hasRoom = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, wide,
                                       code.field(offsetof(HetSuspendRecord, capacity)));
  code.continueIf(hasRoom, full);
  Value places =
      code.global(code.field(offsetof(HetSuspendRecord, places)),
                  LLVM::MulOp::create(builder, code.block(), code.constant64(4)));
  LLVM::StoreOp::create(builder, place, places);
  LLVM::StoreOp::create(builder, place, code.word(ParkingCode::Place), /*alignment=*/4,
                        /*isVolatile=*/true);
  LLVM::BrOp::create(builder, ValueRange{place}, taken);

  builder.setInsertionPointToEnd(full); // the device's mistake
  ir::TrapOp::create(builder);
  LLVM::UnreachableOp::create(builder);

  builder.setInsertionPointToEnd(wait);
  Value now = code.read(ParkingCode::Place);
  Value isTaken = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, now,
                                       code.constant32(beingTaken));
  LLVM::CondBrOp::create(builder, isTaken, taken, ValueRange{now}, wait, ValueRange{});
  builder.setInsertionPointToEnd(taken);
  return inPlace(code, taken->getArgument(0));
}

void ParkedState::copyLocals(bool save) const {
  const FrameLayout &layout = code.layout;
  using llvm::MinAlign;
  const uint64_t ofLocals =
      MinAlign(maxSlotAlignment,
               MinAlign(layout.offsetOfLocals() * ir::teamSize, layout.bytesOfLocals()));
  DataLayout sizes = DataLayout::closest(code.kernel);
  for (auto local : code.kernel.getBody().front().getOps<LLVM::AllocaOp>()) {
    if (local == code.barriers)
      continue;
    auto count = local.getArraySize().getDefiningOp<LLVM::ConstantOp>();
    uint64_t number = cast<IntegerAttr>(count.getValue()).getInt();
    Value kept = inFrame(layout.offsetOfLocals(), layout.bytesOfLocals(),
                         layout.localOffset(local));
    Value size = code.constant64(number * sizes.getTypeSize(local.getElemType()));
    auto copy = LLVM::MemcpyOp::create(builder, save ? kept : local, save ? local : kept,
                                       size, /*isVolatile=*/false);
    auto aligned = [&](uint64_t to) -> Attribute {
      return builder.getDictionaryAttr(builder.getNamedAttr(
          LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(to)));
    };
    const uint64_t own =
        local.getAlignment().value_or(sizes.getTypeABIAlignment(local.getElemType()));
    // Not more than the object's: wide accesses would tie registers together that hold
    // its elements all the time.
    Attribute ofLocal = aligned(own);
    Attribute ofKept =
        aligned(MinAlign(own, MinAlign(ofLocals, layout.localOffset(local))));
    copy.setArgAttrsAttr(
        builder.getArrayAttr({save ? ofKept : ofLocal, save ? ofLocal : ofKept,
                              builder.getDictionaryAttr({})}));
  }
}

/// Annotation that keeps LLVM from unrolling a loop, which would take more registers than
/// the kernel does.
static LLVM::LoopAnnotationAttr inOneForm(OpBuilder &builder) {
  auto yes = builder.getBoolAttr(true);
  auto unroll = LLVM::LoopUnrollAttr::get(builder.getContext(), /*disable=*/yes, {}, {},
                                          {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(builder.getContext(), {}, {}, {}, unroll, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {}, {});
}

/// for (i = first; i < count; i += step) copy unit i
static void copyUnits(ParkingCode &code, Value shared, Value kept, Value count,
                      unsigned unit, Value first, Value step, bool save) {
  ImplicitLocOpBuilder &builder = code.builder;
  Type type = unit == 1 ? Type(builder.getI8Type()) : builder.getI32Type();
  if (unit == 16)
    type = VectorType::get(4, type);
  Block *head = code.addBlock(first.getType()), *body = code.addBlock(),
        *end = code.addBlock();
  LLVM::BrOp::create(builder, ValueRange{first}, head);
  builder.setInsertionPointToEnd(head);
  Value i = head->getArgument(0);
  Value more = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, i, count);
  LLVM::CondBrOp::create(builder, more, body, end);
  builder.setInsertionPointToEnd(body);
  auto at = [&](Value base) -> Value {
    return LLVM::GEPOp::create(builder, base.getType(), type, base,
                               ArrayRef<LLVM::GEPArg>{i});
  };
  Value here = at(shared), there = at(kept);
  Value value = LLVM::LoadOp::create(builder, type, save ? here : there, unit);
  LLVM::StoreOp::create(builder, value, save ? there : here, unit);
  Value next = LLVM::AddOp::create(builder, i, step);
  auto back = LLVM::BrOp::create(builder, ValueRange{next}, head);
  back.setLoopAnnotationAttr(inOneForm(builder));
  builder.setInsertionPointToEnd(end);
}

void ParkedState::copyDynamic(Value first, Value step, bool save) const {
  auto space = LLVM::LLVMPointerType::get(builder.getContext(), ir::sharedSpace);
  Value memory = ir::DynamicSharedOp::create(builder, space);
  Value bytes = code.field(offsetof(HetSuspendRecord, dynamicBytes));
  Value kept = code.field(offsetof(HetSuspendRecord, dynamicOffset));
  Value whole = LLVM::AndOp::create(builder, bytes, code.constant64(~uint64_t(15)));
  Value units = LLVM::LShrOp::create(builder, bytes, code.constant64(4));
  copyUnits(code, memory, code.global(address, kept), units, 16, first, step, save);
  Value rest = LLVM::GEPOp::create(builder, space, builder.getI8Type(), memory,
                                   ArrayRef<LLVM::GEPArg>{whole});
  Value keptRest = LLVM::AddOp::create(builder, kept, whole);
  Value left = LLVM::SubOp::create(builder, bytes, whole);
  copyUnits(code, rest, code.global(address, keptRest), left, 1, first, step, save);
}

void ParkedState::copyShared(Value first, Value step, bool save) const {
  Value begin = LLVM::AddOp::create(builder, address,
                                    code.field(offsetof(HetSuspendRecord, sharedOffset)));
  for (const SharedObject &object : code.shared.objects) {
    unsigned unit = 1;
    for (unsigned larger : {4u, 16u})
      if (object.size % larger == 0 && object.alignment % larger == 0)
        unit = larger;
    Value memory = LLVM::AddressOfOp::create(builder, object.global);
    copyUnits(code, memory, code.global(begin, code.constant64(object.offset)),
              code.constant64(object.size / unit), unit, first, step, save);
  }
  if (code.form.usesDynamic)
    copyDynamic(first, step, save);
}

} // namespace het::transforms
