// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: nodes of graphs whose parameters are laid out as the runtime API's. A node
// is of the device of its memory or kernel, whichever context is given.

#include "Driver.h"

using namespace het::cuda;
using namespace het::cuda::driver;

static_assert(sizeof(CUDA_HOST_NODE_PARAMS) == sizeof(cudaHostNodeParams));
static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == sizeof(cudaMemsetParams));
static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(cudaMemAllocNodeParams));

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph,
                             const CUgraphNode *dependencies, size_t count) try {
  return whenStarted(
      [&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}
HET_CATCH

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph,
                            const CUgraphNode *dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS *params) try {
  return whenStarted([&] {
    return cudaGraphAddHostNode(node, graph, dependencies, count,
                                reinterpret_cast<const cudaHostNodeParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params) try {
  return whenStarted([&] {
    return cudaGraphHostNodeGetParams(node,
                                      reinterpret_cast<cudaHostNodeParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphHostNodeSetParams(CUgraphNode node,
                                  const CUDA_HOST_NODE_PARAMS *params) try {
  return whenStarted([&] {
    return cudaGraphHostNodeSetParams(
        node, reinterpret_cast<const cudaHostNodeParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *params) try {
  return whenStarted([&] {
    return cudaGraphExecHostNodeSetParams(
        exec, node, reinterpret_cast<const cudaHostNodeParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *params, CUcontext) try {
  return through([&] {
    return cudaGraphAddMemsetNode(node, graph, dependencies, count,
                                  reinterpret_cast<const cudaMemsetParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node,
                                    CUDA_MEMSET_NODE_PARAMS *params) try {
  return whenStarted([&] {
    return cudaGraphMemsetNodeGetParams(node,
                                        reinterpret_cast<cudaMemsetParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node,
                                    const CUDA_MEMSET_NODE_PARAMS *params) try {
  return through([&] {
    return cudaGraphMemsetNodeSetParams(
        node, reinterpret_cast<const cudaMemsetParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *params,
                                        CUcontext) try {
  return through([&] {
    return cudaGraphExecMemsetNodeSetParams(
        exec, node, reinterpret_cast<const cudaMemsetParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph,
                                  const CUgraphNode *dependencies, size_t count,
                                  CUgraph child) try {
  return whenStarted([&] {
    return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child);
  });
}
HET_CATCH

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) try {
  return whenStarted([&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}
HET_CATCH

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            CUgraph child) try {
  return whenStarted(
      [&] { return cudaGraphExecChildGraphNodeSetParams(exec, node, child); });
}
HET_CATCH

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *dependencies, size_t count,
                                   CUevent event) try {
  return through([&] {
    return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event);
  });
}
HET_CATCH

CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph,
                                 const CUgraphNode *dependencies, size_t count,
                                 CUevent event) try {
  return through(
      [&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}
HET_CATCH

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) try {
  return whenStarted([&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}
HET_CATCH

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) try {
  return through([&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}
HET_CATCH

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                            CUevent event) try {
  return through([&] { return cudaGraphExecEventRecordNodeSetEvent(exec, node, event); });
}
HET_CATCH

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) try {
  return whenStarted([&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}
HET_CATCH

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) try {
  return through([&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}
HET_CATCH

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node,
                                          CUevent event) try {
  return through([&] { return cudaGraphExecEventWaitNodeSetEvent(exec, node, event); });
}
HET_CATCH

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph,
                                const CUgraphNode *dependencies, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *params) try {
  return through([&] {
    return cudaGraphAddMemAllocNode(node, graph, dependencies, count,
                                    reinterpret_cast<cudaMemAllocNodeParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node,
                                      CUDA_MEM_ALLOC_NODE_PARAMS *params) try {
  return whenStarted([&] {
    return cudaGraphMemAllocNodeGetParams(
        node, reinterpret_cast<cudaMemAllocNodeParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph,
                               const CUgraphNode *dependencies, size_t count,
                               CUdeviceptr address) try {
  return through([&] {
    return cudaGraphAddMemFreeNode(node, graph, dependencies, count, pointerOf(address));
  });
}
HET_CATCH

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address) try {
  return whenStarted([&] { return cudaGraphMemFreeNodeGetParams(node, address); });
}
HET_CATCH

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph,
                                        CUcontext, unsigned initial, unsigned flags) try {
  return through([&] {
    return cudaGraphConditionalHandleCreate(
        reinterpret_cast<cudaGraphConditionalHandle *>(handle), graph, initial, flags);
  });
}
HET_CATCH

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) try {
  return whenStarted([&] { return cudaGraphKernelNodeCopyAttributes(dst, src); });
}
HET_CATCH

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       CUkernelNodeAttrValue *value) try {
  return whenStarted([&] {
    return cudaGraphKernelNodeGetAttribute(
        node, static_cast<cudaLaunchAttributeID>(attribute),
        reinterpret_cast<cudaLaunchAttributeValue *>(value));
  });
}
HET_CATCH

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue *value) try {
  return whenStarted([&] {
    return cudaGraphKernelNodeSetAttribute(
        node, static_cast<cudaLaunchAttributeID>(attribute),
        reinterpret_cast<const cudaLaunchAttributeValue *>(value));
  });
}
HET_CATCH

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node,
                               unsigned isEnabled) try {
  return whenStarted([&] { return cudaGraphNodeSetEnabled(exec, node, isEnabled); });
}
HET_CATCH

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node,
                               unsigned *isEnabled) try {
  return whenStarted([&] { return cudaGraphNodeGetEnabled(exec, node, isEnabled); });
}
HET_CATCH
