// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lays out a constant as bytes: little-endian, with 64-bit pointers.

#include "ConstantBytes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"

using namespace het;
using namespace llvm;

namespace {

using Relocate = function_ref<void(GlobalVariable &, uint64_t, int64_t)>;

class ConstantWriter {
public:
  ConstantWriter(const DataLayout &layout, Bytes &bytes, Relocate relocate)
      : layout(layout), bytes(bytes), relocate(relocate) {}

  Error write(const Constant &constant, uint64_t offset) {
    if (constant.isNullValue() || isa<UndefValue>(constant))
      return Error::success();
    if (auto *number = dyn_cast<ConstantInt>(&constant))
      return writeBits(number->getValue(), offset);
    if (auto *number = dyn_cast<ConstantFP>(&constant))
      return writeBits(number->getValueAPF().bitcastToAPInt(), offset);
    if (auto *data = dyn_cast<ConstantDataSequential>(&constant))
      return writeData(*data, offset);
    if (isa<ConstantAggregate>(constant))
      return writeAggregate(constant, offset);
    if (constant.getType()->isPointerTy() || constant.getType()->isIntegerTy(64))
      return writePointer(constant, offset);
    return createStringError("its initial value has a form that is not supported");
  }

private:
  Error writeBits(const APInt &value, uint64_t offset) {
    for (unsigned i = 0; i * 8 < value.getBitWidth(); ++i)
      bytes[offset + i] = static_cast<uint8_t>(
          value.extractBitsAsZExtValue(std::min(8u, value.getBitWidth() - i * 8), i * 8));
    return Error::success();
  }

  Error writeData(const ConstantDataSequential &data, uint64_t offset) {
    // The host is little-endian as hetIR is, and elements are packed.
    StringRef raw = data.getRawDataValues();
    std::copy(raw.begin(), raw.end(), bytes.begin() + offset);
    return Error::success();
  }

  Error writeAggregate(const Constant &constant, uint64_t offset) {
    Type *type = constant.getType();
    for (unsigned i = 0, e = constant.getNumOperands(); i != e; ++i) {
      uint64_t place = 0;
      if (auto *structure = dyn_cast<StructType>(type))
        place = layout.getStructLayout(structure)->getElementOffset(i);
      else
        place = i * layout.getTypeAllocSize(constant.getOperand(i)->getType());
      if (Error error = write(*cast<Constant>(constant.getOperand(i)), offset + place))
        return error;
    }
    return Error::success();
  }

  Error writePointer(const Constant &constant, uint64_t offset) {
    const Value *value = &constant;
    APInt addend(64, 0);
    while (auto *expression = dyn_cast<ConstantExpr>(value)) {
      if (auto *gep = dyn_cast<GEPOperator>(expression)) {
        if (!gep->accumulateConstantOffset(layout, addend))
          break;
      } else if (!expression->isCast()) {
        break;
      }
      value = expression->getOperand(0);
    }
    if (auto *number = dyn_cast<ConstantInt>(value))
      return writeBits(number->getValue().zextOrTrunc(64) + addend, offset);
    if (auto *target = dyn_cast<GlobalVariable>(value)) {
      if (!target->hasInitializer())
        return createStringError("its initial value points to '" + target->getName() +
                                 "', which has no definition here");
      relocate(*const_cast<GlobalVariable *>(target), offset, addend.getSExtValue());
      return Error::success();
    }
    if (isa<Function>(value))
      return createStringError("its initial value holds the address of function '" +
                               value->getName() +
                               "', which is not supported yet; assign it in a "
                               "kernel");
    return createStringError("its initial value has a form that is not supported");
  }

  const DataLayout &layout;
  Bytes &bytes;
  Relocate relocate;
};

} // namespace

Error het::writeConstant(const Constant &constant, const DataLayout &layout,
                         uint64_t size, Bytes &bytes, Relocate relocate) {
  if (constant.isNullValue() || isa<UndefValue>(constant))
    return Error::success();
  bytes.assign(size, 0);
  return ConstantWriter(layout, bytes, relocate).write(constant, 0);
}
