// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host device: what its parts share. A launch's blocks run on the threads of one
// pool for the whole process; each thread has memory of its own for the block it runs.

#ifndef HET_LIB_TARGET_HOST_DEVICE_HOSTDEVICE_H
#define HET_LIB_TARGET_HOST_DEVICE_HOSTDEVICE_H

#include "../../Support/SoftwareQueue.h"
#include "../HostABI.h"
#include "Memory.h"

#include <atomic>
#include <csetjmp>
#include <mutex>
#include <string>
#include <vector>

/// One device of the host; `host,host` makes two.
struct HetDevice {
  uint32_t ordinal = 0;
  std::atomic<int32_t> faultKind{HET_FAULT_NONE};
  std::mutex mutex; ///< Guards faultMessage.
  std::string faultMessage;
  std::atomic<uint32_t> parking{0}; ///< Not 0: blocks of suspendable launches stop.

  /// As kernels look at it.
  const uint32_t *parkingFlag() const {
    static_assert(sizeof(parking) == sizeof(uint32_t));
    return reinterpret_cast<const uint32_t *>(&parking);
  }
  /// The first fault stays.
  void fail(int32_t kind, const std::string &message);
};

struct HetQueue {
  explicit HetQueue(HetDevice &device) : device(&device) {}

  HetDevice *device;
  het::target::SoftwareQueue queue;
};

struct HetArtifact {
  HetDevice *device = nullptr;
  void *library = nullptr; ///< of dlopen
  const HetHostKernel *kernel = nullptr;
  std::vector<void *> variables;
};

namespace het::host {

/// A launch with its arguments copied.
struct Launch {
  HetDevice *device;
  const HetArtifact *artifact;
  HetLaunch shape;
  Memory arguments;
  uint32_t pollInterval = 0; ///< For a suspendable launch.
  /// How often a block of it has been suspended by itself (HET_HOST_PARK).
  mutable std::atomic<uint64_t> parksByItself{0};

  /// Null where there is no memory for it.
  static std::shared_ptr<Launch> create(HetDevice &device, const HetLaunch &shape);
  /// Throws std::bad_alloc.
  Launch(HetDevice &device, const HetLaunch &shape);
  uint64_t blocks() const {
    return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  }
  uint32_t threads() const { return shape.block[0] * shape.block[1] * shape.block[2]; }
  /// Whole teams of them.
  size_t paddedThreads() const { return (size_t(threads()) + 31) / 32 * 32; }
  size_t sharedBytes() const;
  size_t frameBytes() const;
};

class Parking;

/// Runs a launch to its end, or until its device parks or has a fault. `parking`: of a
/// launch that is suspendable.
void runLaunch(const Launch &launch, Parking *parking = nullptr);

/// The functions that kernels call.
const HetHostServices &services();

/// The block's place to go when a kernel can not go on; see Services.cpp.
struct Guard {
  sigjmp_buf place;
  HetDevice *device;
  /// The signal that ended the block, and its address; 0: none did.
  volatile int signal = 0;
  void *volatile address = nullptr;
};

/// Runs a block and turns what goes wrong in it into a fault of its device. Returns
/// what `run` returns, the kernel's or its `resume`, or HET_HOST_ENDED after a fault.
uint32_t runGuarded(HetDevice &device, const HetHostKernel &kernel,
                    uint32_t (*run)(HetHostBlock *, uint32_t), HetHostBlock &block,
                    uint32_t pc);

/// TargetABI.h's.
int32_t rankArch(HetDevice *, const char *arch, uint32_t *rank, HetStatus *status);

/// How many threads run blocks: HET_HOST_THREADS, else all cores.
unsigned threadCount();
/// The same read anew, or what is wrong with HET_HOST_THREADS.
Result<uint64_t> readThreadCount();

/// Calls `work(index)` for all indices below `count`, in about that order, on the
/// threads of the pool and this one; returns when all are done.
void parallelFor(uint64_t count, const std::function<void(uint64_t)> &work);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_DEVICE_HOSTDEVICE_H
