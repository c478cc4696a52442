// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that lowerings share: the way from hetIR's bytecode to LLVM IR, and the device
// library's place in it.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_TARGETLOWERING_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_TARGETLOWERING_H

#include "het/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace het::target {

/// A context for hetIR and its translation to LLVM IR, which collects MLIR's
/// errors as text.
class LoweringContext {
public:
  LoweringContext();
  mlir::MLIRContext &mlir() { return context; }
  /// The errors so far.
  llvm::Error error() const;

  /// Null with an error.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef code);
  /// The module in `llvmContext`, named after the kernel; null with an error.
  std::unique_ptr<llvm::Module>
  translate(mlir::ModuleOp module, llvm::LLVMContext &llvmContext, llvm::StringRef name);

private:
  static mlir::DialectRegistry dialects();
  mlir::MLIRContext context;
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

/// Replaces a math operation by a call of the device library's function.
void callDeviceLibrary(ir::MathOp op);

/// Calls of the device library's heap (DeviceABI/Heap.h): the memory's address, an i64,
/// 0 where there is none; whether it was freed, an i32.
mlir::Value callMalloc(mlir::ImplicitLocOpBuilder &builder, ir::MallocOp op);
mlir::Value callFree(mlir::ImplicitLocOpBuilder &builder, ir::FreeOp op);

/// Where each of a kernel's arguments lies among the packed ones: C's layout, each at
/// its natural alignment. In bytes.
struct PackedParameters {
  llvm::SmallVector<uint32_t> offsets, sizes;
  uint32_t bytes = 0; ///< For all of them.
};
/// `first`: of the function's, the kernel's own first one.
PackedParameters packedParameters(mlir::LLVM::LLVMFuncOp kernel, unsigned first = 0);

/// The reduction of two values of that kind.
mlir::Value combine(mlir::ImplicitLocOpBuilder &builder, ir::ReduceKind kind,
                    mlir::Value a, mlir::Value b);

/// The same address, whatever its space.
mlir::Value toGeneric(mlir::ImplicitLocOpBuilder &builder, mlir::Value pointer);

/// Whether an address, an i64, lies in [base, base + size).
mlir::Value isWithin(mlir::ImplicitLocOpBuilder &builder, mlir::Value address,
                     mlir::Value base, mlir::Value size);

/// Whether an address, an i64, lies in one of the constants that the module knows.
mlir::Value isInConstants(mlir::ImplicitLocOpBuilder &builder, mlir::ModuleOp module,
                          mlir::Value address);

/// Before segments are formed, which run many threads in one of the machine: assertions
/// and traps note which thread they are of.
void noteLanes(mlir::ModuleOp module);

/// Makes asynchronous copies loads and stores, as machines have them that know no others.
void copyAtOnce(mlir::ModuleOp module);

/// Removes what is about grids that begin early, for targets where none does.
void dropGridDependencies(mlir::ModuleOp module);

/// Makes loads of rows of matrices hetir.matrix_load where they are of shared memory and
/// the target has an instruction for it, else loads of each lane.
void loadMatrixRows(mlir::ModuleOp module, bool hasInstruction);

/// Replaces hetir.texture_units by the answer, and takes away code behind a no.
void answerTextureUnits(mlir::ModuleOp module, bool hasUnits);

/// Removes safe points, for targets that run a kernel as it is.
void dropSafePoints(mlir::ModuleOp module);

/// Turns the locations of a module with `hetir.line_info` into debug metadata that makes
/// LLVM write line tables and nothing else. Just before the translation. False: the
/// module does not ask for it, and its locations are only for messages.
bool attachLineInfo(mlir::ModuleOp module);

/// Gives integer divisions of this many bits and more, and those of vectors, the results
/// that hetIR defines where LLVM leaves them undefined.
void defineDivisions(llvm::Module &module, unsigned atLeastBits = 1);

/// Replaces operations on integers of 128 bits that a GPU's back end does not have.
/// Before the device library is linked.
void legalizeWideIntegers(llvm::Module &module);

/// Links what the module calls of the device library into it.
llvm::Error linkDeviceLibrary(llvm::Module &module, llvm::StringRef path);

/// Links what the module calls of a target's own functions into it, for that machine and
/// private to it.
llvm::Error linkDeviceCode(llvm::Module &module, llvm::StringRef bitcode);

/// Whether the functions that a module calls may be C's library: what LLVM knows of
/// `malloc` is not true of a device's.
enum class CLibrary { Absent, Present };

/// Whether a function is of the device library's scheduler or a team operation.
bool isTeamFunction(llvm::StringRef name);

/// The least that makes code of it: time that grows with its size, and no faster.
void optimizeInHaste(llvm::Module &module, llvm::TargetMachine &machine);

/// LLVM's own pipeline for speed, with a machine's costs if there is one, and what
/// `extend` adds.
void optimizeForSpeed(llvm::Module &module, llvm::TargetMachine *machine,
                      CLibrary library,
                      llvm::function_ref<void(llvm::PassBuilder &)> extend = {});

/// Runs passes on each function that has a body.
void runOnFunctions(llvm::Module &module, llvm::TargetMachine &machine,
                    llvm::FunctionPassManager passes);

/// Puts local objects into local memory and constants into that of a space, finds out
/// where generic pointers lead, and expands reductions of vectors.
void inferSpaces(llvm::Module &module, llvm::TargetMachine &machine, unsigned constants);

/// Parses a word of HetLowerRequest::options for code that can be suspended, `parkable`,
/// `parkable=N` or `parkable=entry`: how much work there is between polls, or
/// transforms::noPolls. Nothing for any other word.
std::optional<unsigned> parsePollInterval(llvm::StringRef word);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_TARGETLOWERING_H
