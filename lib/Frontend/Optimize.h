// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frees the device module in LLVM IR of its target, and optimises it by passes that know
// of none.

#ifndef HET_LIB_FRONTEND_OPTIMIZE_H
#define HET_LIB_FRONTEND_OPTIMIZE_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace het {

struct CompileOptions;

bool isKernelFunction(const llvm::Function &function);

/// Takes away triple, data layout and target attributes; expands library calls. What one
/// file needs by itself, before files are linked.
void prepareModule(llvm::Module &module, const CompileOptions &options);

/// Whether a module has all kernels that use its variables.
enum class Sharing {
  None,      ///< It is the whole program of the device.
  Variables, ///< Kernels that are compiled apart use them, too.
};

/// Makes everything internal that no other code can name.
void closeModule(llvm::Module &module, Sharing sharing);

/// Takes away what no kernel and no other module can reach.
void removeUnreached(llvm::Module &module);

/// Makes what is read of threadIdx and its kin reads of special registers
/// (BuiltinVariables.cpp). Before optimisation.
void readBuiltinVariables(llvm::Module &module);

/// Moves the initial values of local objects to memory that kernels read, or computes
/// them there (InitialValues.cpp). Before optimisation.
void placeInitialValues(llvm::Module &module);

/// Lets threads leave values undefined that they do not look at (UndefinedValues.cpp).
/// Before optimisation.
void allowUndefinedValues(llvm::Module &module);

/// The same for those who optimise the kernel later: gives a value to what is undefined
/// where ways of control join. Takes away what has not been needed. After optimisation.
void settleUndefinedValues(llvm::Module &module);

/// Defines shifts by the width or more as GPUs do (Shifts.cpp). Before
/// optimisation, and once variables have left memory.
void defineShifts(llvm::Module &module);

/// Moves objects that alloca makes to the entries of their functions, where that changes
/// nothing else (LocalObjects.cpp). After optimisation.
void placeLocalObjects(llvm::Module &module);

/// Marks the divisions and square roots of float that the options let be approximate; not
/// those of functions and instructions that say how they round, which are expanded later.
/// Before optimisation.
void relaxPrecision(llvm::Module &module, const CompileOptions &options);

/// Makes functions of hetIR of the instructions that were marked so (Approximations.cpp).
/// After optimisation.
void expandApproximations(llvm::Module &module);

/// Makes threads that exit in a kernel return from it (ThreadExits.cpp). After inlining.
void returnFromExits(llvm::Module &module);

/// Inlines and simplifies. Every function that can meet a sync point is inlined
/// into its kernels, unless it is recursive.
void optimizeModule(llvm::Module &module, const CompileOptions &options);

/// Makes every function that can meet a sync point, wait for other threads in a loop, or
/// exchange values with lanes in lockstep one that is inlined, whatever the user wrote:
/// it is cut into segments together with its kernel (InlineSynchronising.cpp). Whether
/// there are such that were not to be inlined before.
bool inlineWhatSynchronises(llvm::Module &module);

/// Puts numbers in the place of functions' addresses and turns calls through pointers
/// into choices by number (FunctionPointers.cpp). Whether there were such calls.
bool lowerFunctionPointers(llvm::Module &module);

/// Replaces kernels' addresses by their numbers (kernelNumber); device code has them for
/// launches alone (FunctionPointers.cpp). Clang does not say of a function that is only
/// declared whether it is a kernel: `isLinked` where all others are defined.
void numberKernels(llvm::Module &module, bool isLinked = false);

} // namespace het

#endif // HET_LIB_FRONTEND_OPTIMIZE_H
