// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX device plug-in's own objects, and the functions of its table by file.
//
// A device is the primary context of one GPU. All that calls the driver for a device
// makes its context current first (Device.cpp) and gives every result to
// HetDevice::check or its kin (Fault.cpp), which see when the context has died: from
// then on nothing more is asked of the driver but to release what is held.

#ifndef HET_LIB_TARGET_PTX_DEVICE_PTXDEVICE_H
#define HET_LIB_TARGET_PTX_DEVICE_PTXDEVICE_H

#include "../PTXArtifact.h"
#include "DeviceParking.h"

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

struct HetDevice {
  const het::ptx::Driver &driver;
  CUdevice handle = 0;
  CUcontext context = nullptr;
  uint64_t serial = 0; ///< no other device of the process has or had it; not 0
  uint32_t ordinal = 0;
  HetDeviceProperties facts = {};

  std::atomic<int32_t> faultKind{HET_FAULT_NONE};
  std::mutex mutex; ///< Guards what follows, and unloadArtifact against fail.
  std::string faultMessage;
  std::map<uint64_t, uint64_t> mappings; ///< sizes of what is mapped, by address
  std::vector<HetDevice *> peers; ///< open devices that can reach this one's memory
  std::set<HetQueue *> queues;
  /// By kernel, why the PTX compiler made no cubin: for the message of a driver that can
  /// not compile the text either.
  std::map<std::string, std::string> compilerFailures;

  /// Parts of the window that it has used, by their first address (Window.cpp guards it).
  std::set<uint64_t> windowParts;

  het::ptx::DeviceParking parking;

  explicit HetDevice(const het::ptx::Driver &driver) : driver(driver) {}

  bool hasFault() const {
    return faultKind.load(std::memory_order_acquire) != HET_FAULT_NONE;
  }
  /// Whether the result says that the context is dead: then the device has a fault,
  /// the first of which stays. `queue`: where it was seen, or null.
  bool failed(CUresult result, const HetQueue *queue = nullptr);
  /// Checks a result of waiting and asking: any other error than NOT_READY is a fault,
  /// for nobody knows then whether the work is done.
  void checkWait(CUresult result, const HetQueue *queue = nullptr);
  /// The status of a result: `code` where it is an error, and `what` goes before the
  /// driver's text. An error that is a fault is HET_UNAVAILABLE.
  int32_t check(CUresult result, int32_t code, const std::string &what,
                HetStatus *status);
  /// Checks a result of work for a queue: a fault is not its failure, for work is taken
  /// and not done.
  int32_t checkWork(CUresult result, const HetQueue *queue, const char *what,
                    HetStatus *status);
  /// "device 0 (NVIDIA H200)".
  std::string text() const;

private:
  void setFault(int32_t kind, CUresult result, const HetQueue *queue);
};

struct HetQueue {
  HetDevice *device = nullptr;
  uint64_t serial = 0; ///< no other queue of the process has or had it; not 0
  CUstream stream = nullptr;
  /// The kernel launched last, for a fault's message; null once it is unloaded.
  std::atomic<const HetArtifact *> latest{nullptr};
  std::unique_ptr<het::ptx::QueueParking> parking; ///< since its first suspendable launch

  HetQueue();
  ~HetQueue();
};

struct HetEvent {
  HetDevice *device;
  CUevent event = nullptr;
};

struct HetGraph {
  HetDevice *device;
  CUgraph graph = nullptr; ///< stays, for its nodes are how the other's are named
  CUgraphExec exec = nullptr;

  struct Node {
    CUgraphNode node = nullptr;
    const HetArtifact *kernel = nullptr; ///< null: it is no launch
    bool isNative = false;
    bool isProgrammatic = false; ///< it may begin before one that it depends on has ended
  };
  std::vector<Node> nodes;
};

/// What the vendor's functions have put into a stream that recorded.
struct HetNativeWork {
  HetDevice *device;
  CUgraph graph = nullptr;
  bool isEmpty = false;
  std::mutex mutex;           ///< Guards what follows.
  CUgraphExec exec = nullptr; ///< for queues, since it was first put into one
};

struct HetArtifact {
  HetDevice *device;
  std::string kernel;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUfunction resumed = nullptr; ///< for launches of which blocks have begun; may be null
  uint32_t resumedThreads = 0;  ///< the most that a block of that may have
  std::vector<uint32_t> parameterOffsets; ///< in the packed arguments
  /// Bytes that a launch may ask for as it stands; grows by allowShared.
  std::atomic<uint32_t> dynamicShared{0};

  bool isParkable = false;
  HetParkingInfo parking = {};
  /// Blocks of one warp that a processor holds at once, plus 1; above 32 bits, with how
  /// many bytes of dynamic shared memory. 0: not known.
  std::atomic<uint64_t> resident{0};

  /// It waits for the grids that it depends on, so it may begin before they have ended.
  bool waitsForGrids = false;
  /// Launches of a kernel with grid barriers follow each other.
  bool meetsGrid = false;
  /// Whether launches that may begin early do.
  bool mayBeginEarly() const { return waitsForGrids && !meetsGrid && !isParkable; }
  std::mutex mutex; ///< Guards what follows, and growing dynamicShared.
  /// Asked of the driver by learnFacts, for most launches need none of it.
  bool hasFacts = false;
  uint32_t staticShared = 0, registers = 0, local = 0, maxThreads = 0;
  CUevent latest = nullptr; ///< recorded behind the latest launch
  uint64_t latestQueue = 0; ///< its queue's serial
};

namespace het::ptx {

/// A number that was not given before; from 1.
uint64_t nextSerial();

// Fault.cpp
/// Whether the result means that a context can not be used any more.
bool isFatal(CUresult result);
/// "kernel 'saxpy'"; long names are cut, so that a status has place for what follows.
std::string kernelText(const std::string &name);

// Device.cpp
/// Makes the device's context the calling thread's; nothing where it is already.
CUresult enter(const HetDevice &device);
int32_t probe(uint32_t *count, HetStatus *);
int32_t open(uint32_t ordinal, HetDevice **, HetStatus *);
void close(HetDevice *);
int32_t properties(HetDevice *, HetDeviceProperties *, HetStatus *);
int32_t setLimit(HetDevice *, uint32_t limit, uint64_t value, HetStatus *);

// Properties.cpp
/// Asks the driver for all that TargetABI.h has a field for.
CUresult queryProperties(const Driver &driver, CUdevice device, HetDeviceProperties &out);
/// The newest PTX that both the driver and the lowering know: 84 is 8.4.
int ptxVersion(int driverVersion);

// Peers.cpp
/// Lets `device` and the open devices that can reach it know of each other; false
/// where a device of this ordinal is open.
bool addOpenDevice(HetDevice &device);
void removeOpenDevice(HetDevice &device);
/// Lets the device's peers reach a range of its memory, as far as that goes.
void sharePeers(HetDevice &device, uint64_t address, uint64_t size);

// Window.cpp
/// "0x100000000000".
std::string hex(uint64_t address);
/// Reserves the parts of the window that hold a range, if no device has done that yet.
int32_t useWindow(HetDevice &device, uint64_t address, uint64_t size, HetStatus *);
/// Gives back those that no other device uses. Nothing of this one is mapped there.
void leaveWindow(HetDevice &device);

// Memory.cpp
int32_t mapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *);
int32_t unmapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *);
/// Takes away what a fault kept unmapMemory from, and the reserved addresses; after
/// the context is gone.
void unmapRest(HetDevice &device);
int32_t allocateManaged(HetDevice *, uint64_t size, uint64_t *address, HetStatus *);
int32_t freeManaged(HetDevice *, uint64_t address, HetStatus *);
int32_t pinMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *);
int32_t unpinMemory(HetDevice *, uint64_t address, HetStatus *);

// Texture.cpp
int32_t createTexture(HetDevice *, const HetTexture *, uint64_t *handle, HetStatus *);
void destroyTexture(HetDevice *, uint64_t handle);

// Queue.cpp
void fillInQueues(HetDeviceABI &table);
// Event.cpp
void fillInEvents(HetDeviceABI &table);
// Launch.cpp
int32_t enqueueLaunch(HetQueue *, const HetLaunch *, HetStatus *);
/// Describes a launch: its kernel and shape.
std::string describe(const HetLaunch &launch);
/// Lets launches of the kernel have this much dynamic shared memory.
int32_t allowShared(HetArtifact &artifact, uint32_t bytes, HetStatus *status);
/// Does what comes before a launch of a kernel in a queue; an error where it can not be.
int32_t prepareLaunch(HetQueue &queue, const HetLaunch &launch, HetStatus *status);
/// Puts one in; `record` (if not null) is a suspendable kernel's last argument.
CUresult launchKernel(HetQueue &queue, const HetLaunch &launch, void *record);
/// The status of it.
int32_t reportLaunch(HetQueue &queue, const HetLaunch &launch, CUresult result,
                     HetStatus *status);

// Graph.cpp
void fillInGraphs(HetDeviceABI &table);

// NativeWork.cpp
void fillInNativeWork(HetDeviceABI &table);

// Container.cpp
/// An artifact's parts, which lie in its bytes.
struct Container {
  HetPtxArtifact header;
  std::vector<uint32_t> parameterOffsets;
  std::string kernel;
  const uint8_t *code;
};
/// False with a status where the bytes are not a whole artifact.
bool readContainer(const uint8_t *data, size_t size, Container &out, HetStatus *status);

// Variables.cpp
/// Writes the addresses into a whole cubin; false where it has no place for them.
bool setVariablesInImage(uint8_t *cubin, const uint64_t *variables, size_t count);
/// Whether a whole cubin calls functions of the driver's whose memory setLimit sets: it
/// may do so only until the first such kernel is loaded.
bool takesLimitedMemory(const uint8_t *cubin);

// Artifact.cpp
/// Asks the driver what the kernel is, once; with the artifact's mutex held.
CUresult learnFacts(HetArtifact &artifact);
void fillInArtifacts(HetDeviceABI &table);

// Finish.cpp
int32_t finishArtifact(HetDevice *, const uint8_t *data, size_t size, HetLowering *,
                       HetStatus *);
void releaseFinished(HetLowering *);

// Architecture.cpp
int32_t rankArch(HetDevice *, const char *arch, uint32_t *rank, HetStatus *);

/// The options by which the driver's compiler writes into buffers of ours; they must
/// outlive what was made with them. Lines of the source are kept for code that has them.
class CompilerLog {
public:
  explicit CompilerLog(const Container &container);
  int *options() { return names; }
  void **optionValues() { return values; }
  unsigned count() const { return hasLineInfo ? 6 : 5; }
  /// The compiler's messages, errors first, cut to what a status holds.
  std::string text() const;

private:
  char errors[4096] = {}, notes[1024] = {};
  bool hasLineInfo;
  int names[6];
  void *values[6];
};

/// The status of a failed compilation or loading of code.
int32_t reportCode(HetDevice &device, CUresult result, const std::string &kernel,
                   const CompilerLog &log, HetStatus *status);

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_DEVICE_PTXDEVICE_H
