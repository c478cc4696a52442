// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parkable launches. A queue has a flag: once it is set it stays so until all launches
// under way are done, so that no more blocks park than there are at once on the device,
// and nothing begins behind a launch that parks. So the queue has several launches under
// way, but memory for the states of one.

#ifndef HET_LIB_TARGET_PTX_DEVICE_PARKING_H
#define HET_LIB_TARGET_PTX_DEVICE_PARKING_H

#include "PTXDevice.h"
#include "ParkingFlag.h"

#include <array>

namespace het::ptx {

/// A queue's part in suspending its launches.
class QueueParking {
public:
  explicit QueueParking(HetQueue &queue)
      : queue(queue), device(*queue.device), flag(device.driver) {}

  /// Puts in all that belongs to the launch. `state` is filled in by finish.
  CUresult enqueue(const HetLaunch &launch, HetLaunchState &state, uint64_t resident);
  /// After the queue's work is done: what has come of the launch, if there is one.
  CUresult finish();
  /// Before waiting for the queue: so that launches under way stop at once when they are
  /// to.
  void prepareToStop();
  /// Gets what the first launch would have to wait for.
  CUresult open();
  /// Gives the memory back; after the queue's work.
  void release();

private:
  friend void setParking(HetDevice *, uint32_t);

  /// A launch under way.
  struct UnderWay {
    HetLaunchState *state = nullptr;
    bool isFresh = false; ///< no block had begun
    HetSuspendRecord record = {};
    CUdeviceptr control = 0;  ///< its part of `controls`
    uint64_t clearBlocks = 0; ///< that the counts and `after` are known to be 0 for
    /// Gaps between the parts of a block's state: where they begin and end.
    std::vector<std::pair<uint64_t, uint64_t>> gaps;

    CUdeviceptr counts() const { return control; }
    CUdeviceptr after() const { return control + afterOffset; }
  };

  bool joins(const HetLaunch &launch, const HetLaunchState &given, bool isFresh,
             uint64_t resident);
  CUresult reserve(UnderWay &own, const HetLaunch &launch, uint64_t resident);
  static uint64_t controlFor(uint64_t blocks);
  CUresult reserveControls(uint64_t blocks);
  CUresult reserveStates(uint64_t bytes);
  CUresult carryOut(UnderWay &own, const HetLaunch &launch);
  CUresult clear(UnderWay &own, uint64_t padded);
  CUresult fillIn(UnderWay &own);
  CUresult allow(bool &isAllowed);
  CUresult copyIn(CUdeviceptr to, const void *from, size_t bytes);
  /// Gives what is at `from`, part by part, to `take(data, bytes)`.
  template <class Take> CUresult copyOut(CUdeviceptr from, size_t bytes, Take take);
  CUresult copyOut(void *to, CUdeviceptr from, size_t bytes);
  CUresult collect(UnderWay &own);
  CUresult collectStates(UnderWay &own, const std::vector<uint64_t> &parked,
                         uint64_t used);

  static constexpr size_t afterOffset = 64, ///< in UnderWay::control
      mostUnderWay = 16, mostControlBytes = size_t(64) << 20;

  /// How many places of how many bytes are free, with so many pcs.
  struct ClearPlaces {
    uint64_t bytes = 0, padded = 0, count = 0;
    bool include(const ClearPlaces &other) const {
      return bytes == other.bytes && padded == other.padded && count >= other.count;
    }
  };

  HetQueue &queue;
  HetDevice &device;
  ParkingFlag flag;
  bool isOpen = false;
  Buffer before{Buffer::Kind::Device}, places{Buffer::Kind::Device},
      states{Buffer::Kind::Device};
  ClearPlaces clearPlaces;
  Buffer staging{Buffer::Kind::Pinned};
  size_t staged = 0; ///< of `staging`, in use by copies under way

  Buffer controls{Buffer::Kind::Device}; ///< a part for each launch
  uint64_t controlBytes = 0;             ///< of a part
  size_t controlParts = 0;

  std::array<UnderWay, mostUnderWay> launches; ///< the first `count`, in their order
  size_t count = 0;
};

/// Fills in the launch's state where one is done; after waiting for the queue.
void finishParkable(HetQueue &queue);
void fillInParking(HetDeviceABI &table);

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_DEVICE_PARKING_H
