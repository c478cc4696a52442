// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets safe points carry addresses of a kernel's own objects (ObjectAddresses.h) as
// distances from these, which are the same on every device.

#ifndef HET_LIB_TRANSFORMS_SAFEPOINTS_ENCODEADDRESSES_H
#define HET_LIB_TRANSFORMS_SAFEPOINTS_ENCODEADDRESSES_H

#include "het/IR/Module.h"

namespace het::transforms {

/// Replaces a safe point by one that carries distances. `objects` has the object of each
/// live value, or null for one that stays as it is.
ir::SafePointOp encodeAddresses(ir::SafePointOp safePoint,
                                llvm::ArrayRef<mlir::Value> objects);

} // namespace het::transforms

#endif // HET_LIB_TRANSFORMS_SAFEPOINTS_ENCODEADDRESSES_H
