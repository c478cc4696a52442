// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch's state as the runtime keeps it.

#ifndef HET_TEST_TARGET_CONTRACT_LAUNCHSTATE_H
#define HET_TEST_TARGET_CONTRACT_LAUNCHSTATE_H

#include "Contract.h"

namespace het::contract {

struct LaunchState : HetLaunchState {
  Bytes standing, bytes;

  explicit LaunchState(uint64_t count) : HetLaunchState{}, standing(count) {
    blocks = standing.data();
    blockCount = count;
    resize = [](HetLaunchState *base, uint64_t size) -> int32_t {
      auto *self = static_cast<LaunchState *>(base);
      self->bytes.assign(size, 0xEE);
      self->states = size ? self->bytes.data() : nullptr;
      return 1;
    };
  }
  int standingOf(uint64_t block) const {
    return alike ? static_cast<int>(alike) - 1 : standing[block];
  }
  /// How all blocks stand; -1 where they differ.
  int all() const {
    for (uint64_t block = 0; block < blockCount; ++block)
      if (standingOf(block) != standingOf(0))
        return -1;
    return standingOf(0);
  }
};

} // namespace het::contract

#endif // HET_TEST_TARGET_CONTRACT_LAUNCHSTATE_H
