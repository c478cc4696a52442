// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant whose address leaves the kernel (a table of virtual functions, in an object
// that another kernel uses) can not lie in the kernel's image, which is every core's own
// and goes with the launch. It lies in DRAM, at an address that is settled here; the
// device puts it there when the artifact is loaded.

#include "../../Support/Lowering/KernelLowering.h"
#include "Passes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace het::tensix {
namespace {

/// Whether a pointer's value is more than read through, in this function.
class Escape {
public:
  bool of(const llvm::Value *value) {
    if (!seen.insert(value).second)
      return false;
    return llvm::any_of(value->uses(), [&](const llvm::Use &use) { return by(use); });
  }

private:
  bool by(const llvm::Use &use) {
    const llvm::User *user = use.getUser();
    if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user))
      return false;
    if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator, llvm::PHINode,
                  llvm::SelectInst>(user))
      return of(user);
    if (auto *transfer = llvm::dyn_cast<llvm::AnyMemTransferInst>(user))
      return use.getOperandNo() != 1 || transfer->isVolatile();
    auto *call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || !call->isArgOperand(&use))
      return true;
    return !call->doesNotCapture(call->getArgOperandNo(&use)) && !isService(*call);
  }
  /// Functions of DeviceCode.c read texts and forget them.
  static bool isService(const llvm::CallBase &call) {
    const llvm::Function *callee = call.getCalledFunction();
    return callee && callee->getName().starts_with("__het_tensix_");
  }

  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
};

class Placement {
public:
  Placement(llvm::Module &module, uint64_t base)
      : module(module), layout(module.getDataLayout()) {
    result.address = base;
  }

  llvm::Expected<FarConstants> run() {
    for (llvm::GlobalVariable &global : module.globals())
      if (global.isConstant() && global.hasInitializer() &&
          !isNear(global.getAddressSpace()) && Escape().of(&global))
        place(global);
    for (auto [global, offset] : places)
      if (!write(global->getInitializer(), offset))
        return llvm::createStringError(
            "constant '%s': its value is not supported on Tensix cores yet",
            target::sourceName(*global).str().c_str());
    for (auto [global, offset] : places)
      replace(*global, result.address + offset);
    return std::move(result);
  }

private:
  void place(llvm::GlobalVariable &global) {
    llvm::Align alignment = std::max(global.getAlign().valueOrOne(),
                                     layout.getABITypeAlign(global.getValueType()));
    uint64_t offset = llvm::alignTo(result.bytes.size(), alignment);
    result.bytes.resize(offset + layout.getTypeAllocSize(global.getValueType()));
    places.emplace_back(&global, offset);
  }
  void replace(llvm::GlobalVariable &global, uint64_t address) {
    llvm::LLVMContext &context = module.getContext();
    llvm::Constant *pointer = llvm::ConstantExpr::getIntToPtr(
        llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), address),
        llvm::PointerType::get(context, ir::globalSpace));
    if (pointer->getType() != global.getType())
      pointer = llvm::ConstantExpr::getAddrSpaceCast(pointer, global.getType());
    global.replaceAllUsesWith(pointer);
    global.eraseFromParent();
  }

  void writeNumber(const llvm::APInt &number, uint64_t offset) {
    for (unsigned i = 0; i < (number.getBitWidth() + 7) / 8; ++i)
      result.bytes[offset + i] = number.extractBitsAsZExtValue(
          std::min(8u, number.getBitWidth() - 8 * i), 8 * i);
  }
  bool writePointer(const llvm::Constant *pointer, uint64_t offset);
  bool write(const llvm::Constant *value, uint64_t offset);

  llvm::Module &module;
  const llvm::DataLayout &layout;
  FarConstants result;
  llvm::SmallVector<std::pair<llvm::GlobalVariable *, uint64_t>> places;
};

bool Placement::writePointer(const llvm::Constant *pointer, uint64_t offset) {
  llvm::APInt address(64, 0);
  auto *base = pointer->stripAndAccumulateConstantOffsets(layout, address,
                                                          /*AllowNonInbounds=*/true);
  if (auto *cast = llvm::dyn_cast<llvm::ConstantExpr>(base);
      cast && cast->getOpcode() == llvm::Instruction::IntToPtr) {
    auto *number = llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0));
    if (!number)
      return false;
    address += number->getValue().zextOrTrunc(64);
  } else if (auto *global = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
    auto it = llvm::find_if(places, [&](auto &place) { return place.first == global; });
    if (it == places.end())
      return false;
    address += result.address + it->second;
  } else if (!llvm::isa<llvm::ConstantPointerNull>(base)) {
    return false;
  }
  writeNumber(address, offset);
  return true;
}

bool Placement::write(const llvm::Constant *value, uint64_t offset) {
  llvm::Type *type = value->getType();
  if (llvm::isa<llvm::UndefValue>(value) || value->isNullValue())
    return true;
  if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(value))
    return writeNumber(number->getValue(), offset), true;
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(value))
    return writeNumber(number->getValueAPF().bitcastToAPInt(), offset), true;
  if (type->isPointerTy())
    return writePointer(value, offset);
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  unsigned count = structure           ? structure->getNumElements()
                   : type->isArrayTy() ? type->getArrayNumElements()
                   : llvm::isa<llvm::FixedVectorType>(type)
                       ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements()
                       : 0;
  for (unsigned i = 0; i < count; ++i) {
    const llvm::Constant *part = value->getAggregateElement(i);
    if (!part)
      return false;
    uint64_t place =
        structure ? layout.getStructLayout(structure)->getElementOffset(i).getFixedValue()
                  : i * layout.getTypeAllocSize(part->getType()).getFixedValue();
    if (!write(part, offset + place))
      return false;
  }
  return count != 0;
}

} // namespace

llvm::Expected<FarConstants> placeConstants(llvm::Module &module, uint64_t base) {
  return Placement(module, base).run();
}

} // namespace het::tensix
