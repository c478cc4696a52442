// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parkable launches. A queue carries out one at a time, and keeps the memory for it. Each
// has a flag of its own: once it is set it stays so until the launch is done, so that no
// more blocks park than there are at once on the device. Flags are written by copies in a
// stream beside the queue's, which pass by what runs.

#ifndef HET_LIB_TARGET_PTX_DEVICE_PARKING_H
#define HET_LIB_TARGET_PTX_DEVICE_PARKING_H

#include "PTXDevice.h"
#include "het/Base/ParkingRecord.h"

namespace het::ptx {

/// What a queue does for its parkable launch.
class QueueParking {
public:
  explicit QueueParking(HetQueue &queue) : queue(queue), device(*queue.device) {}

  /// Puts in all that belongs to the launch. `state` is filled in by finish.
  CUresult enqueue(const HetLaunch &launch, HetLaunchState &state, uint64_t resident);
  /// After the queue's work is done: what has come of the launch, if there is one.
  CUresult finish();
  /// Gives the memory back; after the queue's work.
  void release();

private:
  friend void setParking(HetDevice *, uint32_t);

  CUresult reserve(const HetLaunch &launch, uint64_t resident);
  CUresult carryOut(const HetLaunch &launch);
  CUresult clear(uint64_t padded);
  CUresult fillIn();
  CUresult allow(bool &isAllowed);
  CUresult writeFlag(uint32_t value);
  CUresult clearFlag();
  CUresult copyIn(CUdeviceptr to, const void *from, size_t bytes);
  /// Gives what is at `from`, part by part, to `take(data, bytes)`.
  template <class Take> CUresult copyOut(CUdeviceptr from, size_t bytes, Take take);
  CUresult copyOut(void *to, CUdeviceptr from, size_t bytes);
  CUresult collect();
  CUresult collectStates(const std::vector<uint64_t> &parked, uint64_t used);
  CUresult open();
  CUdeviceptr flags() const { return control.address(); }
  CUdeviceptr counts() const { return control.address() + countsOffset; }
  CUdeviceptr after() const { return control.address() + afterOffset; }

  /// In `control`.
  static constexpr size_t flagBytes = HET_PARKING_FLAGS * HET_PARKING_FLAG_STRIDE,
                          countsOffset = flagBytes, afterOffset = countsOffset + 64;

  /// How many places of how many bytes are free, with so many pcs.
  struct ClearPlaces {
    uint64_t bytes = 0, padded = 0, count = 0;
    bool include(const ClearPlaces &other) const {
      return bytes == other.bytes && padded == other.padded && count >= other.count;
    }
  };

  HetQueue &queue;
  HetDevice &device;
  Buffer control{Buffer::Kind::Device}; ///< flags, the counts, `after`
  Buffer before{Buffer::Kind::Device}, places{Buffer::Kind::Device},
      states{Buffer::Kind::Device};
  ClearPlaces clearPlaces;
  uint64_t clearBlocks = 0; ///< that the counts and `after` are known to be 0 for
  Buffer flagValues{Buffer::Kind::Pinned}; ///< what flags are written from: all 0, all 1
  CUstream beside = nullptr;
  CUevent written = nullptr; ///< behind the flag that was cleared last
  Buffer staging{Buffer::Kind::Pinned};
  size_t staged = 0; ///< of `staging`, in use by copies under way
  uint32_t flagValue = 1; ///< as last written; of new memory nobody knows

  HetLaunchState *state = nullptr; ///< of the launch under way
  /// Of a block's state, between its parts: they begin and end there.
  std::vector<std::pair<uint64_t, uint64_t>> gaps;
  HetParkingRecord record = {};
};

/// Fills in the launch's state where one is done; after waiting for the queue.
void finishParkable(HetQueue &queue);
void fillInParking(HetDeviceABI &table);

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_DEVICE_PARKING_H
