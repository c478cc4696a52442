// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering for Tensix cores, stage by stage; Plugin.cpp offers it to the runtime.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_LOWERKERNEL_H
#define HET_LIB_TARGET_TENSIX_LOWERING_LOWERKERNEL_H

#include "VectorKernel.h"
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

/// Which map a kernel may take: the one that is chosen for it, or the one asked for.
enum class Map { Chosen, Blocks, Vectors };

struct LowerOptions {
  std::string arch; ///< A kind of chip.
  std::string devicelibPath;
  /// Blocks can be parked, inside where the kernel allows it; 0: they can not.
  unsigned pollInterval = 0;
  /// Of kernels that can not be parked; others are map A.
  Map map = Map::Chosen;
};

/// From a kernel's hetIR bytecode to an artifact (TensixABI.h) for a kind of chip.
llvm::Expected<llvm::SmallVector<char, 0>>
lowerKernel(llvm::StringRef code, llvm::StringRef kernel, const LowerOptions &options);

/// Code for the cores of a chip.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(llvm::StringRef arch);

/// Constants that lie in DRAM, and where.
struct FarConstants {
  uint64_t address = 0; ///< Flat.
  std::vector<uint8_t> bytes;
};

/// What a core loads; `memoryBytes` is what it needs there.
struct Image {
  llvm::SmallVector<char, 0> bytes;
  uint32_t memoryBytes = 0;
  FarConstants constants;
};

/// Optimises and links. `constants` is where constants may lie in DRAM. With `refused` the
/// code is for the vector unit, and an error whose reason that gets where it can not be.
llvm::Expected<Image> generateImage(llvm::Module &module, llvm::StringRef arch,
                                    llvm::StringRef devicelibPath, uint64_t constants,
                                    Reason *refused);

// Parts of generateImage, over LLVM IR. Up to narrowPointers address spaces have hetIR's
// numbers and pointers its 64 bits.

/// Links what the module calls of DeviceCode.c into it.
llvm::Error linkDeviceCode(llvm::Module &module);
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

#endif // HET_LIB_TARGET_TENSIX_LOWERING_LOWERKERNEL_H
