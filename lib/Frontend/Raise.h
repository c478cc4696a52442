// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raising: what LLVM's NVPTX target spells as intrinsics and calls becomes
// hetIR. Tables map a full name (`llvm.nvvm.…`, or a function's name) to a
// handler; whatever is in no table is an error at the user's source line.

#ifndef HET_LIB_FRONTEND_RAISE_H
#define HET_LIB_FRONTEND_RAISE_H

#include "het/IR/Module.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace het {

class Messages;

/// One call that is raised.
class RaisedCall {
public:
  RaisedCall(mlir::Operation *op, mlir::ValueRange arguments)
      : op(op), builder(op->getLoc(), op), arguments(arguments) {}

  mlir::Operation *op;
  mlir::ImplicitLocOpBuilder builder;
  mlir::ValueRange arguments;

  /// The call's result type; null if it has none.
  mlir::Type type() const {
    return op->getNumResults() ? op->getResult(0).getType() : mlir::Type();
  }
  /// A constant i32.
  mlir::Value constant(int32_t value);
  /// The argument's value if it is a constant integer.
  std::optional<int64_t> constantArgument(unsigned index) const;
  /// An argument that is a truth value, as an i1.
  mlir::Value predicate(unsigned index);
  /// A truth value as the call's result type.
  mlir::Value fromPredicate(mlir::Value predicate);
  /// Results of two operations as the struct that the intrinsic returns.
  mlir::Value pack(mlir::Value first, mlir::Value second);
};

/// Builds the replacement. An empty result: the call had none. Failure has a
/// reason: why this call of a known function cannot be raised.
using RaiseResult = std::variant<mlir::Value, std::string>;
using RaiseHandler = std::function<RaiseResult(RaisedCall &)>;
using RaiseTable = llvm::StringMap<RaiseHandler>;

/// Whether a function has a meaning that no file need define: the table or a device has
/// it.
bool isKnownFunction(llvm::StringRef name);

/// malloc, operator new and new[]; free, delete and delete[], also with a size.
inline constexpr llvm::StringLiteral allocatingFunctions[] = {"malloc", "_Znwm", "_Znam"};
inline constexpr llvm::StringLiteral releasingFunctions[] = {"free", "_ZdlPv", "_ZdaPv",
                                                             "_ZdlPvm", "_ZdaPvm"};

/// The groups.
void addPositionRaises(RaiseTable &table);
void addTeamRaises(RaiseTable &table);
void addMatrixRaises(RaiseTable &table);
void addMemoryRaises(RaiseTable &table);
void addSystemRaises(RaiseTable &table);

/// Inline assembly that is still there: nothing at all, or why it is refused.
RaiseResult raiseInlineAssembly(RaisedCall &call);

/// Raises a whole module as it was imported. Shows an error for each thing that
/// has no meaning in hetIR; fails then.
mlir::LogicalResult raiseModule(mlir::ModuleOp module, Messages &messages);

} // namespace het

#endif // HET_LIB_FRONTEND_RAISE_H
