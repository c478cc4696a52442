// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device: a chip whose cores run one launch at a time, a block each. A queue is a
// software queue, whose tasks do their work on the chip themselves.

#ifndef HET_LIB_TARGET_TENSIX_DEVICE_TENSIXDEVICE_H
#define HET_LIB_TARGET_TENSIX_DEVICE_TENSIXDEVICE_H

#include "../../Support/SoftwareQueue.h"
#include "Chip.h"
#include "FairMutex.h"
#include "het/DeviceABI/Services.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace het::tensix {

/// Addresses with memory on the chip.
struct Range {
  uint64_t end;
  uint64_t dram;
  /// The host's memory at these addresses is what they are (Mirrors.h).
  bool isMirror;
  bool isOwned; ///< A mirror's: mapped by this device.
};

} // namespace het::tensix

struct HetDevice {
  std::unique_ptr<het::tensix::Chip> chip;
  std::string map; ///< That HET_TENSIX_MAP asks for: blocks, vectors or none.
  bool isSimulated = false;
  uint32_t mostCores = 0;     ///< In a launch.
  uint64_t parksByItself = 0; ///< How often each suspendable launch parks unasked.
  uint64_t patience = 0;      ///< Seconds without progress until a launch is given up.

  std::atomic<bool> parking{false}; ///< Parkable launches are to stop.

  /// Guards the chip; held for short. A launch takes it again and again while it lets
  /// time pass, and others wait for one such turn at most.
  het::tensix::FairMutex chipMutex;
  std::mutex launchMutex; ///< Held by a launch; taken before the others.

  std::mutex constantsMutex; ///< Guards `constants`; taken before memoryMutex.
  std::mutex memoryMutex;    ///< Guards what follows; taken before chipMutex.
  std::map<uint64_t, het::tensix::Range> ranges; ///< By their first address.
  std::map<uint64_t, uint64_t> freeDram;         ///< First address, size.
  uint64_t outputBytes = 1 << 20;                ///< As asked for by setLimit.
  /// Constants of artifacts, by address; guarded by constantsMutex.
  struct Constants {
    uint32_t holders;
    uint64_t bytes;
  };
  std::map<uint64_t, Constants> constants;
  // The current launch's, under launchMutex:
  uint64_t services = 0; ///< Flat address of HetServices; 0: not made yet.
  uint64_t madeOutputBytes = 0;

  std::atomic<int32_t> faultKind{HET_FAULT_NONE};
  std::mutex faultMutex; ///< Guards faultMessage.
  std::string faultMessage;

  /// The first fault stays.
  void fail(int32_t kind, const std::string &message);
  /// Whether the chip can not be reached any more, which is a fault. For who holds
  /// chipMutex.
  bool isLost();
  bool hasFault() const { return faultKind.load(std::memory_order_relaxed); }
};

struct HetQueue {
  HetDevice *device;
  het::target::SoftwareQueue queue; // goes first

  explicit HetQueue(HetDevice *device) : device(device) {}
};

struct HetArtifact {
  HetDevice *device = nullptr;
  HetTensixArtifact header = {};
  std::string name; ///< mangled
  std::vector<uint8_t> image;
  std::vector<uint64_t> variables;
};

namespace het::tensix {

/// Copies between any two of the chip's memory and the host's.
void copy(HetDevice &device, uint64_t to, uint64_t from, size_t bytes);
void fill(HetDevice &device, uint64_t to, uint32_t pattern, uint32_t patternBytes,
          size_t bytes);
/// Puts an artifact's constants where they belong, or finds them there.
int32_t holdConstants(HetDevice &device, uint64_t address, const uint8_t *bytes,
                      uint64_t size, HetStatus *status);
void releaseConstants(HetDevice &device, uint64_t address, uint64_t size);
/// Memory of the device's own; giveMemory is given its address.
int32_t takeMemory(HetDevice &device, uint64_t address, uint64_t size, HetStatus *status);
void giveMemory(HetDevice &device, uint64_t address);
/// Room for HetServices, behind which the output's buffer lies.
constexpr uint64_t servicesBytes = uint64_t(1) << HET_TENSIX_PAGE_SHIFT;
/// Makes HetServices and the output's buffer behind it; false where there is no memory.
bool makeServices(HetDevice &device);
/// Adjacent ranges as one, for cores.
std::vector<HetTensixRange> rangesForCores(HetDevice &device);

/// Where things lie in a core's memory during a launch.
struct Layout {
  uint32_t arguments, variables;
  uint32_t firstPlace, placeBytes, placeCount;
  uint32_t sharedOffset, sharedBytes, dynamicSharedOffset, frameOffset;
  uint64_t
      wanted; ///< Bytes that one block needs; more than there are where placeCount is 0.
};
Layout layOut(const HetArtifact &artifact, uint32_t threads, uint32_t dynamicSharedBytes);

int32_t enqueueLaunch(HetQueue *queue, const HetLaunch *shape, HetStatus *status);
int32_t enqueueParkable(HetQueue *queue, const HetLaunch *shape, HetLaunchState *state,
                        HetStatus *status);

/// Parts of TargetABI.h's table.
void fillInArtifacts(HetDeviceABI &table);
void fillInMemory(HetDeviceABI &table);
void fillInQueues(HetDeviceABI &table);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_DEVICE_TENSIXDEVICE_H
