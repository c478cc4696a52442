// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statuses of the target interface.

#include "SoftwareQueue.h"

#include <cstdio>

namespace het::target {

int32_t report(HetStatus *status, int32_t code, const char *message) {
  if (status) {
    status->code = code;
    std::snprintf(status->message, sizeof(status->message), "%s", message);
  }
  return code;
}

} // namespace het::target
