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

CUresult cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                             const CUgraphNode *dependencies,
                             size_t numDependencies) try {
  return whenStarted([&] {
    return cudaGraphAddEmptyNode(phGraphNode, hGraph, dependencies, numDependencies);
  });
}
HET_CATCH

CUresult cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                            const CUgraphNode *dependencies, size_t numDependencies,
                            const CUDA_HOST_NODE_PARAMS *nodeParams) try {
  return whenStarted([&] {
    return cudaGraphAddHostNode(phGraphNode, hGraph, dependencies, numDependencies,
                                reinterpret_cast<const cudaHostNodeParams *>(nodeParams));
  });
}
HET_CATCH

CUresult cuGraphHostNodeGetParams(CUgraphNode hNode,
                                  CUDA_HOST_NODE_PARAMS *nodeParams) try {
  return whenStarted([&] {
    return cudaGraphHostNodeGetParams(hNode,
                                      reinterpret_cast<cudaHostNodeParams *>(nodeParams));
  });
}
HET_CATCH

CUresult cuGraphHostNodeSetParams(CUgraphNode hNode,
                                  const CUDA_HOST_NODE_PARAMS *nodeParams) try {
  return whenStarted([&] {
    return cudaGraphHostNodeSetParams(
        hNode, reinterpret_cast<const cudaHostNodeParams *>(nodeParams));
  });
}
HET_CATCH

CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                      const CUDA_HOST_NODE_PARAMS *nodeParams) try {
  return whenStarted([&] {
    return cudaGraphExecHostNodeSetParams(
        hGraphExec, hNode, reinterpret_cast<const cudaHostNodeParams *>(nodeParams));
  });
}
HET_CATCH

CUresult cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                              const CUgraphNode *dependencies, size_t numDependencies,
                              const CUDA_MEMSET_NODE_PARAMS *memsetParams,
                              CUcontext) try {
  return through([&] {
    return cudaGraphAddMemsetNode(
        phGraphNode, hGraph, dependencies, numDependencies,
        reinterpret_cast<const cudaMemsetParams *>(memsetParams));
  });
}
HET_CATCH

CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode,
                                    CUDA_MEMSET_NODE_PARAMS *nodeParams) try {
  return whenStarted([&] {
    return cudaGraphMemsetNodeGetParams(hNode,
                                        reinterpret_cast<cudaMemsetParams *>(nodeParams));
  });
}
HET_CATCH

CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode,
                                    const CUDA_MEMSET_NODE_PARAMS *nodeParams) try {
  return through([&] {
    return cudaGraphMemsetNodeSetParams(
        hNode, reinterpret_cast<const cudaMemsetParams *>(nodeParams));
  });
}
HET_CATCH

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                        const CUDA_MEMSET_NODE_PARAMS *memsetParams,
                                        CUcontext) try {
  return through([&] {
    return cudaGraphExecMemsetNodeSetParams(
        hGraphExec, hNode, reinterpret_cast<const cudaMemsetParams *>(memsetParams));
  });
}
HET_CATCH

CUresult cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                  const CUgraphNode *dependencies, size_t numDependencies,
                                  CUgraph childGraph) try {
  return whenStarted([&] {
    return cudaGraphAddChildGraphNode(phGraphNode, hGraph, dependencies, numDependencies,
                                      childGraph);
  });
}
HET_CATCH

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph) try {
  return whenStarted([&] { return cudaGraphChildGraphNodeGetGraph(hNode, phGraph); });
}
HET_CATCH

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            CUgraph childGraph) try {
  return whenStarted([&] {
    return cudaGraphExecChildGraphNodeSetParams(hGraphExec, hNode, childGraph);
  });
}
HET_CATCH

CUresult cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                   const CUgraphNode *dependencies,
                                   size_t numDependencies, CUevent event) try {
  return through([&] {
    return cudaGraphAddEventRecordNode(phGraphNode, hGraph, dependencies, numDependencies,
                                       event);
  });
}
HET_CATCH

CUresult cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                 const CUgraphNode *dependencies, size_t numDependencies,
                                 CUevent event) try {
  return through([&] {
    return cudaGraphAddEventWaitNode(phGraphNode, hGraph, dependencies, numDependencies,
                                     event);
  });
}
HET_CATCH

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out) try {
  return whenStarted([&] { return cudaGraphEventRecordNodeGetEvent(hNode, event_out); });
}
HET_CATCH

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event) try {
  return through([&] { return cudaGraphEventRecordNodeSetEvent(hNode, event); });
}
HET_CATCH

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            CUevent event) try {
  return through(
      [&] { return cudaGraphExecEventRecordNodeSetEvent(hGraphExec, hNode, event); });
}
HET_CATCH

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out) try {
  return whenStarted([&] { return cudaGraphEventWaitNodeGetEvent(hNode, event_out); });
}
HET_CATCH

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event) try {
  return through([&] { return cudaGraphEventWaitNodeSetEvent(hNode, event); });
}
HET_CATCH

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                          CUevent event) try {
  return through(
      [&] { return cudaGraphExecEventWaitNodeSetEvent(hGraphExec, hNode, event); });
}
HET_CATCH

CUresult cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                const CUgraphNode *dependencies, size_t numDependencies,
                                CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams) try {
  return through([&] {
    return cudaGraphAddMemAllocNode(
        phGraphNode, hGraph, dependencies, numDependencies,
        reinterpret_cast<cudaMemAllocNodeParams *>(nodeParams));
  });
}
HET_CATCH

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode,
                                      CUDA_MEM_ALLOC_NODE_PARAMS *params_out) try {
  return whenStarted([&] {
    return cudaGraphMemAllocNodeGetParams(
        hNode, reinterpret_cast<cudaMemAllocNodeParams *>(params_out));
  });
}
HET_CATCH

CUresult cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                               const CUgraphNode *dependencies, size_t numDependencies,
                               CUdeviceptr dptr) try {
  return through([&] {
    return cudaGraphAddMemFreeNode(phGraphNode, hGraph, dependencies, numDependencies,
                                   pointerOf(dptr));
  });
}
HET_CATCH

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out) try {
  return whenStarted([&] { return cudaGraphMemFreeNodeGetParams(hNode, dptr_out); });
}
HET_CATCH

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out,
                                        CUgraph hGraph, CUcontext,
                                        unsigned int defaultLaunchValue,
                                        unsigned int flags) try {
  return through([&] {
    return cudaGraphConditionalHandleCreate(
        reinterpret_cast<cudaGraphConditionalHandle *>(pHandle_out), hGraph,
        defaultLaunchValue, flags);
  });
}
HET_CATCH

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) try {
  return whenStarted([&] { return cudaGraphKernelNodeCopyAttributes(dst, src); });
}
HET_CATCH

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                       CUkernelNodeAttrValue *value_out) try {
  return whenStarted([&] {
    return cudaGraphKernelNodeGetAttribute(
        hNode, static_cast<cudaLaunchAttributeID>(attr),
        reinterpret_cast<cudaLaunchAttributeValue *>(value_out));
  });
}
HET_CATCH

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                       const CUkernelNodeAttrValue *value) try {
  return whenStarted([&] {
    return cudaGraphKernelNodeSetAttribute(
        hNode, static_cast<cudaLaunchAttributeID>(attr),
        reinterpret_cast<const cudaLaunchAttributeValue *>(value));
  });
}
HET_CATCH

CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                               unsigned int isEnabled) try {
  return whenStarted(
      [&] { return cudaGraphNodeSetEnabled(hGraphExec, hNode, isEnabled); });
}
HET_CATCH

CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                               unsigned int *isEnabled) try {
  return whenStarted(
      [&] { return cudaGraphNodeGetEnabled(hGraphExec, hNode, isEnabled); });
}
HET_CATCH
