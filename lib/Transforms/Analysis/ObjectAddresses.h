// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that are another number on each device: those of local and shared objects,
// of constants and of arguments that are passed in memory. A parked kernel keeps them
// as distances from their objects.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_OBJECTADDRESSES_H
#define HET_LIB_TRANSFORMS_ANALYSIS_OBJECTADDRESSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <optional>

namespace het::transforms {

class ObjectAddresses {
public:
  explicit ObjectAddresses(mlir::LLVM::LLVMFuncOp kernel) : kernel(kernel) {}

  /// Why the kernel's objects may be reached by addresses that lie in memory or in
  /// integers; nothing where they are not.
  std::optional<std::string> findKeptAddress();

  /// The object that a pointer leads into; null: into none of these.
  /// Nothing where that depends on the way the thread has come.
  std::optional<mlir::Value> objectOf(mlir::Value pointer);

  /// Whether two values that objectOf() has returned are one object's address.
  static bool areSame(mlir::Value a, mlir::Value b);

  /// The pointer's distance from its object, in bytes, as i64; and back.
  static mlir::Value encode(mlir::ImplicitLocOpBuilder &builder, mlir::Value pointer,
                            mlir::Value object);
  static mlir::Value decode(mlir::ImplicitLocOpBuilder &builder, mlir::Value distance,
                            mlir::Type type, mlir::Value object);

private:
  std::optional<std::string> findKept(mlir::Value address);
  std::optional<std::string> findKept(mlir::OpOperand &use);
  bool isObject(mlir::Value value);

  mlir::LLVM::LLVMFuncOp kernel;
  llvm::DenseSet<mlir::Value> seen;
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_OBJECTADDRESSES_H
