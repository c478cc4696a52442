// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes over a kernel's LLVM IR that make it code that SPIR-V has. Up to
// renumberSpaces address spaces have hetIR's numbers, so that the device library's plain
// pointers are generic.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_PASSES_H
#define HET_LIB_TARGET_SPIRV_LOWERING_PASSES_H

#include "Form.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace het::spirv {

/// The machine that code is generated for; from a device's `arch`.
struct Machine {
  unsigned version = 13;    ///< 13: SPIR-V 1.3.
  bool isVulkan = false;    ///< Not OpenCL's flavour.
  unsigned lanes = 0;       ///< In a sub-group, 8, 16 or 32; 0: not to be used.
  bool segmentsAll = false; ///< Every kernel is segmented (for tests).
  bool isCPU = false;       ///< Intel's compiler for CPUs makes its code.
  uint32_t lacks = 0;       ///< Features that the device has not (CheckFeatures.cpp).
  /// Where "nofp64" is lacking, integers compute such numbers.
  bool emulatesDoubles = false;
  // Read for Vulkan alone.
  bool fusesExactly = false;   ///< Its Fma rounds once.
  bool dividesExactly = false; ///< Quotients and roots are the nearest numbers.
  bool isLlvmpipe = false;     ///< What Mesa's llvmpipe does wrong is worked round.
  uint32_t subnormals = 0;     ///< The sizes of numbers that it promises to keep.

  bool keepsSubnormals(unsigned bits) const { return subnormals & bits; }

  /// "spirv1.3;teams16;nofp64;softfp64;…", "vulkan1.3;teams8;exactfma;denorms32;…";
  /// "teams" stands for 32.
  static llvm::Expected<Machine> parse(llvm::StringRef arch);
};

/// The one spelling of words such as those; of none, for code that most devices run.
llvm::Expected<std::string> findArch(llvm::StringRef name);

/// The bit in Machine::lacks of "nofp64", "nofp16", "noatomics64" or "nogeneric".
std::optional<uint32_t> lackNamed(llvm::StringRef word);
/// Features that a SPIR-V module needs and the machine lacks.
uint32_t findLacks(llvm::StringRef code, const Machine &machine);
/// Whether what the kernel calls, in hetIR, does more with 64-bit floating point than to
/// move it.
bool computesDoubles(mlir::LLVM::LLVMFuncOp kernel);
/// An error for each of these; where they are in the source is looked for in hetIR.
void reportLacks(mlir::LLVM::LLVMFuncOp kernel, uint32_t lacks);

/// LLVM's back end, which optimises nothing.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Machine &machine);
/// A SPIR-V module, which has been validated.
llvm::Expected<std::string> emitSPIRV(llvm::Module &module,
                                      llvm::TargetMachine &targetMachine,
                                      const Machine &machine);
/// DeviceCode.c as bitcode.
llvm::StringRef deviceCodeBytes();

/// Makes loops of recursion. Every function has the launch first; before endAtFaults.
llvm::Error makeIterative(llvm::Module &module);
/// Answers whether pointers lead to objects of a work-item's own. After makeIterative.
llvm::Error compareWithObjects(llvm::Module &module);
/// Makes a thread that has come to its end leave its kernel.
void endAtFaults(llvm::Module &module);
/// Makes calls of atomics of 128 bits, which SPIR-V has not. Before linkDeviceCode.
void expandWideAtomics(llvm::Module &module);
/// Keeps functions whose inlining drivers take minutes to compile from it.
void keepPartsApart(llvm::Module &module);
/// Replaces atomics that OpenCL lacks by those that it has. Fails where it can not be
/// known whether one is on shared memory.
llvm::Error expandAtomics(llvm::Module &module, Form form);
/// Replaces what SPIR-V has no instruction for, or fails with its name: LLVM ends the
/// process at what it does not know.
llvm::Error legalize(llvm::Module &module, const Machine &machine);
/// llvm.is_fpclass: a test of the bits for each class that is asked for.
llvm::Value *testClass(llvm::IntrinsicInst &call);
/// Makes merges of structures and arrays ones of the numbers in them.
void splitAggregates(llvm::Function &function);
/// Expands what SPIR-V lacks of vectors of truth values: casts to and from the bits of an
/// integer, and selects of vectors by one truth value.
void expandTruthVectors(llvm::Function &function);
/// Makes calls of the device library of what computes with 64-bit floating-point numbers,
/// and integers of those.
llvm::Error emulateDoubles(llvm::Module &module, llvm::TargetMachine &machine,
                           llvm::StringRef devicelibPath);
/// Makes integers of 64-bit floating-point numbers, if nothing is computed with them.
void moveDoubles(llvm::Module &module);
/// Makes negations exclusive ors where the module has barriers.
void negateAsBits(llvm::Module &module);
/// A number, in front of a function, that no compiler knows before the launch.
llvm::Value *hideNumber(llvm::Function &function, const llvm::APInt &number);
/// Hides the ones of complements where the module has minima or maxima.
void hideComplements(llvm::Module &module);
/// Hides integers between two conversions, from and to floating point.
void hideTruncations(llvm::Function &function);
/// Makes integers of pointers that lie in memory.
void hidePointers(llvm::Function &function);
/// Makes a choice of zero divided by a number.
void chooseQuotient(llvm::Instruction &instruction);
/// Makes cases of a switch that lead to one block with phis meet before it.
void splitSwitchEdges(llvm::Function &function);
/// Makes integers of other widths than 8, 16, 32 and 64 bits out of those; up to 128.
llvm::Error legalizeIntegers(llvm::Function &function);
/// From hetIR's numbers of address spaces to OpenCL's.
void renumberSpaces(llvm::Module &module);
/// SPIRV-Tools' validator.
llvm::Error validate(llvm::StringRef code, const Machine &machine);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_PASSES_H
