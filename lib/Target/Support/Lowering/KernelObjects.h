// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects of a kernel's module that its code finds at run time: shared ones by their
// offsets, the package's variables by their places in a table.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_KERNELOBJECTS_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_KERNELOBJECTS_H

#include "het/Transforms/SharedObjects.h"

namespace het::target {

struct KernelObjects {
  explicit KernelObjects(mlir::ModuleOp module);

  /// Takes them out of the module, whose code does not name them any more.
  void erase(mlir::ModuleOp module) const;

  transforms::SharedObjects shared;
  llvm::StringMap<unsigned> variables; ///< Places, by name.
};

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_KERNELOBJECTS_H
