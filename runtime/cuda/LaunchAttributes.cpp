// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of attributes, and launches that have some.

#include "LaunchAttributes.h"
#include "Clusters.h"
#include "Context.h"
#include "Errors.h"
#include "Graph.h"
#include "Module.h"
#include "Stream.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace het::cuda {

namespace {

constexpr unsigned onLaunch = 1u << unsigned(AttributeHolder::Launch);
constexpr unsigned onNode = 1u << unsigned(AttributeHolder::KernelNode);
constexpr unsigned onStream = 1u << unsigned(AttributeHolder::Stream);

/// Who has the attribute, by its number.
constexpr unsigned holders[] = {
    onLaunch | onNode | onStream, // Ignore
    onLaunch | onNode | onStream, // AccessPolicyWindow
    onLaunch | onNode,            // Cooperative
    onStream,                     // SynchronizationPolicy
    onLaunch | onNode,            // ClusterDimension
    onLaunch | onNode,            // ClusterSchedulingPolicyPreference
    onLaunch,                     // ProgrammaticStreamSerialization
    onLaunch,                     // ProgrammaticEvent
    onLaunch | onNode | onStream, // Priority
    onLaunch | onNode | onStream, // MemSyncDomainMap
    onLaunch | onNode | onStream, // MemSyncDomain
    onLaunch | onNode,            // PreferredClusterDimension
    onLaunch,                     // LaunchCompletionEvent
    onLaunch | onNode,            // DeviceUpdatableKernelNode
    onLaunch | onNode,            // PreferredSharedMemoryCarveout
};

bool has(AttributeHolder holder, cudaLaunchAttributeID id) {
  return id >= 0 && static_cast<size_t>(id) < std::size(holders) &&
         (holders[id] >> unsigned(holder) & 1);
}

cudaError_t checkWindow(const cudaAccessPolicyWindow &window) {
  const auto isProperty = [](cudaAccessProperty property) {
    return property >= cudaAccessPropertyNormal &&
           property <= cudaAccessPropertyPersisting;
  };
  const bool isRight = isProperty(window.hitProp) && isProperty(window.missProp) &&
                       window.missProp != cudaAccessPropertyPersisting &&
                       window.hitRatio >= 0 && window.hitRatio <= 1;
  return isRight ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t checkEvent(cudaEvent_t event, int flags) {
  if (!event)
    return cudaErrorInvalidResourceHandle;
  return flags & ~cudaEventRecordExternal ? cudaErrorInvalidValue : cudaSuccess;
}

template <typename Value> cudaError_t checkRange(Value value, Value least, Value most) {
  return value >= least && value <= most ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace

cudaError_t checkAttribute(AttributeHolder holder, cudaLaunchAttributeID id,
                           const cudaLaunchAttributeValue &value) {
  if (!has(holder, id))
    return cudaErrorInvalidValue;
  switch (id) {
  case cudaLaunchAttributeAccessPolicyWindow:
    return checkWindow(value.accessPolicyWindow);
  case cudaLaunchAttributeSynchronizationPolicy:
    return checkRange(value.syncPolicy, cudaSyncPolicyAuto, cudaSyncPolicyBlockingSync);
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    return checkRange(value.clusterSchedulingPolicyPreference,
                      cudaClusterSchedulingPolicyDefault,
                      cudaClusterSchedulingPolicyLoadBalancing);
  case cudaLaunchAttributeProgrammaticEvent:
    return checkEvent(value.programmaticEvent.event, value.programmaticEvent.flags);
  case cudaLaunchAttributeLaunchCompletionEvent:
    return checkEvent(value.launchCompletionEvent.event,
                      value.launchCompletionEvent.flags);
  case cudaLaunchAttributeMemSyncDomain:
    return checkRange(value.memSyncDomain, cudaLaunchMemSyncDomainDefault,
                      cudaLaunchMemSyncDomainRemote);
  case cudaLaunchAttributeDeviceUpdatableKernelNode:
    if (value.deviceUpdatableKernelNode.deviceUpdatable)
      HET_NOT_SUPPORTED("cudaLaunchAttributeDeviceUpdatableKernelNode");
    return cudaSuccess;
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return value.sharedMemCarveout <= cudaSharedmemCarveoutMaxShared ||
                   static_cast<int>(value.sharedMemCarveout) ==
                       cudaSharedmemCarveoutDefault
               ? cudaSuccess
               : cudaErrorInvalidValue;
  default:
    return cudaSuccess;
  }
}

cudaError_t findAttribute(AttributeHolder holder, const LaunchAttributes &set,
                          cudaLaunchAttributeID id, cudaLaunchAttributeValue &value) {
  if (!has(holder, id) || id == cudaLaunchAttributeIgnore)
    return cudaErrorInvalidValue;
  std::memset(&value, 0, sizeof(value));
  auto found = set.find(id);
  if (found != set.end())
    value = found->second;
  else if (id == cudaLaunchAttributeSynchronizationPolicy)
    value.syncPolicy = cudaSyncPolicyAuto;
  else if (id == cudaLaunchAttributeMemSyncDomainMap)
    value.memSyncDomainMap.remote = 1;
  return cudaSuccess;
}

cudaError_t readAttributes(const cudaLaunchConfig_t &config, LaunchOptions &options) {
  if (config.numAttrs && !config.attrs)
    return cudaErrorInvalidValue;
  for (unsigned index = 0; index < config.numAttrs; ++index) {
    const auto &[id, pad, value] = config.attrs[index];
    if (cudaError_t error = checkAttribute(AttributeHolder::Launch, id, value))
      return error;
    if (id == cudaLaunchAttributeCooperative)
      options.cooperative = value.cooperative != 0;
    else if (id == cudaLaunchAttributeProgrammaticStreamSerialization)
      options.programmatic = value.programmaticStreamSerializationAllowed != 0;
    else if (id == cudaLaunchAttributeProgrammaticEvent)
      options.events.push_back(value.programmaticEvent.event);
    else if (id == cudaLaunchAttributeLaunchCompletionEvent)
      options.events.push_back(value.launchCompletionEvent.event);
    else if (has(AttributeHolder::KernelNode, id) && id != cudaLaunchAttributeIgnore)
      options.attributes[id] = value;
  }
  return cudaSuccess;
}

static Together togetherOf(const LaunchOptions &options) {
  return {options.cooperative, clusterIn(options.attributes), options.programmatic};
}

/// Records the launch as a node, which keeps its attributes.
static cudaError_t captureLaunch(CUstream_st &stream, Function *function,
                                 const cudaLaunchConfig_t &config,
                                 const Arguments &arguments, LaunchOptions &options) {
  if (cudaError_t error = stream.admit())
    return error;
  KernelOperation kernel;
  if (cudaError_t error =
          prepareKernel(function, config.gridDim, config.blockDim, arguments,
                        config.dynamicSmemBytes, togetherOf(options), kernel))
    return error;
  kernel.attributes = std::move(options.attributes);
  return capture(&stream, std::move(kernel), options.programmatic);
}

cudaError_t launchWithAttributes(Function *function, const cudaLaunchConfig_t &config,
                                 const Arguments &arguments) {
  LaunchOptions options;
  if (cudaError_t error = readAttributes(config, options))
    return error;
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(config.stream, stream))
    return error;
  const bool isCaptured = stream->capturing.load(std::memory_order_acquire);
  cudaError_t error =
      isCaptured
          ? captureLaunch(*stream, function, config, arguments, options)
          : launchKernel(function, config.gridDim, config.blockDim, arguments,
                         config.dynamicSmemBytes, config.stream, togetherOf(options));
  for (cudaEvent_t event : options.events)
    if (!error)
      error = submit(stream, RecordOperation{event->shared_from_this(), false});
  return error;
}

} // namespace het::cuda

using namespace het::cuda;

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *stub,
                                void **arguments) try {
  if (!config)
    return remember(cudaErrorInvalidValue);
  return remember(launchWithAttributes(findFunction(stub), *config, {arguments, {}}));
}
HET_CATCH

// Attributes of streams.

static cudaError_t setStreamAttribute(CUstream_st &stream, cudaLaunchAttributeID id,
                                      const cudaLaunchAttributeValue &value) {
  if (cudaError_t error = checkAttribute(AttributeHolder::Stream, id, value))
    return error;
  std::lock_guard<std::mutex> lock(stream.device.mutex);
  if (id == cudaLaunchAttributePriority)
    stream.priority = std::max(greatestPriority, std::min(leastPriority, value.priority));
  else if (id != cudaLaunchAttributeIgnore)
    stream.attributes[id] = value;
  return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue *value) try {
  if (!value)
    return remember(cudaErrorInvalidValue);
  CUstream_st *stream = nullptr;
  cudaError_t error = resolveStream(handle, stream);
  return remember(error ? error : setStreamAttribute(*stream, id, *value));
}
HET_CATCH

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   cudaLaunchAttributeValue *value) try {
  if (!value)
    return remember(cudaErrorInvalidValue);
  CUstream_st *stream = nullptr;
  if (cudaError_t error = resolveStream(handle, stream))
    return remember(error);
  std::lock_guard<std::mutex> lock(stream->device.mutex);
  cudaError_t error =
      findAttribute(AttributeHolder::Stream, stream->attributes, id, *value);
  if (id == cudaLaunchAttributePriority)
    value->priority = stream->priority;
  return remember(error);
}
HET_CATCH

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) try {
  CUstream_st *target = nullptr, *source = nullptr;
  cudaError_t error = resolveStream(to, target);
  if (!error)
    error = resolveStream(from, source);
  if (!error && &target->device != &source->device)
    error = cudaErrorInvalidResourceHandle;
  if (error)
    return remember(error);
  std::lock_guard<std::mutex> lock(target->device.mutex);
  if (target != source)
    target->attributes = source->attributes;
  return cudaSuccess;
}
HET_CATCH

// Attributes of kernel nodes.

/// The kernel of a node; null if it has none.
static KernelOperation *kernelOf(cudaGraphNode_t node) {
  return node ? std::get_if<KernelOperation>(&node->operation) : nullptr;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node,
                                            cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue *value) try {
  const KernelOperation *kernel = kernelOf(node);
  if (!kernel || !value)
    return remember(cudaErrorInvalidValue);
  cudaError_t error =
      findAttribute(AttributeHolder::KernelNode, kernel->attributes, id, *value);
  if (id == cudaLaunchAttributeCooperative)
    value->cooperative = kernel->cooperative;
  return remember(error);
}
HET_CATCH

/// Where the size can not be, the node stays as it is.
static cudaError_t setCluster(KernelOperation &kernel,
                              const cudaLaunchAttributeValue &value) {
  LaunchAttributes before = kernel.attributes;
  kernel.attributes[cudaLaunchAttributeClusterDimension] = value;
  cudaError_t error = updateCluster(kernel);
  if (error)
    kernel.attributes = std::move(before);
  return error;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node,
                                            cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue *value) try {
  KernelOperation *kernel = kernelOf(node);
  if (!kernel || !value)
    return remember(cudaErrorInvalidValue);
  if (cudaError_t error = checkAttribute(AttributeHolder::KernelNode, id, *value))
    return remember(error);
  if (id == cudaLaunchAttributeCooperative)
    kernel->cooperative = value->cooperative != 0;
  else if (id == cudaLaunchAttributeClusterDimension)
    return remember(setCluster(*kernel, *value));
  else if (id != cudaLaunchAttributeIgnore)
    kernel->attributes[id] = *value;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to,
                                              cudaGraphNode_t from) try {
  KernelOperation *target = kernelOf(to);
  const KernelOperation *source = kernelOf(from);
  if (!target || !source)
    return remember(cudaErrorInvalidValue);
  LaunchAttributes copy = source->attributes;
  std::swap(target->attributes, copy);
  if (cudaError_t error = updateCluster(*target)) {
    target->attributes = std::move(copy);
    return remember(error);
  }
  target->cooperative = source->cooperative;
  return cudaSuccess;
}
HET_CATCH

// How many clusters fit.

/// Hands the kernel of a launch that was checked to `use`, with its device, its cluster
/// (0: there is none) and how many of its blocks a processor holds at once.
template <typename Use>
static cudaError_t withCluster(const void *stub, const cudaLaunchConfig_t *config,
                               Use use) {
  if (!config)
    return cudaErrorInvalidValue;
  LaunchOptions options;
  if (cudaError_t error = readAttributes(*config, options))
    return error;
  const dim3 &block = config->blockDim;
  int blocks = 0;
  if (cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &blocks, stub, static_cast<int>(block.x * block.y * block.z),
          config->dynamicSmemBytes))
    return error;
  Device *device = nullptr;
  LoadedKernel *kernel = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  if (cudaError_t error = load(*findFunction(stub), *device, kernel))
    return error;
  dim3 given = clusterIn(options.attributes);
  Cluster cluster;
  if (cudaError_t error =
          chooseCluster(*kernel, *device, config->gridDim, given, cluster))
    return error;
  if (!given.x)
    given = requiredCluster(*kernel);
  return use(*kernel, *device, uint64_t(given.x) * given.y * given.z, blocks);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *stub,
                                                 const cudaLaunchConfig_t *config) try {
  if (!size)
    return remember(cudaErrorInvalidValue);
  return remember(withCluster(
      stub, config,
      [&](const LoadedKernel &kernel, const Device &device, uint64_t, int blocks) {
        const unsigned most = std::max(mostClusterBlocks(kernel, device), 1u);
        *size = blocks ? static_cast<int>(most) : 0;
        return cudaSuccess;
      }));
}
HET_CATCH

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *stub,
                                           const cudaLaunchConfig_t *config) try {
  if (!clusters)
    return remember(cudaErrorInvalidValue);
  return remember(withCluster(
      stub, config,
      [&](const LoadedKernel &, const Device &device, uint64_t size, int blocks) {
        const uint64_t resident =
            uint64_t(blocks) *
            static_cast<unsigned>(device.properties.multiProcessorCount);
        *clusters = size ? static_cast<int>(resident / size) : 0;
        return cudaSuccess;
      }));
}
HET_CATCH
