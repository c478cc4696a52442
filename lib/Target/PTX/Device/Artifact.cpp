// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading kernels. Under the driver's lazy loading a kernel is brought to the device by
// cuModuleGetFunction, so no launch does it.

#include "PTXDevice.h"
#include "het/DeviceABI/SuspendRecord.h"

#include <algorithm>
#include <climits>
#include <memory>

namespace het::ptx {
namespace {

int32_t reportKernel(HetArtifact &artifact, CUresult result, int32_t code,
                     const std::string &what, HetStatus *status) {
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    code = HET_UNAVAILABLE;
  return artifact.device->check(result, code, kernelText(artifact.kernel) + ": " + what,
                                status);
}

/// Addresses of a kernel's variables.
struct Addresses {
  const uint64_t *data;
  size_t count;
};

/// The alignment of code for the driver, which the artifact's bytes need not have.
std::vector<uint64_t> aligned(const Container &container) {
  std::vector<uint64_t> code((container.header.codeBytes + 7) / 8);
  std::copy_n(container.code, container.header.codeBytes,
              reinterpret_cast<uint8_t *>(code.data()));
  return code;
}

/// Also sets the variables, where that is done in a cubin: then `variables` is empty.
int32_t loadModule(HetArtifact &artifact, const Container &container,
                   Addresses &variables, HetStatus *status) {
  HetDevice &device = *artifact.device;
  const bool isText = container.header.form == HET_PTX_TEXT;
  std::vector<uint64_t> code = aligned(container);
  if (!isText && variables.count &&
      setVariablesInImage(reinterpret_cast<uint8_t *>(code.data()), variables.data,
                          variables.count))
    variables.count = 0;
  CompilerLog log(container);
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS) // a cubin is not compiled
    result = device.driver.cuModuleLoadDataEx(
        &artifact.module, code.data(), isText ? log.count() : 0,
        isText ? log.options() : nullptr, isText ? log.optionValues() : nullptr);
  return result ? reportCode(device, result, artifact.kernel, log, status)
                : success(status);
}

int32_t findFunctions(HetArtifact &artifact, HetStatus *status) {
  const Driver &driver = artifact.device->driver;
  CUresult result = driver.cuModuleGetFunction(&artifact.function, artifact.module,
                                               artifact.kernel.c_str());
  if (result == CUDA_SUCCESS && artifact.parking.layout)
    result = driver.cuModuleGetFunction(&artifact.resumed, artifact.module,
                                        (artifact.kernel + HET_SUSPEND_RESUME).c_str());
  int threads = 0;
  if (result == CUDA_SUCCESS && artifact.resumed)
    result = driver.cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                       artifact.resumed);
  artifact.resumedThreads = threads;
  if (result)
    return reportKernel(artifact, result,
                        result == CUDA_ERROR_OUT_OF_MEMORY ? HET_UNAVAILABLE
                                                           : HET_INVALID,
                        "finding it in its code", status);
  return success(status);
}

/// The copy must have come before a kernel of any stream reads it.
int32_t setVariables(HetArtifact &artifact, const Addresses &variables,
                     HetStatus *status) {
  const size_t count = variables.count;
  const Driver &driver = artifact.device->driver;
  CUdeviceptr address = 0;
  size_t bytes = 0;
  CUresult result =
      driver.cuModuleGetGlobal(&address, &bytes, artifact.module, HET_PTX_VARIABLES);
  if (result == CUDA_ERROR_NOT_FOUND)
    return report(status, HET_INVALID,
                  "artifact: found no " HET_PTX_VARIABLES ", expected it");
  if (result == CUDA_SUCCESS && bytes < count * sizeof(uint64_t))
    return report(status, HET_INVALID,
                  "artifact: found " + std::to_string(bytes) +
                      " bytes of " HET_PTX_VARIABLES ", expected " +
                      std::to_string(count * sizeof(uint64_t)));
  if (result == CUDA_SUCCESS)
    result = driver.cuMemcpyHtoD(address, variables.data, count * sizeof(uint64_t));
  if (result == CUDA_SUCCESS)
    result = driver.cuStreamSynchronize(nullptr);
  return reportKernel(artifact, result, HET_UNAVAILABLE, "setting its variables", status);
}

int32_t prepareTurns(HetArtifact &artifact, HetStatus *status) {
  CUresult result =
      artifact.device->driver.cuEventCreate(&artifact.latest, CU_EVENT_DISABLE_TIMING);
  return reportKernel(artifact, result, HET_UNAVAILABLE, "an event", status);
}

void releaseParts(HetArtifact &artifact) {
  HetDevice &device = *artifact.device;
  enter(device);
  if (artifact.latest)
    device.failed(device.driver.cuEventDestroy(artifact.latest));
  if (artifact.module)
    device.failed(device.driver.cuModuleUnload(artifact.module));
}

int32_t loadArtifact(HetDevice *device, const uint8_t *data, size_t size,
                     const uint64_t *variables, size_t variableCount, HetArtifact **out,
                     HetStatus *status) {
  Container container;
  if (!readContainer(data, size, container, status))
    return status->code;
  if (container.header.variableCount != variableCount)
    return report(status, HET_INVALID,
                  "artifact: found a kernel of " +
                      std::to_string(container.header.variableCount) +
                      " variables, expected " + std::to_string(variableCount));
  auto artifact = std::make_unique<HetArtifact>();
  artifact->device = device;
  artifact->kernel = container.kernel;
  artifact->parameterOffsets = container.parameterOffsets;
  artifact->isParkable = container.header.flags & HET_PTX_PARKABLE;
  if (artifact->isParkable)
    device->parking.isUsed.store(true, std::memory_order_relaxed);
  artifact->parking = {container.header.layout, container.header.threadBytes,
                       container.header.sharedBytes, 0};
  artifact->waitsForGrids = container.header.flags & HET_PTX_GRID_WAIT;
  artifact->meetsGrid = container.header.flags & HET_PTX_GRID_BARRIER;
  Addresses addresses = {variables, variableCount};
  if (loadModule(*artifact, container, addresses, status) == HET_OK &&
      findFunctions(*artifact, status) == HET_OK &&
      (!addresses.count || setVariables(*artifact, addresses, status) == HET_OK) &&
      (!artifact->meetsGrid || prepareTurns(*artifact, status) == HET_OK)) {
    *out = artifact.release();
    return success(status);
  }
  releaseParts(*artifact);
  return status->code;
}

/// Text is left to the launch: the driver's compiler takes its time, and is a library
/// that opens then.
int32_t loadsAhead(HetDevice *device, const uint8_t *data, size_t size) {
  Container container;
  HetStatus status;
  return !device->hasFault() && readContainer(data, size, container, &status) &&
         container.header.form == HET_PTX_CUBIN && !takesLimitedMemory(container.code);
}

void unloadArtifact(HetArtifact *artifact) {
  releaseParts(*artifact);
  {
    HetDevice &device = *artifact->device;
    std::lock_guard<std::mutex> lock(device.mutex);
    for (HetQueue *queue : device.queues) {
      const HetArtifact *expected = artifact;
      queue->latest.compare_exchange_strong(expected, nullptr);
    }
  }
  delete artifact;
}

int32_t describeArtifact(HetArtifact *artifact, HetArtifactInfo *out, HetStatus *status) {
  std::lock_guard<std::mutex> lock(artifact->mutex);
  if (CUresult result = learnFacts(*artifact))
    return reportKernel(*artifact, result, HET_INTERNAL, "asking what it is", status);
  *out = {artifact->registers, artifact->local, artifact->maxThreads, 0};
  return success(status);
}

int32_t residentBlocks(HetArtifact *artifact, uint32_t threads,
                       uint32_t dynamicSharedBytes, uint32_t *blocks, HetStatus *status) {
  if (allowShared(*artifact, dynamicSharedBytes, status) != HET_OK)
    return status->code;
  HetDevice &device = *artifact->device;
  int count = INT_MAX;
  CUresult result = enter(device);
  // A grid of blocks that wait for each other has to fit in either form.
  for (CUfunction function : {artifact->function, artifact->resumed}) {
    int ofThis = INT_MAX;
    if (result == CUDA_SUCCESS && function)
      result = device.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
          &ofThis, function, static_cast<int>(threads), dynamicSharedBytes);
    count = std::min(count, ofThis);
  }
  if (result)
    return reportKernel(*artifact, result, HET_INVALID,
                        "resident blocks of " + std::to_string(threads) + " threads",
                        status);
  *blocks = count > 0 ? count : 0;
  return success(status);
}

} // namespace

CUresult learnFacts(HetArtifact &artifact) {
  if (artifact.hasFacts)
    return CUDA_SUCCESS;
  struct {
    int attribute;
    int value = 0;
  } facts[] = {{CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
               {CU_FUNC_ATTRIBUTE_NUM_REGS},
               {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
               {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
               {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES}};
  if (CUresult result = enter(*artifact.device))
    return result;
  for (auto &fact : facts)
    if (CUresult result = artifact.device->driver.cuFuncGetAttribute(
            &fact.value, fact.attribute, artifact.function))
      return result;
  artifact.staticShared = facts[0].value;
  artifact.registers = facts[1].value;
  artifact.local = facts[2].value;
  artifact.maxThreads = facts[3].value;
  artifact.dynamicShared.store(facts[4].value > 0 ? facts[4].value : 0,
                               std::memory_order_relaxed);
  artifact.hasFacts = true;
  return CUDA_SUCCESS;
}

void fillInArtifacts(HetDeviceABI &table) {
  table.loadArtifact = loadArtifact;
  table.unloadArtifact = unloadArtifact;
  table.loadsAhead = loadsAhead;
  table.describeArtifact = describeArtifact;
  table.residentBlocks = residentBlocks;
  table.finishArtifact = finishArtifact;
  table.releaseFinished = releaseFinished;
  table.rankArch = rankArch;
}

} // namespace het::ptx
