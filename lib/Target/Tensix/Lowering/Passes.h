// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes over a kernel's LLVM IR that make it code of the cores. Up to narrowPointers
// address spaces have hetIR's numbers and pointers its 64 bits.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_PASSES_H
#define HET_LIB_TARGET_TENSIX_LOWERING_PASSES_H

#include "het/IR/Module.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <vector>

namespace het::tensix {

/// LLVM's scope of fences that order what the host sees, too.
constexpr llvm::StringLiteral systemScopeName = "system";

/// Kinds of chips.
constexpr llvm::StringLiteral wormhole = "wormhole", blackhole = "blackhole";

/// Code for the cores of a chip.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(llvm::StringRef arch);

/// Constants that lie in DRAM, and where.
struct FarConstants {
  uint64_t address = 0; ///< Flat.
  std::vector<uint8_t> bytes;
};

/// Keeps the scheduler and the team operations from being inlined.
void keepPartsApart(llvm::Module &module);
/// Functions that are given nothing but addresses of the core's own memory take those.
void inferArguments(llvm::Module &module);
/// Takes constants whose addresses leave the kernel out of the module.
llvm::Expected<FarConstants> placeConstants(llvm::Module &module, uint64_t base);
/// Atomics become accesses between a lock and its release, or plain ones of the core's
/// own memory; fences calls.
void expandAtomics(llvm::Module &module);
/// Makes accesses of structures and arrays ones of what is in them, and copies of
/// arguments that are passed by value.
void splitAccesses(llvm::Module &module);
/// Pointers to the core's own memory become ones of 32 bits; all others flat addresses,
/// integers of 64 bits, through which memory is reached by functions of Core/Cache.c.
/// Fails where there are vectors of pointers, or calls that nobody knows.
llvm::Error narrowPointers(llvm::Module &module, const llvm::DataLayout &layout);
/// DeviceCode.c as bitcode.
llvm::StringRef deviceCodeBytes();
/// The core's library, an object.
llvm::StringRef coreLibrary(llvm::StringRef arch);
/// Links an object with the core's library.
llvm::Expected<llvm::SmallVector<char, 0>> linkImage(llvm::StringRef object,
                                                     llvm::StringRef arch,
                                                     uint32_t stackLimit,
                                                     uint32_t &memoryBytes);

/// Whether a pointer of that address space leads to the core's own memory.
inline bool isNear(unsigned space) {
  return space == ir::sharedSpace || space == ir::localSpace;
}
inline bool isNear(const llvm::Type *pointer) {
  return isNear(pointer->getPointerAddressSpace());
}

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_PASSES_H
