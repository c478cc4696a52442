// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: nodes of graphs whose parameters differ from the runtime API's: kernels by
// their handles, copies of boxes, and nodes of any kind.

#include "Driver.h"

#include "../GraphNodes.h"
#include "../Memory.h"
#include "../StreamValues.h"

#include <algorithm>
#include <cstring>
#include <iterator>

using namespace het::cuda;
using namespace het::cuda::driver;

namespace {

/// Kernel parameters of any version. A kernel has one of two handles, which are the same.
template <typename Params>
cudaError_t toRuntime(const Params *from, cudaKernelNodeParams &to) {
  if (!from)
    return cudaErrorInvalidValue;
  CUfunction function =
      from->func ? from->func : reinterpret_cast<CUfunction>(from->kern);
  to = {function,
        {from->gridDimX, from->gridDimY, from->gridDimZ},
        {from->blockDimX, from->blockDimY, from->blockDimZ},
        from->sharedMemBytes,
        from->kernelParams,
        from->extra};
  return function ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/// One side of a copy that the runtime API describes.
struct Side {
  CUmemorytype type = CU_MEMORYTYPE_ARRAY;
  void *host = nullptr;
  CUdeviceptr device = 0;
  CUarray array = nullptr;
  size_t pitch = 0, height = 0, x = 0;
};

Side sideOf(cudaArray_t array, const cudaPitchedPtr &pointer, size_t x, size_t element) {
  Side side;
  side.array = handleOf(array);
  side.x = x * (array ? element : 1);
  if (array)
    return side;
  const bool isHosts = findMemory(pointer.ptr).kind == MemoryKind::Unknown;
  side.type = isHosts ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  side.host = isHosts ? pointer.ptr : nullptr;
  side.device = isHosts ? 0 : addressOf(pointer.ptr);
  side.pitch = pointer.pitch;
  side.height = pointer.ysize;
  return side;
}

/// Bytes of the elements that an extent counts.
size_t elementOf(const cudaMemcpy3DParms &copy) {
  cudaChannelFormatDesc format = {};
  cudaArray_t array = copy.srcArray ? copy.srcArray : copy.dstArray;
  if (!array || cudaGetChannelDesc(&format, array))
    return 1;
  return static_cast<size_t>(format.x + format.y + format.z + format.w) / 8;
}

CUDA_MEMCPY3D toDriver(const cudaMemcpy3DParms &copy) {
  const size_t element = elementOf(copy);
  const Side from = sideOf(copy.srcArray, copy.srcPtr, copy.srcPos.x, element);
  const Side to = sideOf(copy.dstArray, copy.dstPtr, copy.dstPos.x, element);
  CUDA_MEMCPY3D result;
  std::memset(&result, 0, sizeof(result)); // its enumerations have no zero
  result.srcXInBytes = from.x;
  result.srcY = copy.srcPos.y;
  result.srcZ = copy.srcPos.z;
  result.srcMemoryType = from.type;
  result.srcHost = from.host;
  result.srcDevice = from.device;
  result.srcArray = from.array;
  result.srcPitch = from.pitch;
  result.srcHeight = from.height;
  result.dstXInBytes = to.x;
  result.dstY = copy.dstPos.y;
  result.dstZ = copy.dstPos.z;
  result.dstMemoryType = to.type;
  result.dstHost = to.host;
  result.dstDevice = to.device;
  result.dstArray = to.array;
  result.dstPitch = to.pitch;
  result.dstHeight = to.height;
  result.WidthInBytes = copy.extent.width * element;
  result.Height = copy.extent.height;
  result.Depth = copy.extent.depth;
  return result;
}

/// The runtime API's form of parameters of any kind but copies, which have none.
cudaError_t toRuntime(CUgraphNodeParams &from, cudaGraphNodeParams &to) {
  to.type = static_cast<cudaGraphNodeType>(from.type);
  switch (from.type) {
  case CU_GRAPH_NODE_TYPE_KERNEL: {
    cudaKernelNodeParams kernel = {};
    cudaError_t error = toRuntime(&from.kernel, kernel);
    to.kernel = {kernel.func,           kernel.gridDim,      kernel.blockDim,
                 kernel.sharedMemBytes, kernel.kernelParams, kernel.extra};
    return error;
  }
  case CU_GRAPH_NODE_TYPE_MEMSET:
    to.memset = {pointerOf(from.memset.dst), from.memset.pitch, from.memset.value,
                 from.memset.elementSize,    from.memset.width, from.memset.height};
    return cudaSuccess;
  case CU_GRAPH_NODE_TYPE_CONDITIONAL:
    to.conditional = {from.conditional.handle,
                      static_cast<cudaGraphConditionalNodeType>(from.conditional.type),
                      from.conditional.size, nullptr};
    return cudaSuccess;
  default: // laid out alike
    static_assert(sizeof(from.reserved1) == sizeof(to.reserved1));
    std::copy(std::begin(from.reserved1), std::end(from.reserved1), to.reserved1);
    return cudaSuccess;
  }
}

/// Tells the caller what was made.
void giveBack(const cudaGraphNodeParams &from, CUgraphNodeParams &to) {
  if (from.type == cudaGraphNodeTypeMemAlloc)
    to.alloc.dptr = addressOf(from.alloc.dptr);
  if (from.type == cudaGraphNodeTypeConditional)
    to.conditional.phGraph_out = from.conditional.phGraph_out;
}

/// Returns a function that makes a copy.
auto withBox(const CUDA_MEMCPY3D *params) {
  return [params](CopyOperation &copy) { return driver::makeBox(params, copy); };
}

} // namespace

CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph,
                                 const CUgraphNode *dependencies, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS *params) try {
  return through([&] {
    cudaKernelNodeParams converted = {};
    cudaError_t error = toRuntime(params, converted);
    return error ? error
                 : cudaGraphAddKernelNode(node, graph, dependencies, count, &converted);
  });
}
HET_CATCH

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node,
                                       const CUDA_KERNEL_NODE_PARAMS *params) try {
  return through([&] {
    cudaKernelNodeParams converted = {};
    cudaError_t error = toRuntime(params, converted);
    return error ? error : cudaGraphKernelNodeSetParams(node, &converted);
  });
}
HET_CATCH

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS *params) try {
  return through([&] {
    cudaKernelNodeParams converted = {};
    cudaError_t error = toRuntime(params, converted);
    return error ? error : cudaGraphExecKernelNodeSetParams(exec, node, &converted);
  });
}
HET_CATCH

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node,
                                       CUDA_KERNEL_NODE_PARAMS *params) try {
  return through([&] {
    cudaKernelNodeParams found = {};
    if (cudaError_t error = cudaGraphKernelNodeGetParams(node, params ? &found : nullptr))
      return error;
    CUfunction function = driver::handleOf(findFunction(found.func));
    *params = {function,
               found.gridDim.x,
               found.gridDim.y,
               found.gridDim.z,
               found.blockDim.x,
               found.blockDim.y,
               found.blockDim.z,
               found.sharedMemBytes,
               found.kernelParams,
               found.extra,
               reinterpret_cast<CUkernel>(function),
               currentContext()};
    return cudaSuccess;
  });
}
HET_CATCH

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMCPY3D *params, CUcontext) try {
  return through([&] {
    return addMade<CopyOperation>(node, graph, dependencies, count, withBox(params));
  });
}
HET_CATCH

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params) try {
  return through([&] { return changeNode<CopyOperation>(node, withBox(params)); });
}
HET_CATCH

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D *params, CUcontext) try {
  return through([&] { return changeStep<CopyOperation>(exec, node, withBox(params)); });
}
HET_CATCH

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *params) try {
  return through([&] {
    cudaMemcpy3DParms found = {};
    cudaError_t error = cudaGraphMemcpyNodeGetParams(node, params ? &found : nullptr);
    if (!error)
      *params = toDriver(found);
    return error;
  });
}
HET_CATCH

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph,
                           const CUgraphNode *dependencies, const CUgraphEdgeData *edges,
                           size_t count, CUgraphNodeParams *params) try {
  return through([&] {
    const auto *converted = reinterpret_cast<const cudaGraphEdgeData *>(edges);
    if (!params)
      return cudaErrorInvalidValue;
    if (params->type == CU_GRAPH_NODE_TYPE_MEMCPY) {
      CopyOperation copy;
      cudaError_t error = driver::makeBox(&params->memcpy.copyParams, copy);
      return error ? error : addNode(node, graph, dependencies, converted, count, copy);
    }
    if (params->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) {
      const CUDA_BATCH_MEM_OP_NODE_PARAMS &from = params->memOp;
      ValuesOperation values;
      values.context = from.ctx ? from.ctx : currentContext();
      cudaError_t error = makeValues(from.paramArray, from.count, from.flags, values);
      return error ? error : addNode(node, graph, dependencies, converted, count, values);
    }
    cudaGraphNodeParams plain = {};
    if (cudaError_t error = toRuntime(*params, plain))
      return error;
    cudaError_t error =
        cudaGraphAddNode_v2(node, graph, dependencies, converted, count, &plain);
    giveBack(plain, *params);
    return error;
  });
}
HET_CATCH

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                        size_t count, CUgraphNodeParams *params) try {
  return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, params);
}
HET_CATCH

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params) try {
  if (params && params->type == CU_GRAPH_NODE_TYPE_MEMCPY)
    return cuGraphMemcpyNodeSetParams(node, &params->memcpy.copyParams);
  if (params && params->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return cuGraphBatchMemOpNodeSetParams(node, &params->memOp);
  return through([&] {
    cudaGraphNodeParams plain = {};
    cudaError_t error = params ? toRuntime(*params, plain) : cudaErrorInvalidValue;
    return error ? error : cudaGraphNodeSetParams(node, &plain);
  });
}
HET_CATCH

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  CUgraphNodeParams *params) try {
  if (params && params->type == CU_GRAPH_NODE_TYPE_MEMCPY)
    return cuGraphExecMemcpyNodeSetParams(exec, node, &params->memcpy.copyParams,
                                          nullptr);
  if (params && params->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return cuGraphExecBatchMemOpNodeSetParams(exec, node, &params->memOp);
  return through([&] {
    cudaGraphNodeParams plain = {};
    cudaError_t error = params ? toRuntime(*params, plain) : cudaErrorInvalidValue;
    return error ? error : cudaGraphExecNodeSetParams(exec, node, &plain);
  });
}
HET_CATCH
