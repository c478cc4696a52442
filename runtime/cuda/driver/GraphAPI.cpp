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

CUresult cuGraphCreate(CUgraph *graph, unsigned flags) try {
  return whenStarted([&] { return cudaGraphCreate(graph, flags); });
}
HET_CATCH

CUresult cuGraphDestroy(CUgraph graph) try {
  return whenStarted([&] { return cudaGraphDestroy(graph); });
}
HET_CATCH

CUresult cuGraphClone(CUgraph *clone, CUgraph original) try {
  return whenStarted([&] { return cudaGraphClone(clone, original); });
}
HET_CATCH

CUresult cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode original,
                                CUgraph clone) try {
  return whenStarted([&] { return cudaGraphNodeFindInClone(found, original, clone); });
}
HET_CATCH

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) try {
  return whenStarted([&] {
    return cudaGraphNodeGetType(node, reinterpret_cast<cudaGraphNodeType *>(type));
  });
}
HET_CATCH

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) try {
  return whenStarted([&] { return cudaGraphGetNodes(graph, nodes, count); });
}
HET_CATCH

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) try {
  return whenStarted([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}
HET_CATCH

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                         size_t *count) try {
  return whenStarted([&] { return cudaGraphGetEdges(graph, from, to, count); });
}
HET_CATCH

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                            CUgraphEdgeData *edges, size_t *count) try {
  return whenStarted([&] {
    return cudaGraphGetEdges_v2(graph, from, to,
                                reinterpret_cast<cudaGraphEdgeData *>(edges), count);
  });
}
HET_CATCH

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies,
                                    size_t *count) try {
  return whenStarted(
      [&] { return cudaGraphNodeGetDependencies(node, dependencies, count); });
}
HET_CATCH

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *dependencies,
                                       CUgraphEdgeData *edges, size_t *count) try {
  return whenStarted([&] {
    return cudaGraphNodeGetDependencies_v2(
        node, dependencies, reinterpret_cast<cudaGraphEdgeData *>(edges), count);
  });
}
HET_CATCH

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes,
                                      size_t *count) try {
  return whenStarted([&] { return cudaGraphNodeGetDependentNodes(node, nodes, count); });
}
HET_CATCH

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes,
                                         CUgraphEdgeData *edges, size_t *count) try {
  return whenStarted([&] {
    return cudaGraphNodeGetDependentNodes_v2(
        node, nodes, reinterpret_cast<cudaGraphEdgeData *>(edges), count);
  });
}
HET_CATCH

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                const CUgraphNode *to, size_t count) try {
  return whenStarted([&] { return cudaGraphAddDependencies(graph, from, to, count); });
}
HET_CATCH

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                   const CUgraphNode *to, const CUgraphEdgeData *edges,
                                   size_t count) try {
  return whenStarted([&] {
    return cudaGraphAddDependencies_v2(
        graph, from, to, reinterpret_cast<const cudaGraphEdgeData *>(edges), count);
  });
}
HET_CATCH

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                   const CUgraphNode *to, size_t count) try {
  return whenStarted([&] { return cudaGraphRemoveDependencies(graph, from, to, count); });
}
HET_CATCH

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                      const CUgraphNode *to, const CUgraphEdgeData *edges,
                                      size_t count) try {
  return whenStarted([&] {
    return cudaGraphRemoveDependencies_v2(
        graph, from, to, reinterpret_cast<const cudaGraphEdgeData *>(edges), count);
  });
}
HET_CATCH

CUresult cuGraphDestroyNode(CUgraphNode node) try {
  return whenStarted([&] { return cudaGraphDestroyNode(node); });
}
HET_CATCH

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                     unsigned long long flags) try {
  return through([&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}
HET_CATCH

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *params) try {
  return through([&] {
    return cudaGraphInstantiateWithParams(
        exec, graph, reinterpret_cast<cudaGraphInstantiateParams *>(params));
  });
}
HET_CATCH

CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags) try {
  return whenStarted([&] {
    return cudaGraphExecGetFlags(exec, reinterpret_cast<unsigned long long *>(flags));
  });
}
HET_CATCH

CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                              CUgraphExecUpdateResultInfo *info) try {
  return through([&] {
    return cudaGraphExecUpdate(exec, graph,
                               reinterpret_cast<cudaGraphExecUpdateResultInfo *>(info));
  });
}
HET_CATCH

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) try {
  return through([&] { return cudaGraphUpload(exec, stream); });
}
HET_CATCH

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) try {
  return through([&] { return cudaGraphLaunch(exec, stream); });
}
HET_CATCH

CUresult cuGraphExecDestroy(CUgraphExec exec) try {
  return through([&] { return cudaGraphExecDestroy(exec); });
}
HET_CATCH

CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags) try {
  return whenStarted([&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}
HET_CATCH

CUresult cuUserObjectCreate(CUuserObject *object, void *ptr, CUhostFn destroy,
                            unsigned references, unsigned flags) try {
  return whenStarted(
      [&] { return cudaUserObjectCreate(object, ptr, destroy, references, flags); });
}
HET_CATCH

CUresult cuUserObjectRetain(CUuserObject object, unsigned count) try {
  return whenStarted([&] { return cudaUserObjectRetain(object, count); });
}
HET_CATCH

CUresult cuUserObjectRelease(CUuserObject object, unsigned count) try {
  return whenStarted([&] { return cudaUserObjectRelease(object, count); });
}
HET_CATCH

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                 unsigned flags) try {
  return whenStarted(
      [&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}
HET_CATCH

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object,
                                  unsigned count) try {
  return whenStarted([&] { return cudaGraphReleaseUserObject(graph, object, count); });
}
HET_CATCH

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void *value) try {
  return whenStarted([&] {
    return cudaDeviceGetGraphMemAttribute(
        device, static_cast<cudaGraphMemAttributeType>(attribute), value);
  });
}
HET_CATCH

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void *value) try {
  return whenStarted([&] {
    return cudaDeviceSetGraphMemAttribute(
        device, static_cast<cudaGraphMemAttributeType>(attribute), value);
  });
}
HET_CATCH

CUresult cuDeviceGraphMemTrim(CUdevice device) try {
  return whenStarted([&] { return cudaDeviceGraphMemTrim(device); });
}
HET_CATCH
