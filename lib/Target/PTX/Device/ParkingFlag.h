// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flag of a queue, in the device's memory. It is written by copies in a stream beside
// the queue's, which pass by what runs.

#ifndef HET_LIB_TARGET_PTX_DEVICE_PARKINGFLAG_H
#define HET_LIB_TARGET_PTX_DEVICE_PARKINGFLAG_H

#include "DeviceParking.h"
#include "het/DeviceABI/SuspendRecord.h"

namespace het::ptx {

/// To call the driver after a pause takes it 20 µs and more (docs/results/moving.md). So
/// the copy that sets the flag can be *armed*: it is given to the GPU ahead, behind a
/// wait for a word of the host's memory. Whoever sets the flag writes that word; if
/// nobody does, the GPU does it when it is done with what the queue had. So whatever
/// waits for the device waits no longer than for that work.
///
/// But for opening and releasing, calls are made with the device's parking locked.
class ParkingFlag {
public:
  explicit ParkingFlag(const Driver &driver);

  /// Nothing where it is open.
  CUresult open(CUstream queue);
  /// After the queue's work. The first error, of what is tried in any case.
  CUresult release();

  /// HET_SUSPEND_FLAGS copies each; of those that are never set, too.
  CUdeviceptr address() const { return copies.address(); }
  CUdeviceptr neverSet() const { return copies.address() + bytes; }

  /// Whether it has been set since it was cleared; of new memory nobody knows.
  bool isSet() const { return value != 0; }
  CUresult set();
  /// Sets it where that takes no call of the driver; whether it is set now.
  bool setArmed();
  /// Before what the queue is given from now on.
  CUresult clear(CUstream queue);

  /// Prepares `set` until what the queue has been given is done, if that is not so now.
  /// Quietly nothing where the driver can not.
  CUresult arm(CUstream queue);
  /// The queue is done with what it was given.
  void disarm() { isArmed = false; }

private:
  CUresult write(uint32_t value);

  static constexpr size_t bytes = HET_SUSPEND_FLAGS * HET_SUSPEND_FLAG_STRIDE;

  const Driver &driver;
  bool canArm;
  Buffer copies{Buffer::Kind::Device};
  /// Sources of the copies: all 0, all 1, what an armed copy takes; then the word that it
  /// waits for.
  Buffer values{Buffer::Kind::Pinned};
  CUstream beside = nullptr;
  CUevent written = nullptr; ///< behind what was written last by `clear`
  uint32_t value = 1;        ///< as last written
  bool isArmed = false;
  uint32_t number = 0; ///< of the armed copy: it waits until the word has reached it
};

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_DEVICE_PARKINGFLAG_H
