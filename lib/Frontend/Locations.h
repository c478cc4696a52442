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

/// Replaces every location by the innermost file, line and column in it, so
/// that no debug metadata stays behind.
void simplifyLocations(mlir::ModuleOp module);

/// "file:line:column", or nothing.
std::string describeLocation(mlir::Location location);

} // namespace het

#endif // HET_LIB_FRONTEND_LOCATIONS_H
