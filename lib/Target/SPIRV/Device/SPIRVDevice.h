// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V device over OpenCL: what its parts share. Its kernels reach all memory of
// the process at the process's addresses, so device memory is the process's own, and
// copies are the host's. A queue is a software queue whose launches wait for OpenCL.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_SPIRVDEVICE_H
#define HET_LIB_TARGET_SPIRV_DEVICE_SPIRVDEVICE_H

#include "../../Support/SoftwareQueue.h"
#include "../SPIRVArtifact.h"
#include "OpenCL.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

/// clSetKernelArgMemPointerINTEL: an argument that points to memory of the process.
using SetPointerArgument = het::spirv::cl_int (*)(het::spirv::cl_kernel,
                                                  het::spirv::cl_uint, const void *);

namespace het::spirv {

struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};
/// Of aligned_alloc.
using Memory = std::unique_ptr<uint8_t, FreeMemory>;
Memory allocate(size_t bytes, size_t alignment);

} // namespace het::spirv

struct HetDevice {
  const het::spirv::OpenCL &cl;
  het::spirv::Candidate candidate;
  het::spirv::cl_context context = nullptr;
  SetPointerArgument setPointer = nullptr;
  HetDeviceProperties facts = {};
  std::atomic<uint64_t> outputBytes{1 << 20}; ///< of each queue, from its next launch
  HetSpirvHeap heap = {};
  uint64_t heapLimit = 8 << 20; ///< until the heap is there; guarded by the mutex
  std::atomic<int32_t> faultKind{HET_FAULT_NONE};
  std::mutex mutex; ///< guards faultMessage and the heap's making
  std::string faultMessage;

  explicit HetDevice(const het::spirv::OpenCL &cl) : cl(cl) {}
  ~HetDevice();
  /// The first fault stays.
  void fail(int32_t kind, const std::string &message);
  bool hasFault() const { return faultKind.load(std::memory_order_relaxed); }
  HetSpirvHeap *getHeap();
};

struct HetQueue {
  HetDevice *device;
  het::spirv::cl_command_queue commands = nullptr;
  /// Only the queue's tasks touch these.
  HetSpirvServices services = {};
  het::spirv::Memory output;
  het::target::SoftwareQueue queue; // goes first: its tasks use the others

  explicit HetQueue(HetDevice *device) : device(device) {}
};

struct HetArtifact {
  HetDevice *device = nullptr;
  HetSpirvArtifact header = {};
  std::string name; ///< mangled
  het::spirv::cl_program program = nullptr;
  het::spirv::cl_kernel kernel = nullptr;
  std::mutex mutex; ///< arguments are set and the kernel enqueued under it
  std::vector<uint64_t> variables;
  uint64_t maxThreads = 0, localBytes = 0;

  bool isSegmented() const { return header.flags & HET_SPIRV_SEGMENTED; }
};

namespace het::spirv {

/// A launch with its arguments copied.
struct Launch {
  HetQueue *queue;
  HetArtifact *artifact;
  HetLaunch shape;
  std::vector<uint8_t> arguments;

  uint64_t blocks() const {
    return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  }
  uint32_t threads() const {
    return shape.block[0] * shape.block[1] * shape.block[2];
  }
  size_t sharedBytes() const; ///< of the kernel's own objects
  size_t scratchBytes() const;
};

/// Runs a launch to its end, or until its device has a fault.
void runLaunch(const Launch &launch);
/// Starts `items` work-items of the kernel and waits for them; false after a fault.
bool runItems(const Launch &launch, HetSpirvLaunch &record, const size_t (&items)[3],
              const size_t (&group)[3], size_t sharedBytes);
/// The blocks of a segmented kernel.
void runSegmented(const Launch &launch, HetSpirvLaunch &record);
/// Reads what the kernel has left: its output, its assertions, its fault.
void collectServices(HetQueue &queue, const std::string &kernel);

void readFacts(HetDevice &device);
int32_t enqueueLaunch(HetQueue *queue, const HetLaunch *shape, HetStatus *status);

/// Parts of TargetABI.h's table.
void fillInArtifacts(HetDeviceABI &table);
void fillInQueues(HetDeviceABI &table);
void fillInMemory(HetDeviceABI &table);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_SPIRVDEVICE_H
