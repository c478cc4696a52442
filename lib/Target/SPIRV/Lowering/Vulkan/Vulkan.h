// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from a kernel's legalised LLVM IR to SPIR-V for Vulkan, in its steps.
//
// Every pointer is a number of 64 bits. One to global memory is the device's address; one
// to shared or local memory has a mark in its upper half, which no address has, and its
// lower half is an offset into an array of words of 32 bits.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_VULKAN_H
#define HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_VULKAN_H

#include "../Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace het::spirv {

constexpr uint32_t sharedMark = 0xFFFFFF01u, localMark = 0xFFFFFF02u;

/// Names that the translation turns into instructions.
constexpr llvm::StringLiteral vulkanPrefix = "het.vulkan.";
constexpr llvm::StringLiteral constantsName = "het.vulkan.constants";
constexpr llvm::StringLiteral neverName = "het.vulkan.never"; ///< False.
constexpr llvm::StringLiteral loadSharedName = "het.vulkan.load_shared";
constexpr llvm::StringLiteral storeSharedName = "het.vulkan.store_shared";
constexpr llvm::StringLiteral loadLocalName = "het.vulkan.load_local";
constexpr llvm::StringLiteral storeLocalName = "het.vulkan.store_local";

/// The specialisation constant that says how many words of shared memory a block has;
/// those before it are the sizes of a group.
constexpr uint32_t specialisedShared = 3;

/// Members of the push constants (SPIRVArtifact.h, HetVulkanPushed).
enum class PushedWord : uint32_t { Launch, Constants, GroupX, GroupY, GroupZ, Zero };

/// Where a header's branches meet, and of a loop the block that goes back.
struct Merge {
  llvm::BasicBlock *merge, *next; ///< `next` is null for a selection.
};
using Structure = llvm::DenseMap<const llvm::BasicBlock *, Merge>;

/// What a module for Vulkan is made of.
struct VulkanCode {
  std::string module;    ///< SPIR-V
  std::string constants; ///< the bytes that the kernel finds at het.vulkan.constants
};

/// Makes what Vulkan computes inexactly calls of functions that are exact.
llvm::Error makeExact(llvm::Module &module, const Machine &machine,
                      llvm::StringRef devicelibPath);
/// Replaces operations that SPIR-V has for other widths alone, or not for Vulkan.
void expandOperations(llvm::Module &module, llvm::TargetMachine &machine);
/// Replaces vectors by their elements.
void splitVectors(llvm::Module &module, llvm::TargetMachine &machine);
/// Makes numbers of all addresses, and accesses of words of those to shared and local
/// memory. `constants`: the bytes of the module's constants; `localWords`: how much local
/// memory a thread has.
llvm::Error lowerAddresses(llvm::Module &module, std::string &constants,
                           uint32_t &localWords);
/// Brings a function's control flow into the form of SPIR-V's structured one.
void structurize(llvm::Module &module, llvm::TargetMachine &machine);
/// Splits blocks so that each header has a merge block of its own, and says which.
llvm::Expected<Structure> findStructure(llvm::Function &function, bool isLlvmpipe);

/// Runs all these steps.
llvm::Expected<VulkanCode> emitVulkan(llvm::Module &module,
                                      llvm::TargetMachine &targetMachine,
                                      const Machine &machine);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_VULKAN_H
