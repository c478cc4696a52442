// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target whose devices' memory lies beside the host's at the same addresses, as a
// GPU's does: the host can have memory there, too. It runs no kernels. A test can make
// things fail.

#ifndef HET_TEST_MOVEMENT_SHADOW_H
#define HET_TEST_MOVEMENT_SHADOW_H

#include <atomic>
#include <cstdint>

struct ShadowControl {
  std::atomic<int> mapsUntilFailure{-1};   ///< From then on all; less than 0: none.
  std::atomic<int> copiesUntilFailure{-1}; ///< Likewise.
  std::atomic<uint64_t> mappedBytes{0};
};

/// Exported by the device as hetShadowControl.
using ShadowFunction = ShadowControl *(*)();

#endif // HET_TEST_MOVEMENT_SHADOW_H
