// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refuses kernels that need what a device lacks of OpenCL's optional features. A SPIR-V
// module names each that it needs as a capability, and only where it needs it: so the
// module is asked, after all optimisations and with the device library in it, and hetIR
// where in the source it is.

#include "Passes.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Endian.h"

using namespace mlir;

namespace het::spirv {
namespace {

bool has(Operation *op, llvm::function_ref<bool(Type)> isSuch) {
  auto contains = [&](Type type) {
    return type
        .walk([&](Type part) {
          return isSuch(part) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  };
  return llvm::any_of(op->getOperandTypes(), contains) ||
         llvm::any_of(op->getResultTypes(), contains);
}

/// More than a move, for which MoveDoubles.cpp needs no such numbers.
bool usesDouble(Operation *op) {
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    if (update.getBinOp() == LLVM::AtomicBinOp::xchg)
      return false;
  return !isa<BranchOpInterface, ir::PrintfOp, ir::ShuffleOp, LLVM::BitcastOp,
              LLVM::CallOp, LLVM::ConstantOp, LLVM::CopySignOp, LLVM::ExtractElementOp,
              LLVM::ExtractValueOp, LLVM::FAbsOp, LLVM::FNegOp, LLVM::FPExtOp,
              LLVM::FreezeOp, LLVM::InsertElementOp, LLVM::InsertValueOp, LLVM::LoadOp,
              LLVM::PoisonOp, LLVM::ReturnOp, LLVM::SelectOp, LLVM::ShuffleVectorOp,
              LLVM::StoreOp, LLVM::UndefOp, LLVM::ZeroOp>(op) &&
         has(op, [](Type type) { return type.isF64(); });
}

bool usesHalf(Operation *op) {
  return has(op, [](Type type) { return type.isF16(); });
}

/// Output is reserved with such an atomic, and the clock is one.
bool usesWideAtomic(Operation *op) {
  if (isa<ir::ClockOp, ir::PrintfOp, ir::AssertFailOp>(op))
    return true;
  auto isWide = [](Type type) {
    return isa<LLVM::LLVMPointerType>(type) ||
           (type.isIntOrFloat() && type.getIntOrFloatBitWidth() == 64);
  };
  auto isAtomic = [](LLVM::AtomicOrdering order) {
    return order != LLVM::AtomicOrdering::not_atomic;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](LLVM::AtomicRMWOp update) { return isWide(update.getVal().getType()); })
      .Case([&](LLVM::AtomicCmpXchgOp swap) { return isWide(swap.getCmp().getType()); })
      .Case([&](LLVM::LoadOp load) {
        return isAtomic(load.getOrdering()) && isWide(load.getType());
      })
      .Case([&](LLVM::StoreOp store) {
        return isAtomic(store.getOrdering()) && isWide(store.getValue().getType());
      })
      .Default(false);
}

bool usesGeneric(Operation *op) {
  return has(op, [](Type type) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    return pointer && pointer.getAddressSpace() == ir::genericSpace;
  });
}

struct Feature {
  StringRef word;      ///< of a device's `arch` that lacks it
  unsigned capability; ///< SPIR-V's (specification, 3.31)
  StringRef text, extension;
  bool (*isUsedBy)(Operation *);
  StringRef instead = ""; ///< Another way for the user.
};

constexpr Feature features[] = {
    {"nofp64", 10, "64-bit floating point (double)", "cl_khr_fp64", usesDouble,
     ", or set HET_SPIRV_FP64=emulate, which computes it by integers, slowly"},
    {"nofp16", 9, "arithmetic of 16-bit floating point (half)", "cl_khr_fp16", usesHalf},
    {"noatomics64", 12, "atomics of 64 bits", "cl_khr_int64_base_atomics",
     usesWideAtomic},
    {"nogeneric", 38, "pointers that lead to any memory",
     "the generic address space of OpenCL C", usesGeneric},
};

/// The bit of each capability that the module names.
uint32_t capabilitiesOf(StringRef code) {
  constexpr size_t headerWords = 5;
  constexpr unsigned opCapability = 17;
  auto word = [&](size_t index) {
    return llvm::support::endian::read32le(code.data() + 4 * index);
  };
  uint32_t needed = 0;
  // Capabilities come before everything else.
  for (size_t at = headerWords, end = code.size() / 4;
       at + 1 < end && (word(at) & 0xffff) == opCapability; at += 2)
    for (auto [index, feature] : llvm::enumerate(features))
      if (word(at + 1) == feature.capability)
        needed |= 1u << index;
  return needed;
}

/// The first such operation of the kernel or of what it calls; null: there is none.
Operation *findUser(LLVM::LLVMFuncOp kernel, bool (*isSuch)(Operation *)) {
  llvm::SetVector<Operation *> functions;
  functions.insert(kernel);
  Operation *user = nullptr;
  for (size_t index = 0; index < functions.size() && !user; ++index)
    functions[index]->walk([&](Operation *op) {
      SymbolRefAttr name;
      if (auto call = dyn_cast<LLVM::CallOp>(op))
        name = call.getCalleeAttr();
      else if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
        name = address.getGlobalNameAttr();
      if (name)
        if (auto function =
                SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(kernel, name))
          functions.insert(function);
      if (isa<LLVM::LLVMFuncOp>(op) || !isSuch(op))
        return WalkResult::advance();
      user = op;
      return WalkResult::interrupt();
    });
  return user;
}

} // namespace

std::optional<uint32_t> lackNamed(StringRef word) {
  for (auto [index, feature] : llvm::enumerate(features))
    if (word == feature.word)
      return 1u << index;
  return std::nullopt;
}

bool computesDoubles(LLVM::LLVMFuncOp kernel) { return findUser(kernel, usesDouble); }

uint32_t findLacks(StringRef code, const Machine &machine) {
  return capabilitiesOf(code) & machine.lacks;
}

void reportLacks(LLVM::LLVMFuncOp kernel, uint32_t lacks) {
  for (size_t index = 0; index < std::size(features); ++index) {
    const Feature &feature = features[index];
    if (!(lacks & 1u << index))
      continue;
    Operation *place = findUser(kernel, feature.isUsedBy);
    auto error = (place ? place : kernel)->emitError("kernel '");
    error << llvm::demangle(kernel.getSymName()) << "' needs " << feature.text;
    if (place)
      error << ", for '" << place->getName().getStringRef() << "'";
    else
      error << ", in functions of the device library";
    error << ": this device lacks it (" << feature.extension
          << "); run it on another device, as HET_DEVICES=host" << feature.instead;
  }
}

} // namespace het::spirv
