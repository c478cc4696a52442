// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events of our own in the words of the target interface.

#ifndef HET_LIB_TARGET_SUPPORT_SOFTWAREQUEUE_H
#define HET_LIB_TARGET_SUPPORT_SOFTWAREQUEUE_H

#include "het/Base/SoftwareQueue.h"
#include "het/Target/TargetABI.h"

#include <cstdint>
#include <memory>

namespace het::target {

using het::Signal;
using het::SoftwareEvent;
using het::SoftwareQueue;

/// Fills in a status and returns its code.
int32_t report(HetStatus *status, int32_t code, const char *message);
inline int32_t success(HetStatus *status) { return report(status, HET_OK, ""); }
int32_t report(HetStatus *status, const Status &result);

} // namespace het::target

/// The ABI's opaque event, for targets that use software queues.
struct HetEvent {
  het::target::SoftwareEvent event;
};

#endif // HET_LIB_TARGET_SUPPORT_SOFTWAREQUEUE_H
