// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source locations of imported code: messages at them, and their reduction to
// plain file, line and column.

#ifndef HET_LIB_FRONTEND_LOCATIONS_H
#define HET_LIB_FRONTEND_LOCATIONS_H

#include "Messages.h"

#include "mlir/IR/BuiltinOps.h"

namespace het {

/// Shows a message at a location; the calls that were inlined are notes.
void showAt(Messages &messages, Severity severity, mlir::Location location,
            const llvm::Twine &text);

/// Parts of a location that are kept.
enum class LocationDetail {
  Place, ///< The innermost file, line and column.
  Calls, ///< Also the functions that were inlined, by name, and their callers.
};

/// Reduces all locations, so that no debug metadata stays behind. Of calls,
/// those of functions in the folders of `libraries` are no detail: their place
/// is the caller's.
void simplifyLocations(mlir::ModuleOp module, LocationDetail detail,
                       llvm::ArrayRef<std::string> libraries = {});

/// "file:line:column", or nothing.
std::string describeLocation(mlir::Location location);

} // namespace het

#endif // HET_LIB_FRONTEND_LOCATIONS_H
