// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that a launch has blocks, and that these have threads.

#include "LaunchShape.h"

namespace het::target {

/// "5 x 0 x 1"
static std::string text(const uint32_t (&sizes)[3]) {
  return std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " x " +
         std::to_string(sizes[2]);
}

static bool isEmpty(const uint32_t (&sizes)[3]) {
  return !sizes[0] || !sizes[1] || !sizes[2];
}

std::string checkShape(const HetLaunch &launch) {
  if (isEmpty(launch.grid))
    return "a launch: found a grid of " + text(launch.grid) +
           " blocks, expected at least one";
  if (isEmpty(launch.block))
    return "a launch: found blocks of " + text(launch.block) +
           " threads, expected at least one";
  if (launch.cluster[0])
    for (int dim = 0; dim < 3; ++dim)
      if (!launch.cluster[dim] || launch.grid[dim] % launch.cluster[dim])
        return "a launch: found a grid of " + text(launch.grid) +
               " blocks, expected a multiple of its clusters of " + text(launch.cluster);
  return "";
}

} // namespace het::target
