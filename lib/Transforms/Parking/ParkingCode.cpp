// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits what all parts of a parkable kernel's code are made of.

#include "ParkingCode.h"
#include "het/IR/Module.h"
#include <cstddef>

using namespace mlir;

namespace het::transforms {

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
    : builder(kernel.getLoc(), kernel.getContext()), layout(layout), shared(shared),
      form(form), kernel(kernel), words(createWords(kernel, form)) {}

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

void ParkingCode::createCounter() {
  barriers =
      LLVM::AllocaOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()),
                             builder.getI32Type(), constant32(1));
  LLVM::StoreOp::create(builder, constant32(0), barriers);
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

} // namespace het::transforms
