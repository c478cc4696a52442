// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches kernels. The common launch takes no lock and allocates nothing.

#include "Queue.h"
#include "het/DeviceABI/SuspendRecord.h"

namespace het::ptx {
namespace {

/// The form of the kernel for a launch with this record.
CUfunction functionFor(const HetArtifact &kernel, const void *record) {
  auto *parking = static_cast<const HetSuspendRecord *>(record);
  return parking && parking->before && kernel.resumed ? kernel.resumed : kernel.function;
}

/// A kernel that does not wait for the grid in front of it begins when that has ended, so
/// that programs are right which rely on that; so does one whose launches follow each
/// other.
bool beginsEarly(const HetLaunch &launch) {
  return launch.programmatic && !launch.cooperative && launch.artifact->mayBeginEarly();
}

CUresult launchPlain(const Driver &driver, CUstream stream, CUfunction function,
                     const HetLaunch &launch, void **arguments) {
  return driver.cuLaunchKernel(function, launch.grid[0], launch.grid[1], launch.grid[2],
                               launch.block[0], launch.block[1], launch.block[2],
                               launch.dynamicSharedBytes, stream, arguments, nullptr);
}

/// Blocks that run at once, all of them or those of a cluster, and a launch that may
/// begin early.
CUresult launchWithAttributes(const Driver &driver, CUstream stream, CUfunction function,
                              const HetLaunch &launch, void **arguments) {
  CUlaunchAttribute attributes[3] = {};
  unsigned count = 0;
  if (launch.cooperative) {
    attributes[count].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[count++].value.cooperative = 1;
  }
  if (launch.clusterGiven) {
    attributes[count].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[count].value.clusterDim = {launch.cluster[0], launch.cluster[1],
                                          launch.cluster[2]};
    ++count;
  }
  if (beginsEarly(launch)) {
    attributes[count].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attributes[count++].value.programmaticStreamSerializationAllowed = 1;
  }
  CUlaunchConfig config = {};
  for (int axis = 0; axis < 3; ++axis) {
    config.gridDim[axis] = launch.grid[axis];
    config.blockDim[axis] = launch.block[axis];
  }
  config.sharedMemBytes = launch.dynamicSharedBytes;
  config.hStream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  return driver.cuLaunchKernelEx(&config, function, arguments, nullptr);
}

CUresult launchOne(const Driver &driver, CUstream stream, const HetLaunch &launch,
                   void *record) {
  ArgumentPointers arguments(launch, record);
  if (!arguments.areWhole())
    return CUDA_ERROR_INVALID_VALUE;
  const CUfunction function = functionFor(*launch.artifact, record);
  return launch.cooperative || launch.clusterGiven || beginsEarly(launch)
             ? launchWithAttributes(driver, stream, function, launch, arguments.data())
             : launchPlain(driver, stream, function, launch, arguments.data());
}

/// The state of a grid barrier is the code's own, so a launch waits for the one before
/// if that is in another queue.
CUresult launchInTurn(const Driver &driver, HetQueue &queue, const HetLaunch &launch,
                      void *record) {
  HetArtifact &kernel = *launch.artifact;
  std::lock_guard<std::mutex> lock(kernel.mutex);
  if (kernel.latestQueue && kernel.latestQueue != queue.serial)
    if (CUresult result = driver.cuStreamWaitEvent(queue.stream, kernel.latest, 0))
      return result;
  if (CUresult result = launchOne(driver, queue.stream, launch, record))
    return result;
  kernel.latestQueue = queue.serial;
  return driver.cuEventRecord(kernel.latest, queue.stream);
}

/// Needs of the kernel, if the driver says them.
std::string describeKernel(HetArtifact &kernel) {
  std::lock_guard<std::mutex> lock(kernel.mutex);
  if (learnFacts(kernel))
    return "";
  return ", of a kernel with " + std::to_string(kernel.registers) + " registers, " +
         std::to_string(kernel.staticShared) + " bytes of shared memory and at most " +
         std::to_string(kernel.maxThreads) + " threads a block";
}

} // namespace

std::string describe(const HetLaunch &launch) {
  auto shape = [](const uint32_t (&size)[3]) {
    return "(" + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " +
           std::to_string(size[2]) + ")";
  };
  return kernelText(launch.artifact->kernel) + ": grid " + shape(launch.grid) +
         ", block " + shape(launch.block) + ", " +
         std::to_string(launch.dynamicSharedBytes) + " bytes of dynamic shared memory" +
         (launch.cooperative ? ", cooperative" : "") +
         (launch.clusterGiven ? ", clusters " + shape(launch.cluster) : "");
}

int32_t reportLaunch(HetQueue &queue, const HetLaunch &launch, CUresult result,
                     HetStatus *status) {
  switch (result) {
  case CUDA_SUCCESS:
    return success(status);
  case CUDA_ERROR_INVALID_VALUE:
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
  case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
  case CUDA_ERROR_INVALID_CLUSTER_SIZE:
    return report(status, HET_INVALID,
                  describe(launch) + describeKernel(*launch.artifact) + ": " +
                      queue.device->driver.text(result));
  default:
    return queue.device->checkWork(result, &queue, describe(launch).c_str(), status);
  }
}

int32_t allowShared(HetArtifact &artifact, uint32_t bytes, HetStatus *status) {
  HetDevice &device = *artifact.device;
  if (bytes <= artifact.dynamicShared.load(std::memory_order_relaxed))
    return success(status);
  std::lock_guard<std::mutex> lock(artifact.mutex);
  CUresult result = learnFacts(artifact);
  if (result == CUDA_SUCCESS &&
      bytes <= artifact.dynamicShared.load(std::memory_order_relaxed))
    return success(status);
  if (result == CUDA_SUCCESS)
    result = bytes > INT32_MAX ? CUDA_ERROR_INVALID_VALUE : enter(device);
  for (CUfunction function : {artifact.function, artifact.resumed})
    if (result == CUDA_SUCCESS && function)
      result = device.driver.cuFuncSetAttribute(
          function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
          static_cast<int>(bytes));
  if (result == CUDA_SUCCESS)
    artifact.dynamicShared.store(bytes, std::memory_order_relaxed);
  return device.check(
      result, HET_INVALID,
      kernelText(artifact.kernel) + ": found " + std::to_string(artifact.staticShared) +
          " + " + std::to_string(bytes) + " bytes of shared memory, expected at most " +
          std::to_string(device.facts.sharedBytesPerBlockOptIn),
      status);
}

/// The largest cluster that runs on every device with clusters.
static constexpr uint64_t portableClusterBlocks = 8;

/// Lets a kernel have larger ones.
static int32_t allowClusters(HetArtifact &kernel, HetStatus *status) {
  HetDevice &device = *kernel.device;
  CUresult result = enter(device);
  for (CUfunction function : {kernel.function, kernel.resumed})
    if (result == CUDA_SUCCESS && function)
      result = device.driver.cuFuncSetAttribute(
          function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  return device.check(result, HET_INVALID,
                      kernelText(kernel.kernel) + ": clusters of more than " +
                          std::to_string(portableClusterBlocks) + " blocks",
                      status);
}

int32_t prepareLaunch(HetQueue &queue, const HetLaunch &launch, HetStatus *status) {
  HetArtifact &kernel = *launch.artifact;
  if (kernel.device != queue.device)
    return report(status, HET_INVALID,
                  kernelText(kernel.kernel) + ": found one of " + kernel.device->text() +
                      ", expected one of " + queue.device->text());
  if (uint64_t(launch.cluster[0]) * launch.cluster[1] * launch.cluster[2] >
      portableClusterBlocks)
    if (allowClusters(kernel, status) != HET_OK)
      return status->code;
  if (launch.dynamicSharedBytes > kernel.dynamicShared.load(std::memory_order_relaxed))
    return allowShared(kernel, launch.dynamicSharedBytes, status);
  return HET_OK;
}

CUresult launchKernel(HetQueue &queue, const HetLaunch &launch, void *record) {
  HetDevice &device = *queue.device;
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS)
    result = launch.artifact->meetsGrid
                 ? launchInTurn(device.driver, queue, launch, record)
                 : launchOne(device.driver, queue.stream, launch, record);
  if (result == CUDA_SUCCESS)
    queue.latest.store(launch.artifact, std::memory_order_relaxed);
  return result;
}

int32_t enqueueLaunch(HetQueue *queue, const HetLaunch *launch, HetStatus *status) {
  HetDevice &device = *queue->device;
  if (device.hasFault())
    return success(status);
  if (prepareLaunch(*queue, *launch, status) != HET_OK)
    return device.hasFault() ? success(status) : status->code;
  if (launch->artifact->isParkable)
    return report(status, HET_INVALID,
                  kernelText(launch->artifact->kernel) +
                      ": found parkable code, expected some for ordinary launches");
  CUresult result = launchKernel(*queue, *launch, nullptr);
  return result ? reportLaunch(*queue, *launch, result, status) : success(status);
}

} // namespace het::ptx
