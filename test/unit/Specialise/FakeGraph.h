// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake target's graphs, and what a test sees of them.

#ifndef HET_TEST_SPECIALISE_FAKEGRAPH_H
#define HET_TEST_SPECIALISE_FAKEGRAPH_H

#include "het/Target/TargetABI.h"

#include <string>

struct GraphCounts {
  int made = 0, alive = 0, enqueued = 0;
  int set = 0;        ///< Launches that were changed.
  std::string latest; ///< Each node's kind and dependencies: "fill;launch 0;".
};

/// Exported by the device as hetFakeGraphs.
using FakeGraphs = GraphCounts *(*)();

/// The table must stay.
void fillInFakeGraphs(HetDeviceABI &table);

#endif // HET_TEST_SPECIALISE_FAKEGRAPH_H
