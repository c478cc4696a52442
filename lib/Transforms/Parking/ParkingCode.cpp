// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a parkable kernel's code.

#include "ParkingCode.h"
#include "het/IR/Module.h"
#include <cstddef>

using namespace mlir;

namespace het::transforms {

/// Value of the word that holds a place while some thread is getting one.
static constexpr uint32_t beingTaken = 0xFFFFFFFE;

/// Words of shared memory that both forms of a kernel use.
static LLVM::GlobalOp createWords(LLVM::LLVMFuncOp kernel, const ParkingForm &form) {
  auto module = kernel->getParentOfType<ModuleOp>();
  StringRef kernelName = kernel.getName();
  kernelName.consume_back(HET_SUSPEND_RESUME);
  const std::string name = ("het_parking." + kernelName).str();
  if (auto known = module.lookupSymbol<LLVM::GlobalOp>(name))
    return known;
  ImplicitLocOpBuilder builder(kernel.getLoc(), module.getBody(),
                               module.getBody()->begin());
  // What lies behind the words keeps the alignment that it would have without them:
  // loads of several elements rely on it.
  constexpr unsigned maxTeams = 32, alignment = 16, unit = alignment / 4;
  const unsigned count =
      llvm::alignTo(ParkingCode::Lanes + (form.marksLanes ? maxTeams : 0), unit);
  auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), count);
  auto words =
      LLVM::GlobalOp::create(builder, type, /*isConstant=*/false, LLVM::Linkage::Internal,
                             name, Attribute(), alignment, ir::sharedSpace);
  builder.createBlock(&words.getInitializerRegion());
  LLVM::ReturnOp::create(builder, LLVM::UndefOp::create(builder, type).getResult());
  return words;
}

ParkingCode::ParkingCode(LLVM::LLVMFuncOp kernel, const FrameLayout &layout,
                         const SharedObjects &shared, const ParkingForm &form)
    : builder(kernel.getLoc(), kernel.getContext()), layout(layout), form(form),
      kernel(kernel), words(createWords(kernel, form)), shared(shared) {}

Value ParkingCode::constant32(uint32_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

Value ParkingCode::constant64(uint64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

Block *ParkingCode::addBlock(TypeRange arguments) {
  auto *block = new Block;
  kernel.getBody().push_back(block);
  for (Type type : arguments)
    block->addArgument(type, builder.getLoc());
  return block;
}

void ParkingCode::continueIf(Value condition, Block *elsewhere, ValueRange arguments) {
  Block *next = addBlock();
  LLVM::CondBrOp::create(builder, condition, next, ValueRange{}, elsewhere, arguments);
  builder.setInsertionPointToEnd(next);
}

Value ParkingCode::isNotZero(Value value) {
  Value zero = LLVM::ZeroOp::create(builder, value.getType());
  return LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ne, value, zero);
}

//===----------------------------------------------------------------------===//
// Where things are
//===----------------------------------------------------------------------===//

Value ParkingCode::field(uint64_t offset) {
  Value record = kernel.getArguments().back();
  Value address =
      LLVM::GEPOp::create(builder, record.getType(), builder.getI8Type(), record,
                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)},
                          LLVM::GEPNoWrapFlags::inbounds);
  auto load = LLVM::LoadOp::create(builder, builder.getI64Type(), address);
  load.setInvariant(true);
  return load;
}

Value ParkingCode::global(Value address, Value bytes) {
  if (bytes)
    address = LLVM::AddOp::create(builder, address, bytes);
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), ir::globalSpace);
  return LLVM::IntToPtrOp::create(builder, type, address);
}

Value ParkingCode::count(uint64_t offset) {
  return global(field(offsetof(HetSuspendRecord, counts)), constant64(offset));
}

Value ParkingCode::threadCount() {
  Value count;
  for (ir::Dim dim : {ir::Dim::X, ir::Dim::Y, ir::Dim::Z}) {
    Value size = ir::BlockDimOp::create(builder, dim);
    count = count ? LLVM::MulOp::create(builder, count, size).getResult() : size;
  }
  return count;
}

Value ParkingCode::thread() {
  Value number;
  for (ir::Dim dim : {ir::Dim::Z, ir::Dim::Y, ir::Dim::X}) {
    Value id = ir::ThreadIdOp::create(builder, dim);
    if (number) {
      Value size = ir::BlockDimOp::create(builder, dim);
      id = LLVM::AddOp::create(builder, LLVM::MulOp::create(builder, number, size), id);
    }
    number = id;
  }
  return number;
}

Value ParkingCode::block() {
  Value number;
  for (ir::Dim dim : {ir::Dim::Z, ir::Dim::Y, ir::Dim::X}) {
    Value id = LLVM::ZExtOp::create(builder, builder.getI64Type(),
                                    ir::BlockIdOp::create(builder, dim));
    if (number) {
      Value size = LLVM::ZExtOp::create(builder, builder.getI64Type(),
                                        ir::GridDimOp::create(builder, dim));
      id = LLVM::AddOp::create(builder, LLVM::MulOp::create(builder, number, size), id);
    }
    number = id;
  }
  return number;
}

Value ParkingCode::padded() {
  Value more = LLVM::AddOp::create(builder, threadCount(), constant32(ir::teamSize - 1));
  Value whole = LLVM::AndOp::create(builder, more, constant32(~(ir::teamSize - 1)));
  return LLVM::ZExtOp::create(builder, builder.getI64Type(), whole);
}

/// Address in a state of what each thread has `size` bytes of, behind `offset` bytes a
/// thread.
Value ParkingCode::inFrame(Value state, uint64_t offset, uint64_t size, uint64_t inside) {
  Value bytes = LLVM::MulOp::create(builder, padded(), constant64(offset));
  Value number = LLVM::ZExtOp::create(builder, builder.getI64Type(), thread());
  Value own = LLVM::MulOp::create(builder, number, constant64(size));
  bytes = LLVM::AddOp::create(builder, bytes, own);
  if (inside)
    bytes = LLVM::AddOp::create(builder, bytes, constant64(inside));
  return global(state, bytes);
}

Value ParkingCode::pcAddress(Value state) { return inFrame(state, 0, 4); }

Value ParkingCode::slotAddress(Value state, unsigned slot) {
  const FrameSlot &place = layout.slot(slot);
  return inFrame(state, place.offset, place.size);
}

Value ParkingCode::stateIn(Value place) {
  Value wide = LLVM::ZExtOp::create(builder, builder.getI64Type(), place);
  Value bytes =
      LLVM::MulOp::create(builder, wide, field(offsetof(HetSuspendRecord, placeBytes)));
  return LLVM::AddOp::create(builder, field(offsetof(HetSuspendRecord, states)), bytes);
}

//===----------------------------------------------------------------------===//
// Words and the flag
//===----------------------------------------------------------------------===//

Value ParkingCode::word(Word word) {
  Value base = LLVM::AddressOfOp::create(builder, words);
  Value index = constant32(word);
  if (word == Lanes)
    index = LLVM::AddOp::create(builder, index, ir::TeamIdOp::create(builder));
  return LLVM::GEPOp::create(builder, base.getType(), builder.getI32Type(), base,
                             ArrayRef<LLVM::GEPArg>{index});
}

Value ParkingCode::read(Word which) {
  return LLVM::LoadOp::create(builder, builder.getI32Type(), word(which),
                              /*alignment=*/4, /*isVolatile=*/true);
}

Value ParkingCode::add(Word which, Value value) {
  return LLVM::AtomicRMWOp::create(builder, LLVM::AtomicBinOp::add, word(which), value,
                                   LLVM::AtomicOrdering::acq_rel, "block");
}

void ParkingCode::initializeWords(Value place) {
  auto set = [&](Word which, Value value) {
    LLVM::StoreOp::create(builder, value, word(which), /*alignment=*/4,
                          /*isVolatile=*/true);
  };
  set(Place, place);
  set(Rank, constant32(0));
  LLVM::StoreOp::create(builder, flagAddress(), word(Flag), /*alignment=*/8,
                        /*isVolatile=*/true);
  if (form.countsEnded)
    set(Gone, constant32(0));
  if (form.countsBarriers)
    set(ParkedAt, constant32(~0u));
  if (form.marksLanes)
    set(Lanes, constant32(0));
}

Value ParkingCode::barriersBefore() {
  return LLVM::LoadOp::create(builder, builder.getI32Type(), barriers);
}

void ParkingCode::countBarrier() {
  Value more = LLVM::AddOp::create(builder, barriersBefore(), constant32(1));
  LLVM::StoreOp::create(builder, more, barriers);
}

Value ParkingCode::flagAddress() {
  Value copy = LLVM::AndOp::create(builder, ir::BlockIdOp::create(builder, ir::Dim::X),
                                   constant32(HET_SUSPEND_FLAGS - 1));
  Value offset = LLVM::MulOp::create(
      builder, LLVM::ZExtOp::create(builder, builder.getI64Type(), copy),
      constant64(HET_SUSPEND_FLAG_STRIDE));
  return LLVM::AddOp::create(builder, field(offsetof(HetSuspendRecord, flags)), offset);
}

Value ParkingCode::keptFlagAddress() {
  return LLVM::LoadOp::create(builder, builder.getI64Type(), word(Flag),
                              /*alignment=*/8, /*isVolatile=*/true);
}

Value ParkingCode::lookAtFlag(Value address) {
  return isNotZero(LLVM::LoadOp::create(builder, builder.getI32Type(), global(address),
                                        /*alignment=*/4, /*isVolatile=*/true));
}

//===----------------------------------------------------------------------===//
// A block's state
//===----------------------------------------------------------------------===//

/// The first thread that comes counts one place more and tells the others.
Value ParkingCode::takePlace() {
  Block *take = addBlock(), *full = addBlock(), *wait = addBlock();
  Block *taken = addBlock(builder.getI32Type());
  Value none = constant32(HET_SUSPEND_NO_PLACE);
  Value exchange = LLVM::AtomicCmpXchgOp::create(
      builder, word(Place), none, constant32(beingTaken), LLVM::AtomicOrdering::acq_rel,
      LLVM::AtomicOrdering::acquire, "block");
  Value isFirst = LLVM::ExtractValueOp::create(builder, exchange, 1);
  LLVM::CondBrOp::create(builder, isFirst, take, wait);

  builder.setInsertionPointToEnd(take);
  Value place = LLVM::AtomicRMWOp::create(
      builder, LLVM::AtomicBinOp::add, count(offsetof(HetSuspendCounts, places)),
      constant32(1), LLVM::AtomicOrdering::monotonic, "device");
  Value wide = LLVM::ZExtOp::create(builder, builder.getI64Type(), place);
  Value hasRoom = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, wide,
                                       field(offsetof(HetSuspendRecord, capacity)));
  continueIf(hasRoom, full);
  Value places = global(field(offsetof(HetSuspendRecord, places)),
                        LLVM::MulOp::create(builder, block(), constant64(4)));
  LLVM::StoreOp::create(builder, place, places);
  LLVM::StoreOp::create(builder, place, word(Place), /*alignment=*/4,
                        /*isVolatile=*/true);
  LLVM::BrOp::create(builder, ValueRange{place}, taken);

  builder.setInsertionPointToEnd(full); // the device's mistake
  ir::TrapOp::create(builder);
  LLVM::UnreachableOp::create(builder);

  builder.setInsertionPointToEnd(wait);
  Value now = read(Place);
  Value isTaken = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::ult, now,
                                       constant32(beingTaken));
  LLVM::CondBrOp::create(builder, isTaken, taken, ValueRange{now}, wait, ValueRange{});
  builder.setInsertionPointToEnd(taken);
  return stateIn(taken->getArgument(0));
}

void ParkingCode::copyLocals(Value state, bool save) {
  using llvm::MinAlign;
  const uint64_t ofLocals =
      MinAlign(maxSlotAlignment,
               MinAlign(layout.offsetOfLocals() * ir::teamSize, layout.bytesOfLocals()));
  DataLayout sizes = DataLayout::closest(kernel);
  for (auto local : kernel.getBody().front().getOps<LLVM::AllocaOp>()) {
    if (local == barriers)
      continue;
    auto count = local.getArraySize().getDefiningOp<LLVM::ConstantOp>();
    uint64_t number = cast<IntegerAttr>(count.getValue()).getInt();
    Value kept = inFrame(state, layout.offsetOfLocals(), layout.bytesOfLocals(),
                         layout.localOffset(local));
    Value size = constant64(number * sizes.getTypeSize(local.getElemType()));
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
void ParkingCode::copyUnits(Value shared, Value state, Value count, unsigned unit,
                            Value first, Value step, bool save) {
  Type type = unit == 1 ? Type(builder.getI8Type()) : builder.getI32Type();
  if (unit == 16)
    type = VectorType::get(4, type);
  Block *head = addBlock(first.getType()), *body = addBlock(), *end = addBlock();
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
  Value here = at(shared), kept = at(state);
  Value value = LLVM::LoadOp::create(builder, type, save ? here : kept, unit);
  LLVM::StoreOp::create(builder, value, save ? kept : here, unit);
  Value next = LLVM::AddOp::create(builder, i, step);
  auto back = LLVM::BrOp::create(builder, ValueRange{next}, head);
  back.setLoopAnnotationAttr(inOneForm(builder));
  builder.setInsertionPointToEnd(end);
}

void ParkingCode::copyDynamic(Value state, Value first, Value step, bool save) {
  auto space = LLVM::LLVMPointerType::get(builder.getContext(), ir::sharedSpace);
  Value memory = ir::DynamicSharedOp::create(builder, space);
  Value bytes = field(offsetof(HetSuspendRecord, dynamicBytes));
  Value kept = field(offsetof(HetSuspendRecord, dynamicOffset));
  Value whole = LLVM::AndOp::create(builder, bytes, constant64(~uint64_t(15)));
  Value units = LLVM::LShrOp::create(builder, bytes, constant64(4));
  copyUnits(memory, global(state, kept), units, 16, first, step, save);
  Value rest = LLVM::GEPOp::create(builder, space, builder.getI8Type(), memory,
                                   ArrayRef<LLVM::GEPArg>{whole});
  Value keptRest = LLVM::AddOp::create(builder, kept, whole);
  Value left = LLVM::SubOp::create(builder, bytes, whole);
  copyUnits(rest, global(state, keptRest), left, 1, first, step, save);
}

void ParkingCode::copyShared(Value state, Value first, Value step, bool save) {
  Value begin = LLVM::AddOp::create(builder, state,
                                    field(offsetof(HetSuspendRecord, sharedOffset)));
  for (const SharedObject &object : shared.objects) {
    unsigned unit = 1;
    for (unsigned larger : {4u, 16u})
      if (object.size % larger == 0 && object.alignment % larger == 0)
        unit = larger;
    Value memory = LLVM::AddressOfOp::create(builder, object.global);
    copyUnits(memory, global(begin, constant64(object.offset)),
              constant64(object.size / unit), unit, first, step, save);
  }
  if (form.usesDynamic)
    copyDynamic(state, first, step, save);
}

} // namespace het::transforms
