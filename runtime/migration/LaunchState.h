// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch's state, as targets see it, with the memory that it is in.

#ifndef HET_RUNTIME_MIGRATION_LAUNCHSTATE_H
#define HET_RUNTIME_MIGRATION_LAUNCHSTATE_H

#include "het/Target/TargetABI.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <unistd.h>
#include <utility>

namespace het::core {

class LaunchState : public HetLaunchState {
public:
  /// State of a launch that has not begun.
  explicit LaunchState(uint64_t count)
      : LaunchState(count, std::unique_ptr<uint8_t[]>(new uint8_t[count])) {}

  /// Likewise, with a number of blocks that a file has given; null where there is not the
  /// memory for them.
  static std::unique_ptr<LaunchState> make(uint64_t count) {
    const uint64_t physical =
        uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
    std::unique_ptr<uint8_t[]> standing(
        count < physical / 2 ? new (std::nothrow) uint8_t[count] : nullptr);
    if (!standing)
      return nullptr;
    return std::unique_ptr<LaunchState>(new LaunchState(count, std::move(standing)));
  }

  LaunchState(const LaunchState &) = delete;
  LaunchState &operator=(const LaunchState &) = delete;

private:
  LaunchState(uint64_t count, std::unique_ptr<uint8_t[]> given)
      : HetLaunchState{}, standing(std::move(given)) {
    blocks = standing.get();
    blockCount = count;
    alike = HET_BLOCK_UNSTARTED + 1;
    resize = [](HetLaunchState *base, uint64_t bytes) -> int32_t {
      return static_cast<LaunchState *>(base)->makeRoom(bytes);
    };
  }

public:
  uint64_t number(uint8_t stand) const {
    if (alike)
      return alike == stand + 1u ? blockCount : 0;
    return std::count(blocks, blocks + blockCount, stand);
  }
  bool hasBegun() const { return number(HET_BLOCK_UNSTARTED) != blockCount; }
  bool hasEnded() const { return number(HET_BLOCK_ENDED) == blockCount; }
  /// Without a target that could do it.
  void end() { alike = HET_BLOCK_ENDED + 1; }

private:
  struct Free {
    void operator()(uint8_t *given) const { std::free(given); }
  };

  /// New pages are slow: so what there is serves again where it is large enough.
  int32_t makeRoom(uint64_t bytes) {
    if (bytes > capacity || !bytes) {
      memory.reset(); // first, as both may be large
      if (bytes)
        memory.reset(static_cast<uint8_t *>(std::malloc(bytes)));
      capacity = memory ? bytes : 0;
    }
    states = memory.get();
    return !bytes || states;
  }

  std::unique_ptr<uint8_t[]> standing;
  std::unique_ptr<uint8_t, Free> memory;
  uint64_t capacity = 0; ///< Bytes.
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_LAUNCHSTATE_H
