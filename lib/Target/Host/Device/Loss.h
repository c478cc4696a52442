// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device that is lost as soon as a file is there: for tests of what a program does then
// (HET_HOST_LOSE=FILE). Of the process's devices, the first that got a suspendable
// launch.

#ifndef HET_LIB_TARGET_HOST_DEVICE_LOSS_H
#define HET_LIB_TARGET_HOST_DEVICE_LOSS_H

#include "HostDevice.h"

namespace het::host {

/// A suspendable launch was given to it.
void noteLaunch(HetDevice &device);
/// It is about to be closed.
void noteClosing(HetDevice &device);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_DEVICE_LOSS_H
