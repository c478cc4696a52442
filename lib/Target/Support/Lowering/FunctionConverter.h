// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces the hetIR operations of a kernel's functions by the LLVM dialect's: a hook for
// each group of operations, whose default is what most targets do. An operation that no
// hook takes is an error that names it.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_FUNCTIONCONVERTER_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_FUNCTIONCONVERTER_H

#include "BuilderPieces.h"
#include "het/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace het::target {

/// Services that a kernel asks of the device or the host's process.
enum class Service { Printf, Assert, Trap, NoteFree, Clock };

/// Positions and sizes with three dimensions.
enum class Position { Thread, Block, BlockSize, GridSize, ClusterSize };

class FunctionConverter {
public:
  /// The function's first `recordCount` arguments are the device's (BlockArguments.h).
  FunctionConverter(mlir::LLVM::LLVMFuncOp function, unsigned recordCount);
  virtual ~FunctionConverter() = default;

  /// Replaces hetir.is_space. Before `run` of any function: it adds addresses of objects.
  mlir::LogicalResult convertSpaces();
  /// Replaces all other operations.
  mlir::LogicalResult run();

protected:
  // Positions and objects. Null: the target has none such.
  virtual mlir::Value position(Position which, ir::Dim dim) = 0;
  virtual mlir::Value laneId() { return {}; }
  virtual mlir::Value teamId() { return {}; }
  /// An i32: 1 or 0.
  virtual mlir::Value isCooperative() { return {}; }
  /// Likewise.
  virtual mlir::Value isClusterGiven() { return {}; }
  virtual mlir::Value dynamicShared() = 0;
  virtual mlir::Value frame(mlir::Type type) { return {}; }
  virtual mlir::Value parking() { return {}; }
  virtual mlir::Value pollInterval() { return {}; }
  /// Null: the object stays one of the module.
  virtual mlir::Value addressOf(mlir::LLVM::AddressOfOp address) { return {}; }

  // Order. By default a block's threads are one thread of the machine.
  virtual void fence(ir::FenceScope scope);
  /// LLVM's name of the scope of a fence, and of one that an access has. Empty: all.
  virtual llvm::StringRef fenceScope(ir::FenceScope scope);
  virtual llvm::StringRef accessScope(llvm::StringRef scope) { return ""; }
  virtual mlir::LogicalResult convertBarrier() { return refuse(); }
  virtual mlir::LogicalResult convertTeamOperation() { return refuse(); }

  /// By default a thread arrives at the cluster's barrier when it waits there.
  virtual void arriveAtCluster() {}

  // Shared memory of the cluster's blocks. Null: there is none.
  virtual mlir::Value mapToCluster(mlir::Value pointer, mlir::Value rank) { return {}; }
  virtual mlir::Value rankInCluster(mlir::Value pointer) { return {}; }
  virtual mlir::Value clusterAddress(mlir::Value pointer) { return {}; }
  virtual mlir::Value clusterPointer(mlir::Value address) { return {}; }

  /// By default the device library's functions.
  virtual void convertMath(ir::MathOp math);

  // Services. By default the device library's heap, and for the rest calls of functions
  // that are the target's own: "<prefix>printf", "assert", "trap", "note_free", "clock",
  // each of which takes the first record first.
  virtual llvm::StringRef servicePrefix() { return ""; }
  /// A function of the target's is declared.
  virtual void declared(mlir::LLVM::LLVMFuncOp callee) { callee.setNoUnwind(true); }
  virtual mlir::Value callService(Service service, mlir::Type result,
                                  mlir::ArrayRef<mlir::Value> operands);
  /// After an assertion or a trap, where that comes back.
  virtual void endThread() {}
  /// Appends what an assertion is told beside its text.
  virtual void appendPosition(mlir::SmallVectorImpl<mlir::Value> &operands) {}
  virtual mlir::LogicalResult noteLane(mlir::Value lane) { return refuse(); }
  virtual mlir::Value allocate(ir::MallocOp op);
  virtual void release(ir::FreeOp op);
  virtual void sleep(mlir::Value nanoseconds) {} // a hint
  virtual mlir::Value clock(ir::ClockKind kind);
  /// Null: the target has no texture units.
  virtual mlir::Value fetchTexture(ir::TextureFetchOp op) { return {}; }

  // In which space a generic pointer is. Null: nobody can tell.
  virtual mlir::Value isShared(mlir::Value pointer) { return {}; }
  virtual mlir::Value isLocal(mlir::Value pointer) { return {}; }
  virtual mlir::Value isGridConstant(mlir::Value pointer) { return {}; }
  virtual mlir::Value isConstant(mlir::Value pointer);
  /// By default: in none of the others.
  virtual mlir::Value isGlobal(mlir::Value pointer);

  /// "Tensix cores": who does not support an operation.
  virtual llvm::StringRef targetName() = 0;

  /// Calls one of the target's functions. A null result: none.
  mlir::Value call(llvm::StringRef name, mlir::Type result, mlir::ValueRange operands);
  /// An error about the current operation.
  mlir::LogicalResult refuse();
  /// The same address, in the generic space.
  mlir::Value generic(mlir::Value pointer);
  /// The address as an i64.
  mlir::Value integer(mlir::Value pointer);

  mlir::LLVM::LLVMFuncOp function;
  mlir::SmallVector<mlir::Value, 2> records;
  mlir::Operation *op = nullptr;      ///< The current one.
  mlir::ImplicitLocOpBuilder builder; ///< Before it.

private:
  void moveTo(mlir::Operation *operation);
  mlir::LogicalResult convert();
  mlir::LogicalResult convertService();
  mlir::Value valueOf();
  mlir::Value isIn(ir::Space space, mlir::Value pointer);
  void convertScope();
  mlir::LogicalResult replace(mlir::ValueRange values);
};

/// Has all functions with a body take `records` first, and converts each by what `create`
/// makes for it. They become private to the module. `afterSpaces` is called when
/// hetir.is_space has been replaced.
mlir::LogicalResult convertFunctions(
    mlir::ModuleOp module, mlir::ArrayRef<mlir::Type> records,
    llvm::function_ref<std::unique_ptr<FunctionConverter>(mlir::LLVM::LLVMFuncOp)> create,
    llvm::function_ref<void()> afterSpaces = {});

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_FUNCTIONCONVERTER_H
