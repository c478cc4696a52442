// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs that kernels may launch (cudaGraphInstantiateFlagDeviceLaunch): their steps as
// records, which the core carries out as it does launches by kernels.

#include "Copy.h"
#include "Errors.h"
#include "Graph.h"
#include "Launch.h"
#include "Module.h"
#include "Stream.h"

#include "core/DeviceLaunches.h"

#include <algorithm>
#include <cstring>

namespace het::cuda {

namespace {

/// Makes the work of a step; a step of another kind fails.
struct WorkMaker {
  Device &device;
  core::DeviceGraphWork work;

  core::LaunchWork &add(uint32_t kind, const void *arguments, size_t size) {
    core::LaunchWork &made = work.emplace_back();
    made.record.kind = kind;
    made.record.argumentBytes = static_cast<uint32_t>(size);
    auto *bytes = static_cast<const uint8_t *>(arguments);
    if (size <= HET_RECORD_ARGUMENTS)
      std::copy_n(bytes, size, made.record.arguments);
    else
      made.large.assign(bytes, bytes + size);
    return made;
  }

  cudaError_t operator()(const EmptyOperation &) { return cudaSuccess; }

  cudaError_t operator()(const KernelOperation &kernel) {
    if (kernel.cooperative)
      HET_NOT_SUPPORTED("a cooperative launch in a graph that kernels may launch");
    if (kernel.cluster.size.x)
      HET_NOT_SUPPORTED("clusters in a graph that kernels may launch");
    LoadedKernel *loaded = nullptr;
    if (cudaError_t error = load(*kernel.function, device, loaded))
      return error;
    if (cudaError_t error = prepare(*loaded))
      return error;
    core::LaunchWork &made =
        add(HET_RECORD_LAUNCH, kernel.arguments.data(), kernel.arguments.size());
    const core::LaunchShape shape = shapeOf(kernel);
    std::copy_n(shape.grid, 3, made.record.grid);
    std::copy_n(shape.block, 3, made.record.block);
    made.record.dynamicSharedBytes = shape.dynamicSharedBytes;
    made.kernel = loaded->kernel;
    return cudaSuccess;
  }

  static uint64_t address(const Region &region) {
    return reinterpret_cast<uint64_t>(region.base);
  }

  cudaError_t operator()(CopyOperation copy) {
    if (isEmpty(copy))
      return cudaSuccess;
    mergeRows(copy);
    const HetCopyRecord record = {address(copy.to),
                                  address(copy.from),
                                  copy.to.pitch,
                                  copy.from.pitch,
                                  copy.to.plane,
                                  copy.from.plane,
                                  copy.width,
                                  copy.height,
                                  copy.depth,
                                  0,
                                  1};
    add(HET_RECORD_COPY, &record, sizeof(record));
    return cudaSuccess;
  }

  cudaError_t operator()(FillOperation fill) {
    if (isEmpty(fill))
      return cudaSuccess;
    mergeRows(fill);
    const HetCopyRecord record = {
        address(fill.to), 0,           fill.to.pitch, 0,          fill.to.plane,   0,
        fill.width,       fill.height, fill.depth,    fill.value, fill.elementSize};
    add(HET_RECORD_FILL, &record, sizeof(record));
    return cudaSuccess;
  }

  template <typename Other> cudaError_t operator()(const Other &) {
    HET_NOT_SUPPORTED("a node other than of kernels, copies and fills in a graph that "
                      "kernels may launch");
  }
};

uint64_t handleOf(const CUgraphExec_st &exec) {
  return reinterpret_cast<uint64_t>(&exec);
}

} // namespace

cudaError_t offerToKernels(CUgraphExec_st &exec, Device &device) {
  WorkMaker maker{device, {}};
  for (const GraphStep &step : exec.steps)
    if (step.isEnabled)
      if (cudaError_t error = std::visit(maker, step.operation))
        return error;
  device.device.launches().setGraph(handleOf(exec), std::move(maker.work));
  exec.offeredTo = &device;
  return cudaSuccess;
}

void takeFromKernels(CUgraphExec_st &exec) {
  if (exec.offeredTo)
    exec.offeredTo->device.launches().dropGraph(handleOf(exec));
}

cudaError_t launchOffered(CUgraphExec_st &exec, CUstream_st &stream) {
  if (&stream.device != exec.offeredTo)
    return cudaErrorInvalidValue;
  // What nodes do may have been changed.
  if (cudaError_t error = offerToKernels(exec, stream.device))
    return error;
  return translate(stream.queue->launchDeviceGraph(handleOf(exec)));
}

} // namespace het::cuda
