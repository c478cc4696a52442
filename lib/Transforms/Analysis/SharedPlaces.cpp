// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows an address back through its arithmetic. A pointer that is loaded from a known
// place, as from a structure, is one base for each such place.

#include "SharedPlaces.h"
#include "LinearAddress.h"
#include <numeric>

using namespace mlir;

namespace het::transforms {

bool writesMemory(Operation &op) {
  return isa<LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op);
}

static Value addressOf(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getAddr();
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getAddr();
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    return update.getPtr();
  return cast<LLVM::AtomicCmpXchgOp>(op).getPtr();
}

static Type accessedType(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getType();
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getValue().getType();
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    return update.getVal().getType();
  return cast<LLVM::AtomicCmpXchgOp>(op).getCmp().getType();
}

SharedPlace::SharedPlace(Operation *op, const DataLayout &layout)
    : SharedPlace(addressOf(op), layout) {
  size = layout.getTypeSize(accessedType(op));
}

SharedPlace::SharedPlace(Value address, const DataLayout &layout) : base(address) {
  while (Operation *op = base.getDefiningOp()) {
    if (auto gep = dyn_cast<LLVM::GEPOp>(op))
      addOffset(gep, layout);
    else if (!isa<LLVM::AddrSpaceCastOp, LLVM::BitcastOp, ir::SafePointOp>(op))
      break;
    if (auto point = dyn_cast<ir::SafePointOp>(op))
      base = point.getLive()[cast<OpResult>(base).getResultNumber()];
    else
      base = op->getOperand(0);
  }
  if (auto load = base.getDefiningOp<LLVM::LoadOp>())
    from = std::make_shared<SharedPlace>(SharedPlace(load.getAddr(), layout));
}

/// Adds an index times a size to an offset, or to the strides.
void SharedPlace::addIndex(llvm::PointerUnion<IntegerAttr, Value> index, uint64_t bytes) {
  if (auto constant = dyn_cast<IntegerAttr>(index))
    offset += constant.getInt() * static_cast<int64_t>(bytes);
  else
    stride = std::gcd(stride, bytes);
}

void SharedPlace::addOffset(LLVM::GEPOp gep, const DataLayout &layout) {
  Type type = gep.getElemType();
  bool isFirst = true;
  for (auto index : gep.getIndices()) {
    if (std::exchange(isFirst, false)) {
      addIndex(index, layout.getTypeSize(type));
    } else if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
      type = array.getElementType();
      addIndex(index, layout.getTypeSize(type));
    } else if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
      const int64_t member = cast<IntegerAttr>(index).getInt();
      offset += memberOffset(structure, member, layout);
      type = structure.getBody()[member];
    } else {
      stride = 1;
      return;
    }
  }
}

SharedPlace::Base SharedPlace::kindOfBase() const {
  if (auto argument = dyn_cast<BlockArgument>(base)) {
    auto kernel = dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp());
    return argument.getOwner()->isEntryBlock() && kernel && ir::isKernel(kernel)
               ? Base::Known
               : Base::Unknown;
  }
  Operation *op = base.getDefiningOp();
  if (isa<LLVM::AddressOfOp, LLVM::AllocaOp, ir::DynamicSharedOp>(op))
    return Base::Known;
  return isa<LLVM::LoadOp>(op) ? Base::Loaded : Base::Unknown;
}

/// Whether it is an object that the kernel's caller may have passed under another name,
/// too: an argument that is not `__restrict__`, or a variable of the device.
bool SharedPlace::mayBeOfCaller() const {
  if (auto symbol = base.getDefiningOp<LLVM::AddressOfOp>())
    return symbol.getType().getAddressSpace() != ir::sharedSpace;
  auto argument = dyn_cast<BlockArgument>(base);
  if (!argument)
    return false;
  auto function = cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp());
  return !function.getArgAttr(argument.getArgNumber(),
                              LLVM::LLVMDialect::getNoAliasAttrName());
}

/// Whether two bases are one; nothing where it is not known.
std::optional<bool> SharedPlace::isSameBase(const SharedPlace &other,
                                            Arguments arguments) const {
  const Base kind = kindOfBase(), otherKind = other.kindOfBase();
  if (base == other.base)
    return true;
  if (kind == Base::Unknown || otherKind == Base::Unknown)
    return std::nullopt;
  if (kind != otherKind) // a pointer that is loaded may lead anywhere
    return std::nullopt;
  if (kind == Base::Loaded) {
    std::optional<bool> isOne = from->isSameBase(*other.from, arguments);
    if (!isOne || from->stride || other.from->stride)
      return std::nullopt;
    return *isOne && from->offset == other.from->offset;
  }
  auto symbol = base.getDefiningOp<LLVM::AddressOfOp>();
  auto otherSymbol = other.base.getDefiningOp<LLVM::AddressOfOp>();
  if (symbol && otherSymbol)
    return symbol.getGlobalName() == otherSymbol.getGlobalName();
  if (arguments == Arguments::MayMeet && mayBeOfCaller() && other.mayBeOfCaller())
    return std::nullopt;
  return base.getDefiningOp<ir::DynamicSharedOp>() &&
         other.base.getDefiningOp<ir::DynamicSharedOp>();
}

bool SharedPlace::mayBe(const SharedPlace &other, Arguments arguments) const {
  if (size != other.size)
    return false;
  std::optional<bool> isOne = isSameBase(other, arguments);
  if (!isOne)
    return true;
  if (!*isOne)
    return false;
  const auto bytes = static_cast<int64_t>(size);
  const auto step = static_cast<int64_t>(std::gcd(stride, other.stride));
  int64_t distance = offset - other.offset;
  if (step == 0)
    return std::abs(distance) < bytes;
  distance = ((distance % step) + step) % step;
  return distance < bytes || distance > step - bytes;
}

} // namespace het::transforms
