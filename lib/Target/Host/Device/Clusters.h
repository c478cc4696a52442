// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose blocks are in clusters.

#ifndef HET_LIB_TARGET_HOST_DEVICE_CLUSTERS_H
#define HET_LIB_TARGET_HOST_DEVICE_CLUSTERS_H

#include "Blocks.h"

namespace het::host {

/// Runs all blocks of a launch with a size of clusters.
void runClusters(const Launch &launch);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_DEVICE_CLUSTERS_H
