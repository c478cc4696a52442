// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of a launch for devices that have no driver to make them.

#ifndef HET_LIB_TARGET_SUPPORT_LAUNCHSHAPE_H
#define HET_LIB_TARGET_SUPPORT_LAUNCHSHAPE_H

#include "het/Target/TargetABI.h"

#include <string>

namespace het::target {

/// Fault of a launch's shape; empty: it has blocks, and they have threads.
std::string checkShape(const HetLaunch &launch);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LAUNCHSHAPE_H
