// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals that a kernel's instruction raises are faults of its device; all others belong
// to the program, as if this device had no handlers.

#ifndef HET_LIB_TARGET_HOST_DEVICE_SIGNALS_H
#define HET_LIB_TARGET_HOST_DEVICE_SIGNALS_H

struct HetQueue;

namespace het::host {

struct Guard;

/// The place that a fault of this thread leaves to; null: it runs no kernel.
extern thread_local Guard *guard;

[[noreturn]] void leave();

/// Before a launch is put into a queue: the program may have set handlers of its own
/// since the last one. They stay in force for its own signals. To look costs as much as a
/// small kernel, so that is done where nothing is under way in the queue: a handler that
/// is set while kernels are gets what those do that come without a pause.
void prepareSignals(HetQueue &queue);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_DEVICE_SIGNALS_H
