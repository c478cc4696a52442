// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills in statuses of the target interface.

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

int32_t report(HetStatus *status, const Status &result) {
  return report(status, static_cast<int32_t>(result.code), result.text().c_str());
}

} // namespace het::target
