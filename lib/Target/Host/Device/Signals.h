// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals that a kernel's instruction raises are faults of its device; all others belong
// to the program, as if this device had no handlers.

#ifndef HET_LIB_TARGET_HOST_DEVICE_SIGNALS_H
#define HET_LIB_TARGET_HOST_DEVICE_SIGNALS_H

namespace het::host {

struct Guard;

/// The place that a fault of this thread leaves to; null: it runs no kernel.
extern thread_local Guard *guard;

[[noreturn]] void leave();

/// For the beginning of a launch: the program may have set handlers of its own since the
/// last one. They stay in force for its own signals. A handler that is set while a kernel
/// runs gets what that kernel does.
void installHandlers();

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_DEVICE_SIGNALS_H
