// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch's state while the launch is carried out: which blocks have ended or been
// suspended, and the states of those that have (docs/spec/target-abi.md, Parking).

#ifndef HET_LIB_TARGET_SUPPORT_PARKEDBLOCKS_H
#define HET_LIB_TARGET_SUPPORT_PARKEDBLOCKS_H

#include "het/DeviceABI/BlockStateLayout.h"
#include "het/Target/TargetABI.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace het::target {

/// Layout of a block's state in a launch of a kernel.
BlockStateLayout stateLayout(const HetParkingInfo &kernel, const HetLaunch &launch);

/// Fault of a state that is to be resumed; empty: none.
std::string checkLaunchState(const HetLaunchState &state, const HetParkingInfo &kernel,
                             const HetLaunch &launch);

/// How much work its kernel does between polls: `usual` unless it is given.
inline uint32_t pollInterval(HetLaunchState &state,
                             uint32_t usual = HET_USUAL_POLL_INTERVAL) {
  if (!state.pollInterval)
    state.pollInterval = usual;
  return state.pollInterval;
}

/// Lets `blocks` say how each block stands.
void spread(HetLaunchState &state);

/// Each block is one thread's at a time.
class ParkedBlocks {
public:
  /// A state that was checked; it stays until this goes.
  ParkedBlocks(HetLaunchState &state, uint64_t stateBytes);

  uint8_t standOf(uint64_t block) const { return state.blocks[block]; }
  /// The blocks whose states were given, in order.
  const std::vector<uint64_t> &parkedBefore() const { return before; }
  /// The state that was given of a suspended block.
  const uint8_t *given(uint64_t block) const;

  void end(uint64_t block) { state.blocks[block] = HET_BLOCK_ENDED; }
  /// Where to put the state of a block that has been suspended.
  uint8_t *park(uint64_t block);

  /// Puts what was noted into the launch's state, after the last block; false where there
  /// is no memory.
  bool finish();

private:
  HetLaunchState &state;
  const uint64_t stateBytes;
  std::vector<uint64_t> before;
  std::mutex mutex;
  std::map<uint64_t, std::vector<uint8_t>> now; ///< Guarded by the mutex.
};

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_PARKEDBLOCKS_H
