// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A door: the way to a device through one vendor library (OpenCL/, LevelZero/, Vulkan/).
// What launches are, how blocks take turns and what kernels leave behind is the same
// through all doors and stands in this folder; a door places memory, makes code ready,
// copies and starts work-items.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_DOOR_H
#define HET_LIB_TARGET_SPIRV_DEVICE_DOOR_H

#include "het/Target/TargetABI.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace het::spirv {

/// Fills in a status and returns its code.
int32_t report(HetStatus *status, int32_t code, const std::string &message);
int32_t success(HetStatus *status);

/// Where a door is to put memory.
enum class Place {
  Both,  ///< the host and kernels reach it, and kernels' atomics work on it
  Device ///< only kernels and copies need to reach it
};

/// The code of one kernel, as it lies in an artifact.
struct Source {
  std::string name; ///< of the user's kernel
  bool isProgram;   ///< the driver's own form, and not a SPIR-V module
  bool isSegmented;
  const uint8_t *code;
  size_t size;
  size_t constantBytes; ///< of these, at the end: no code, but what it reads (Vulkan)
};

/// A kernel that the driver has made ready. Its door outlives it.
class Code {
public:
  virtual ~Code() = default;

  uint64_t maxThreads = 0; ///< in a group; 0: the driver does not say
  uint64_t localBytes = 0; ///< of one work-item
};

/// The work-items of a launch.
struct Items {
  uint32_t groups[3];
  uint32_t group[3]; ///< work-items in one
};

/// A copy of rows, as of TargetABI.h's enqueueCopyRows.
struct Rows {
  uint64_t to;
  size_t toPitch;
  uint64_t from;
  size_t fromPitch, width, count;
};

/// A queue of the driver, used by one thread at a time. Each function returns when its
/// work is done, with what is wrong, or an empty text.
class Commands {
public:
  virtual ~Commands() = default;

  /// `record` is a HetSpirvLaunch in memory of Place::Both; `sharedBytes` are not asked
  /// for where the kernel is segmented.
  virtual std::string run(Code &code, const void *record, size_t sharedBytes,
                          const Items &items) = 0;
  /// Each side is memory of the device or of the process.
  virtual std::string copy(uint64_t to, uint64_t from, size_t size) = 0;
  /// Rows whose beginnings are a pitch apart; one after the other unless overridden.
  virtual std::string copyRows(const Rows &rows);
  virtual std::string fill(uint64_t to, uint32_t pattern, uint32_t patternBytes,
                           size_t size) = 0;
};

/// One open device. Its functions may be called from any thread; those with a status
/// are as TargetABI.h's functions of the same names.
class Door {
public:
  virtual ~Door() = default;

  virtual int32_t readFacts(HetDeviceProperties &out, HetStatus *status) = 0;
  /// Null where there is none left.
  virtual uint8_t *allocate(size_t bytes, size_t alignment, Place place) = 0;
  virtual void release(uint8_t *memory) = 0;
  /// Whether the host may touch memory of Place::Both that a running kernel uses.
  virtual bool sharesWhileRunning() const { return true; }
  virtual int32_t mapMemory(uint64_t address, uint64_t size, HetStatus *status) = 0;
  virtual int32_t unmapMemory(uint64_t address, uint64_t size, HetStatus *status) = 0;

  // For devices that do not share the host's memory.
  virtual int32_t allocateManaged(uint64_t size, uint64_t *address, HetStatus *status);
  virtual int32_t freeManaged(uint64_t address, HetStatus *status);
  virtual int32_t pinMemory(uint64_t address, uint64_t size, HetStatus *status);
  virtual int32_t unpinMemory(uint64_t address, HetStatus *status);

  virtual std::unique_ptr<Commands> createCommands(HetStatus *status) = 0;
  /// Null with a status where the driver does not take it.
  virtual std::unique_ptr<Code> load(const Source &source, HetStatus *status) = 0;
  /// The driver's own form of a module; empty where it has none.
  virtual int32_t compile(const Source &module, std::vector<uint8_t> &program,
                          HetStatus *status) = 0;

  /// The driver has said that the device is gone.
  bool isLost() const { return lost.load(std::memory_order_relaxed); }

protected:
  std::atomic<bool> lost{false};
};

struct ReleaseMemory {
  Door *door = nullptr;
  void operator()(uint8_t *memory) const { door->release(memory); }
};
/// Memory of a door, which outlives it.
using Memory = std::unique_ptr<uint8_t, ReleaseMemory>;
Memory allocate(Door &door, size_t bytes, Place place = Place::Both);

/// A device that a door leads to.
struct Offer {
  using Identity = std::array<uint8_t, 16>;

  std::string name;
  bool isGPU = false;
  /// The device's UUID, the same through all doors.
  std::optional<Identity> identity;
  /// Null with a status where it can not be opened.
  std::function<std::unique_ptr<Door>(HetStatus *)> open;
};

/// Candidates of a library. `reason` says why one device or all are left out.
struct Offers {
  std::vector<Offer> devices;
  std::string reason;
};
Offers findOffers(HetStatus *status); ///< of all doors; none with a status

/// How many lanes sub-groups are to have, of the sizes that a device has: 32, or the
/// most that divide a team; 0: none. HET_SPIRV_SUBGROUP wants a size for tests.
unsigned chooseSubgroup(const std::vector<size_t> &sizes);

/// Features that a device may lack; a kernel that needs one is refused when it is
/// lowered. And whether a compiler for CPUs makes its code.
struct Features {
  bool hasFP64, hasFP16, hasAtomics64, hasGeneric, isCPU;
  std::string version = "spirv1.3";
  std::string words; ///< More of them, each behind a semicolon.
};

/// "spirv1.3;teams32;nofp64;DRIVER-0123…": what the lowering may use, and what tells
/// drivers and devices apart. `identity` is hashed. HET_SPIRV_FORM=segmented and
/// HET_SPIRV_LACKS=fp64 forbid something for tests; HET_SPIRV_FP64=emulate has 64-bit
/// floating point emulated where it is lacking ("softfp64").
std::string makeArch(unsigned subgroup, const Features &features,
                     const std::string &driver, const std::string &identity);

/// Adds the properties that are the same for all devices; the rest is in `out` already.
void completeFacts(HetDeviceProperties &out, uint64_t localBytes);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_DOOR_H
