// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names the way by which kernels came to reach memory that is not their device's.

#include "migration/checkpoint/EscapeCount.h"

namespace het::core {

std::string EscapeCount::changedTo(const EscapeCount &now) const {
  if (unmapped != now.unmapped)
    return "memory was unmapped";
  if (managed != now.managed)
    return "managed memory was allocated";
  if (registered != now.registered)
    return "memory of the host was registered";
  return accesses != now.accesses ? "access between it and another device was enabled"
                                  : "";
}

} // namespace het::core
