// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: graphs as wholes, their edges, instances and objects. Handles, structures
// and numbers are the runtime API's.

#include "Driver.h"

using namespace het::cuda;
using namespace het::cuda::driver;

static_assert(sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData));
static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) ==
              sizeof(cudaGraphInstantiateParams));
static_assert(sizeof(CUgraphExecUpdateResultInfo) ==
              sizeof(cudaGraphExecUpdateResultInfo));

CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags) try {
  return whenStarted([&] { return cudaGraphCreate(phGraph, flags); });
}
HET_CATCH

CUresult cuGraphDestroy(CUgraph hGraph) try {
  return whenStarted([&] { return cudaGraphDestroy(hGraph); });
}
HET_CATCH

CUresult cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph) try {
  return whenStarted([&] { return cudaGraphClone(phGraphClone, originalGraph); });
}
HET_CATCH

CUresult cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode,
                                CUgraph hClonedGraph) try {
  return whenStarted(
      [&] { return cudaGraphNodeFindInClone(phNode, hOriginalNode, hClonedGraph); });
}
HET_CATCH

CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type) try {
  return whenStarted([&] {
    return cudaGraphNodeGetType(hNode, reinterpret_cast<cudaGraphNodeType *>(type));
  });
}
HET_CATCH

CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes) try {
  return whenStarted([&] { return cudaGraphGetNodes(hGraph, nodes, numNodes); });
}
HET_CATCH

CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes,
                             size_t *numRootNodes) try {
  return whenStarted(
      [&] { return cudaGraphGetRootNodes(hGraph, rootNodes, numRootNodes); });
}
HET_CATCH

CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
                         size_t *numEdges) try {
  return whenStarted([&] { return cudaGraphGetEdges(hGraph, from, to, numEdges); });
}
HET_CATCH

CUresult cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
                            CUgraphEdgeData *edgeData, size_t *numEdges) try {
  return whenStarted([&] {
    return cudaGraphGetEdges_v2(
        hGraph, from, to, reinterpret_cast<cudaGraphEdgeData *>(edgeData), numEdges);
  });
}
HET_CATCH

CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
                                    size_t *numDependencies) try {
  return whenStarted(
      [&] { return cudaGraphNodeGetDependencies(hNode, dependencies, numDependencies); });
}
HET_CATCH

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode *dependencies,
                                       CUgraphEdgeData *edgeData,
                                       size_t *numDependencies) try {
  return whenStarted([&] {
    return cudaGraphNodeGetDependencies_v2(
        hNode, dependencies, reinterpret_cast<cudaGraphEdgeData *>(edgeData),
        numDependencies);
  });
}
HET_CATCH

CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
                                      size_t *numDependentNodes) try {
  return whenStarted([&] {
    return cudaGraphNodeGetDependentNodes(hNode, dependentNodes, numDependentNodes);
  });
}
HET_CATCH

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, CUgraphNode *dependentNodes,
                                         CUgraphEdgeData *edgeData,
                                         size_t *numDependentNodes) try {
  return whenStarted([&] {
    return cudaGraphNodeGetDependentNodes_v2(
        hNode, dependentNodes, reinterpret_cast<cudaGraphEdgeData *>(edgeData),
        numDependentNodes);
  });
}
HET_CATCH

CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from,
                                const CUgraphNode *to, size_t numDependencies) try {
  return whenStarted(
      [&] { return cudaGraphAddDependencies(hGraph, from, to, numDependencies); });
}
HET_CATCH

CUresult cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode *from,
                                   const CUgraphNode *to, const CUgraphEdgeData *edgeData,
                                   size_t numDependencies) try {
  return whenStarted([&] {
    return cudaGraphAddDependencies_v2(
        hGraph, from, to, reinterpret_cast<const cudaGraphEdgeData *>(edgeData),
        numDependencies);
  });
}
HET_CATCH

CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from,
                                   const CUgraphNode *to, size_t numDependencies) try {
  return whenStarted(
      [&] { return cudaGraphRemoveDependencies(hGraph, from, to, numDependencies); });
}
HET_CATCH

CUresult cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode *from,
                                      const CUgraphNode *to,
                                      const CUgraphEdgeData *edgeData,
                                      size_t numDependencies) try {
  return whenStarted([&] {
    return cudaGraphRemoveDependencies_v2(
        hGraph, from, to, reinterpret_cast<const cudaGraphEdgeData *>(edgeData),
        numDependencies);
  });
}
HET_CATCH

CUresult cuGraphDestroyNode(CUgraphNode hNode) try {
  return whenStarted([&] { return cudaGraphDestroyNode(hNode); });
}
HET_CATCH

CUresult cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph,
                                     unsigned long long flags) try {
  return through(
      [&] { return cudaGraphInstantiateWithFlags(phGraphExec, hGraph, flags); });
}
HET_CATCH

CUresult
cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
                             CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams) try {
  return through([&] {
    return cudaGraphInstantiateWithParams(
        phGraphExec, hGraph,
        reinterpret_cast<cudaGraphInstantiateParams *>(instantiateParams));
  });
}
HET_CATCH

CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags) try {
  return whenStarted([&] {
    return cudaGraphExecGetFlags(hGraphExec,
                                 reinterpret_cast<unsigned long long *>(flags));
  });
}
HET_CATCH

CUresult cuGraphExecUpdate_v2(CUgraphExec hGraphExec, CUgraph hGraph,
                              CUgraphExecUpdateResultInfo *resultInfo) try {
  return through([&] {
    return cudaGraphExecUpdate(
        hGraphExec, hGraph,
        reinterpret_cast<cudaGraphExecUpdateResultInfo *>(resultInfo));
  });
}
HET_CATCH

CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream) try {
  return through([&] { return cudaGraphUpload(hGraphExec, hStream); });
}
HET_CATCH

CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream) try {
  return through([&] { return cudaGraphLaunch(hGraphExec, hStream); });
}
HET_CATCH

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec) try {
  return through([&] { return cudaGraphExecDestroy(hGraphExec); });
}
HET_CATCH

CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags) try {
  return whenStarted([&] { return cudaGraphDebugDotPrint(hGraph, path, flags); });
}
HET_CATCH

CUresult cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy,
                            unsigned int initialRefcount, unsigned int flags) try {
  return whenStarted([&] {
    return cudaUserObjectCreate(object_out, ptr, destroy, initialRefcount, flags);
  });
}
HET_CATCH

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) try {
  return whenStarted([&] { return cudaUserObjectRetain(object, count); });
}
HET_CATCH

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) try {
  return whenStarted([&] { return cudaUserObjectRelease(object, count); });
}
HET_CATCH

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
                                 unsigned int flags) try {
  return whenStarted(
      [&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}
HET_CATCH

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object,
                                  unsigned int count) try {
  return whenStarted([&] { return cudaGraphReleaseUserObject(graph, object, count); });
}
HET_CATCH

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr,
                                      void *value) try {
  return whenStarted([&] {
    return cudaDeviceGetGraphMemAttribute(
        device, static_cast<cudaGraphMemAttributeType>(attr), value);
  });
}
HET_CATCH

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr,
                                      void *value) try {
  return whenStarted([&] {
    return cudaDeviceSetGraphMemAttribute(
        device, static_cast<cudaGraphMemAttributeType>(attr), value);
  });
}
HET_CATCH

CUresult cuDeviceGraphMemTrim(CUdevice device) try {
  return whenStarted([&] { return cudaDeviceGraphMemTrim(device); });
}
HET_CATCH
