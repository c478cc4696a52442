// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a module's static shared objects lie in a block's shared memory, on targets that
// place them themselves and in a suspended block's state: in the module's order, each at
// its alignment, dynamic shared memory behind all of them.

#ifndef HET_TRANSFORMS_SHAREDOBJECTS_H
#define HET_TRANSFORMS_SHAREDOBJECTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace het::transforms {

struct SharedObject {
  mutable mlir::LLVM::GlobalOp global; ///< a handle; MLIR gives no const access
  uint64_t offset;
  uint64_t size;
  uint64_t alignment;
};

/// The module's shared objects.
struct SharedObjects {
  explicit SharedObjects(mlir::ModuleOp module);

  llvm::SmallVector<SharedObject> objects;
  llvm::StringMap<uint64_t> offsets; ///< by name
  uint64_t bytes = 0;
};

} // namespace het::transforms

#endif // HET_TRANSFORMS_SHAREDOBJECTS_H
