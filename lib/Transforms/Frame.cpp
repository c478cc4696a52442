// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame's layout, and addresses into it.

#include "het/Transforms/Frame.h"
#include "het/IR/Module.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <optional>

using namespace mlir;

namespace het::transforms {

/// A block's lanes are a multiple of this, with those that are not there.
constexpr uint64_t paddedLanes = 32;

static std::optional<int64_t> constantCount(LLVM::AllocaOp object) {
  APInt count;
  if (!matchPattern(object.getArraySize(), m_ConstantInt(&count)))
    return std::nullopt;
  return count.getSExtValue();
}

bool isOfFrame(LLVM::AllocaOp object) {
  return object->getBlock()->isEntryBlock() && constantCount(object);
}

LogicalResult checkLocalObjects(LLVM::LLVMFuncOp kernel) {
  WalkResult result = kernel.walk([&](LLVM::AllocaOp op) {
    if (op.getAlignment().value_or(1) > maxAlignment) {
      op.emitError("a local object aligned to ")
          << *op.getAlignment() << " bytes is not supported yet, expected at most "
          << maxAlignment;
      return WalkResult::interrupt();
    }
    if (isOfFrame(op))
      return WalkResult::advance();
    op.emitError("a local object of variable size is not supported yet");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult checkSlots(LLVM::LLVMFuncOp kernel) {
  WalkResult result = kernel.walk([](ir::SafePointOp point) {
    if (point->hasAttr(ir::slotsAttrName))
      return WalkResult::advance();
    point.emitOpError("found no '")
        << ir::slotsAttrName << "', expected slots of its values; run "
        << "--hetir-insert-safe-points first";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

FrameLayout::FrameLayout(LLVM::LLVMFuncOp kernel) : layout(DataLayout::closest(kernel)) {
  SmallVector<Type> types;
  kernel.walk([&](ir::SafePointOp point) {
    auto numbers = point->getAttrOfType<DenseI32ArrayAttr>(ir::slotsAttrName);
    for (auto [number, value] : llvm::zip(numbers.asArrayRef(), point.getLive())) {
      if (types.size() <= static_cast<size_t>(number))
        types.resize(number + 1);
      types[number] = value.getType();
    }
  });
  for (Type type : types)
    append(type ? type : IntegerType::get(kernel.getContext(), 8));
  for (auto alloca : kernel.getBody().front().getOps<LLVM::AllocaOp>()) {
    if (!isOfFrame(alloca))
      continue; // refused by all who use frames
    uint64_t alignment =
        std::max<uint64_t>(alloca.getAlignment().value_or(1),
                           layout.getTypeABIAlignment(alloca.getElemType()));
    localAlignment = std::max(localAlignment, alignment);
    localBytes = llvm::alignTo(localBytes, alignment);
    locals[alloca] = localBytes;
    localBytes += layout.getTypeSize(alloca.getElemType()) * *constantCount(alloca);
  }
  localBytes = llvm::alignTo(localBytes, localAlignment);
  alignArray(localAlignment);
  localsOffset = offset;
  offset += localBytes;
}

uint64_t FrameLayout::hash(LLVM::LLVMFuncOp kernel) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  kernel.walk([&](ir::SafePointOp point) {
    out << point.getId() << ir::stringifySafePointReason(point.getReason())
        << point->getAttr(ir::slotsAttrName) << ';';
  });
  out << kernel->hasAttr(ir::parksAtPollsAttrName) << ';';
  for (const FrameSlot &slot : slots)
    out << slot.type << ',';
  out << localBytes << ';';
  if (localAlignment > paddedLanes)
    out << localAlignment << ';';
  for (auto object : kernel->getParentOfType<ModuleOp>().getOps<LLVM::GlobalOp>())
    if (object.getAddrSpace() == ir::sharedSpace)
      out << object.getSymName() << object.getGlobalType() << ';';
  uint64_t value = llvm::xxh3_64bits(llvm::StringRef(text));
  return value ? value : 1;
}

/// The next array begins behind a multiple of `paddedLanes` copies of what is before it.
void FrameLayout::alignArray(uint64_t alignment) {
  offset = llvm::alignTo(
      offset, llvm::divideCeil(std::min(alignment, maxAlignment), paddedLanes));
}

unsigned FrameLayout::append(Type type) {
  uint64_t size =
      llvm::PowerOf2Ceil(std::max<uint64_t>(1, layout.getTypeSize(type).getFixedValue()));
  blockBytes = llvm::alignTo(blockBytes, size);
  alignArray(layout.getTypeABIAlignment(type));
  slots.push_back({type, size, offset, blockBytes});
  offset += size;
  blockBytes += size;
  return slots.size() - 1;
}

unsigned FrameLayout::addSlot(StringRef role, Type type) {
  auto [it, isNew] = roles.insert({{role.str(), type.getAsOpaquePointer()}, 0});
  if (isNew)
    it->second = append(type);
  return it->second;
}

uint64_t FrameLayout::addBlockMemory(uint64_t bytes) {
  uint64_t start = llvm::alignTo(blockBytes, 16);
  blockBytes = start + bytes;
  return start;
}

static Value constant(ImplicitLocOpBuilder &builder, uint64_t value) {
  return LLVM::ConstantOp::create(builder, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

static Value addBytes(ImplicitLocOpBuilder &builder, Value base, Value bytes) {
  return LLVM::GEPOp::create(builder, base.getType(), builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{bytes},
                             LLVM::GEPNoWrapFlags::inbounds);
}

FrameAccess::FrameAccess(const FrameLayout &layout, ImplicitLocOpBuilder &builder)
    : layout(layout) {
  base = ir::FrameOp::create(builder, LLVM::LLVMPointerType::get(builder.getContext()));
  Value count;
  for (ir::Dim dim : {ir::Dim::X, ir::Dim::Y, ir::Dim::Z}) {
    Value extent = ir::BlockDimOp::create(builder, dim);
    count = count ? LLVM::MulOp::create(builder, count, extent).getResult() : extent;
  }
  threadCount = LLVM::ZExtOp::create(builder, builder.getI64Type(), count);
  Value up = LLVM::AddOp::create(builder, threadCount, constant(builder, 31));
  padded = LLVM::AndOp::create(builder, up, constant(builder, ~uint64_t{31}));
}

Value FrameAccess::array(ImplicitLocOpBuilder &builder, uint64_t offset) const {
  Value start = addBytes(builder, base, constant(builder, layout.bytesPerBlock()));
  if (offset == 0)
    return start;
  Value bytes = LLVM::MulOp::create(builder, padded, constant(builder, offset));
  return addBytes(builder, start, bytes);
}

Value FrameAccess::element(ImplicitLocOpBuilder &builder, Value base, Value lane,
                           uint64_t size) const {
  Value bytes = lane;
  if (size != 1)
    bytes = LLVM::MulOp::create(builder, lane, constant(builder, size),
                                LLVM::IntegerOverflowFlags::nuw |
                                    LLVM::IntegerOverflowFlags::nsw);
  return addBytes(builder, base, bytes);
}

Value FrameAccess::pcs(ImplicitLocOpBuilder &builder) const { return array(builder, 0); }

Value FrameAccess::slotArray(ImplicitLocOpBuilder &builder, unsigned slot) const {
  return array(builder, layout.slot(slot).offset);
}

Value FrameAccess::slotOfLane(ImplicitLocOpBuilder &builder, unsigned slot,
                              Value lane) const {
  return element(builder, slotArray(builder, slot), lane, layout.slot(slot).size);
}

Value FrameAccess::slotOfBlock(ImplicitLocOpBuilder &builder, unsigned slot) const {
  return addBytes(builder, base, constant(builder, layout.slot(slot).blockOffset));
}

Value FrameAccess::blockMemory(ImplicitLocOpBuilder &builder, uint64_t offset) const {
  return addBytes(builder, base, constant(builder, offset));
}

Value FrameAccess::local(ImplicitLocOpBuilder &builder, Operation *alloca,
                         Value lane) const {
  Value start = array(builder, layout.offsetOfLocals());
  Value ofLane = element(builder, start, lane, layout.bytesOfLocals());
  return addBytes(builder, ofLane, constant(builder, layout.localOffset(alloca)));
}

} // namespace het::transforms
