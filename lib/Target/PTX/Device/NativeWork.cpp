// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native work: what the vendor's libraries put into a stream that records (captures, in
// the driver's words). It is a graph of the driver's, which becomes a child of other
// graphs, or is launched by itself.

#include "Queue.h"

#include <memory>

namespace het::ptx {
namespace {

bool isAboutRecording(CUresult result) {
  return result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
         result <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
}

/// Calls `work` with a new stream that records. The relaxed mode, since libraries load
/// code and allocate at their first calls.
CUresult record(HetDevice &device, void (*work)(void *, void *), void *data,
                CUgraph &graph) {
  const Driver &driver = device.driver;
  CUstream stream = nullptr;
  if (CUresult result = driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING))
    return result;
  CUresult result = driver.cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
  if (result == CUDA_SUCCESS) {
    work(stream, data);
    result = driver.cuStreamEndCapture(stream, &graph);
  }
  device.failed(driver.cuStreamDestroy(stream));
  return result;
}

/// A graph with nodes that allocate can be no child, and can not be launched again before
/// they are freed.
CUresult describe(const Driver &driver, HetNativeWork &work, bool &hasMemory) {
  size_t count = 0;
  if (CUresult result = driver.cuGraphGetNodes(work.graph, nullptr, &count))
    return result;
  work.isEmpty = count == 0;
  std::vector<CUgraphNode> nodes(count);
  if (count)
    if (CUresult result = driver.cuGraphGetNodes(work.graph, nodes.data(), &count))
      return result;
  for (CUgraphNode node : nodes) {
    int type = 0;
    if (CUresult result = driver.cuGraphNodeGetType(node, &type))
      return result;
    hasMemory |=
        type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == CU_GRAPH_NODE_TYPE_MEM_FREE;
  }
  return CUDA_SUCCESS;
}

void destroyNativeWork(HetNativeWork *work) {
  HetDevice &device = *work->device;
  enter(device);
  if (work->exec)
    device.failed(device.driver.cuGraphExecDestroy(work->exec));
  if (work->graph)
    device.failed(device.driver.cuGraphDestroy(work->graph));
  delete work;
}

int32_t recordNative(HetDevice *device, void (*work)(void *, void *), void *data,
                     HetNativeWork **out, HetStatus *status) {
  const std::string what = device->text() + ": native work";
  if (device->hasFault())
    return report(status, HET_UNAVAILABLE, what + " after a fault");
  std::unique_ptr<HetNativeWork, void (*)(HetNativeWork *)> made(new HetNativeWork,
                                                                 destroyNativeWork);
  made->device = device;
  bool hasMemory = false;
  CUresult result = enter(*device);
  if (result == CUDA_SUCCESS)
    result = record(*device, work, data, made->graph);
  if (result == CUDA_SUCCESS)
    result = describe(device->driver, *made, hasMemory);
  if (hasMemory)
    return report(status, HET_UNSUPPORTED,
                  what + ": found an allocation in what was recorded, expected none");
  if (result)
    return device->check(result,
                         isAboutRecording(result) ? HET_UNSUPPORTED : HET_UNAVAILABLE,
                         what, status);
  *out = made.release();
  return success(status);
}

int32_t enqueueNativeWork(HetQueue *queue, HetNativeWork *work, HetStatus *status) {
  if (queue->device != work->device)
    return report(status, HET_INVALID,
                  "native work: found some of " + work->device->text() +
                      ", expected some of " + queue->device->text());
  if (work->isEmpty)
    return success(status);
  return enqueue(queue, "native work", status,
                 [=](const Driver &driver, CUstream stream) -> CUresult {
                   std::lock_guard<std::mutex> lock(work->mutex);
                   if (!work->exec)
                     if (CUresult result =
                             driver.cuGraphInstantiate(&work->exec, work->graph, 0))
                       return result;
                   return driver.cuGraphLaunch(work->exec, stream);
                 });
}

} // namespace

void fillInNativeWork(HetDeviceABI &table) {
  table.recordNative = recordNative;
  table.enqueueNativeWork = enqueueNativeWork;
  table.destroyNativeWork = destroyNativeWork;
}

} // namespace het::ptx
