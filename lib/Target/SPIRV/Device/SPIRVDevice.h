// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V device: what its parts share. A queue is a software queue, whose tasks go
// through the device's door and wait there.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_SPIRVDEVICE_H
#define HET_LIB_TARGET_SPIRV_DEVICE_SPIRVDEVICE_H

#include "../../Support/ParkedBlocks.h"
#include "../../Support/SoftwareQueue.h"
#include "../SPIRVArtifact.h"
#include "Door.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct HetDevice {
  const std::unique_ptr<het::spirv::Door> door; // goes last
  HetDeviceProperties facts = {};
  std::atomic<uint64_t> outputBytes{1 << 20}; ///< of each queue, from its next launch
  std::atomic<int32_t> faultKind{HET_FAULT_NONE};
  std::mutex mutex; ///< guards faultMessage
  std::string faultMessage;

  std::atomic<uint32_t> parking{0}; ///< not 0: launches are to park
  std::once_flag hasParkingFlag;
  het::spirv::Memory parkingFlag; ///< a u32, the same for kernels that run

  std::once_flag hasWideLock;
  het::spirv::Memory wideLock; ///< HetServices' one

  explicit HetDevice(std::unique_ptr<het::spirv::Door> door) : door(std::move(door)) {}
  /// The first fault stays.
  void fail(int32_t kind, const std::string &message);
  bool hasFault() const { return faultKind.load(std::memory_order_relaxed); }
  /// Passes on the result of a door's function; a device that is gone is a fault from now
  /// on.
  int32_t check(int32_t code, const HetStatus *status);
  /// The address of wideLock, which is made if it is not there; 0 after a fault.
  uint64_t getWideLock(het::spirv::Commands &commands);
};

struct HetQueue {
  HetDevice *device;
  /// Only the queue's tasks touch these.
  std::unique_ptr<het::spirv::Commands> commands;
  het::spirv::Memory services; ///< a HetServices
  het::spirv::Memory output;
  het::spirv::Memory record; ///< a HetSpirvLaunch, arguments, variables
  uint64_t outputBytes = 0, recordBytes = 0;
  het::target::SoftwareQueue queue; // goes first: its tasks use the others

  explicit HetQueue(HetDevice *device) : device(device) {}
  HetServices &left() { return *reinterpret_cast<HetServices *>(services.get()); }
};

struct HetArtifact {
  HetDevice *device = nullptr;
  HetSpirvArtifact header = {};
  std::string name; ///< mangled
  std::unique_ptr<het::spirv::Code> code;
  std::vector<uint64_t> variables;
  uint64_t maxThreads = 0;

  bool isSegmented() const { return header.flags & HET_SPIRV_SEGMENTED; }
  bool parksInside() const { return header.layout != 0; }
  HetParkingInfo parking() const {
    return {header.layout, header.stateBytes, header.staticSharedBytes, 0};
  }
};

namespace het::spirv {

/// TargetABI.h's.
int32_t rankArch(HetDevice *, const char *arch, uint32_t *rank, HetStatus *);

/// A launch with its arguments copied.
struct Launch {
  HetQueue *queue;
  HetArtifact *artifact;
  HetLaunch shape;
  std::vector<uint8_t> arguments;
  uint32_t pollInterval = 0; ///< For a suspendable launch.

  uint64_t blocks() const {
    return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  }
  uint32_t threads() const { return shape.block[0] * shape.block[1] * shape.block[2]; }
  size_t sharedBytes() const; ///< of the kernel's own objects
  size_t scratchBytes() const;
};

/// Runs a launch to its end, or until its device parks or has a fault. `parked` is null
/// where it can not be suspended.
void runLaunch(const Launch &launch, target::ParkedBlocks *parked);
/// Starts work-items of the kernel and waits for them; false after a fault.
bool runItems(const Launch &launch, const HetSpirvLaunch &record, const Items &items,
              size_t sharedBytes);
/// The blocks of a segmented kernel.
void runSegmented(const Launch &launch, HetSpirvLaunch &record,
                  target::ParkedBlocks *parked);
/// Likewise, of a launch with clusters.
void runClusters(const Launch &launch, HetSpirvLaunch &record);
/// Reads what the kernel has left: its output, its assertions, its fault.
void collectServices(HetQueue &queue, const std::string &kernel);

int32_t enqueueLaunch(HetQueue *queue, const HetLaunch *shape, HetStatus *status);
/// Null with a status where it can not be carried out.
std::shared_ptr<Launch> makeLaunch(HetQueue *queue, const HetLaunch *shape,
                                   HetStatus *status);

/// Parts of TargetABI.h's table.
void fillInArtifacts(HetDeviceABI &table);
void fillInQueues(HetDeviceABI &table);
void fillInMemory(HetDeviceABI &table);
void fillInParking(HetDeviceABI &table);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_SPIRVDEVICE_H
