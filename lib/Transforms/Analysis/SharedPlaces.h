// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in memory an operation writes or looks, as far as its address tells.

#ifndef HET_LIB_TRANSFORMS_ANALYSIS_SHAREDPLACES_H
#define HET_LIB_TRANSFORMS_ANALYSIS_SHAREDPLACES_H

#include "het/IR/Module.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include <memory>
#include <optional>

namespace het::transforms {

/// Whether it is a store, an atomic, or a compare-and-swap.
bool writesMemory(mlir::Operation &op);

/// The bytes that such an operation or a load may reach: a base, a constant distance from
/// it, and any multiple of a stride.
class SharedPlace {
public:
  SharedPlace(mlir::Operation *op, const mlir::DataLayout &layout);

  /// Assumption about two pointers that a kernel is given, or one and a variable.
  enum class Arguments {
    Apart,  ///< They lead to different objects.
    MayMeet ///< They may lead to one, unless one of them is `__restrict__`.
  };

  /// Whether both may be the same bytes. Pointers that lie in different places are taken
  /// for addresses of different objects.
  bool mayBe(const SharedPlace &other, Arguments arguments = Arguments::Apart) const;

private:
  enum class Base { Known, Loaded, Unknown };

  SharedPlace(mlir::Value address, const mlir::DataLayout &layout);
  void addOffset(mlir::LLVM::GEPOp gep, const mlir::DataLayout &layout);
  void addIndex(llvm::PointerUnion<mlir::IntegerAttr, mlir::Value> index, uint64_t bytes);
  Base kindOfBase() const;
  bool mayBeOfCaller() const;
  std::optional<bool> isSameBase(const SharedPlace &other, Arguments arguments) const;

  mlir::Value base;
  std::shared_ptr<const SharedPlace> from; ///< Where a base is loaded from.
  int64_t offset = 0;
  uint64_t stride = 0; ///< Greatest common divisor of all strides; 0: there is none.
  uint64_t size = 0;   ///< Bytes of an access.
};

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_ANALYSIS_SHAREDPLACES_H
