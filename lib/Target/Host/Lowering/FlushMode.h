// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flushing by the processor: MXCSR's FTZ and DAZ flush float exactly as hetIR's functions
// of "mul_ftz" do, so a kernel all of whose float arithmetic flushes is run with them and
// has plain instructions (docs/design/host-flushing.md).

#ifndef HET_LIB_TARGET_HOST_LOWERING_FLUSHMODE_H
#define HET_LIB_TARGET_HOST_LOWERING_FLUSHMODE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace het::host {

/// Whether a module has float arithmetic that flushes, and none on which the mode has
/// another effect than hetIR asks for. Before segments are formed: values are followed.
bool canFlushByMode(mlir::ModuleOp module);

/// Whether a processor's code does so: it has its own multiply-adds and conversions of
/// halves, and no arithmetic of halves.
bool canFlushByMode(const llvm::TargetMachine &machine);

/// Replaces functions that flush by plain operations whose operands and results are
/// marked as flushed.
void flushByMode(mlir::ModuleOp module);

/// Makes the marks additions of a number that LLVM does not know to be -0.0: they flush,
/// and LLVM does not see through them. Before the device library is linked.
void defineMarks(llvm::Module &module);

/// Tells LLVM how functions are run.
void assumeFlushing(llvm::Module &module);

/// Takes away the additions where the operation itself flushes. False where LLVM may have
/// computed a product of constants that the processor flushes: the code is of no use.
/// After optimisation.
bool removeMarks(llvm::Module &module);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_FLUSHMODE_H
