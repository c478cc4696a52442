// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the runtime API's overloads and templates for C++.

#ifndef HET_RUNTIME_TEMPLATES_H
#define HET_RUNTIME_TEMPLATES_H

#include "../cuda_runtime_api.h"

#if __cplusplus >= 201103L
#include <utility>
#endif

// Called by the code that Clang makes of a <<<>>> launch.
extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                size_t sharedMem = 0,
                                                struct CUstream_st *stream = 0);

#define HET_API static __inline__ __host__ cudaError_t

HET_API cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

// Allocation
template <class T> HET_API cudaMalloc(T **devPtr, size_t size) {
  return ::cudaMalloc((void **)(void *)devPtr, size);
}
template <class T> HET_API cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
HET_API cudaMallocHost(void **ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(ptr, size, flags);
}
template <class T> HET_API cudaHostAlloc(T **ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
template <class T>
HET_API cudaHostGetDevicePointer(T **pDevice, void *pHost, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)pDevice, pHost, flags);
}
template <class T>
HET_API cudaMallocManaged(T **devPtr, size_t size,
                          unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)devPtr, size, flags);
}
template <class T>
HET_API cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void **)(void *)devPtr, pitch, width, height);
}
template <class T> HET_API cudaMallocAsync(T **ptr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)ptr, size, stream);
}
template <class T>
HET_API cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t memPool,
                        cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, memPool, stream);
}
HET_API cudaMallocAsync(void **ptr, size_t size, cudaMemPool_t memPool,
                        cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(ptr, size, memPool, stream);
}
template <class T>
HET_API cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t memPool,
                                cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, memPool, stream);
}
template <class T>
HET_API cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr, size_t length = 0,
                                 unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}

// Managed memory by location
HET_API cudaMemPrefetchAsync(const void *devPtr, size_t count, cudaMemLocation location,
                             unsigned int flags, cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync_v2(devPtr, count, location, flags, stream);
}
HET_API cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                      cudaMemLocation location) {
  return ::cudaMemAdvise_v2(devPtr, count, advice, location);
}

// Symbols: a device variable is named by its host object.
template <class T>
HET_API cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                           size_t offset = 0,
                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class T>
HET_API cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                                size_t offset = 0,
                                enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind,
                                   stream);
}
template <class T>
HET_API cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
template <class T>
HET_API cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count,
                                  size_t offset = 0,
                                  enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                  cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind,
                                     stream);
}
template <class T> HET_API cudaGetSymbolAddress(void **devPtr, const T &symbol) {
  return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}
template <class T> HET_API cudaGetSymbolSize(size_t *size, const T &symbol) {
  return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

// Kernels
template <class T>
HET_API cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                         size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem,
                            stream);
}
template <class T>
HET_API cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                    size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args,
                                       sharedMem, stream);
}
template <class T>
HET_API cudaFuncSetCacheConfig(T *func, enum cudaFuncCache cacheConfig) {
  return ::cudaFuncSetCacheConfig((const void *)func, cacheConfig);
}
template <class T>
HET_API cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}
template <class T>
HET_API cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *entry) {
  return ::cudaFuncGetAttributes(attr, (const void *)entry);
}
template <class T>
HET_API cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
template <class T> HET_API cudaFuncGetName(const char **name, T *func) {
  return ::cudaFuncGetName(name, (const void *)func);
}
template <class T> HET_API cudaGetFuncBySymbol(cudaFunction_t *functionPtr, T *symbol) {
  return ::cudaGetFuncBySymbol(functionPtr, (const void *)symbol);
}
template <class T> HET_API cudaGetKernel(cudaKernel_t *kernelPtr, T *func) {
  return ::cudaGetKernel(kernelPtr, (const void *)func);
}

// Several copies
HET_API cudaMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                             struct cudaMemcpyAttributes attrs, size_t *failIdx,
                             cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemcpyBatchAsync(dsts, srcs, sizes, count, &attrs, &first, 1, failIdx,
                                stream);
}

#if __cplusplus >= 201103L
// Arguments are converted to the kernel's parameter types first, so that args[]
// points at objects of exactly those types.
template <typename... Expected, typename... Actual>
HET_API cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Expected...),
                           Actual &&...args) {
  return [&](Expected... converted) {
    void *pArgs[sizeof...(Expected) + 1] = {(void *)&converted...};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, pArgs);
  }(std::forward<Actual>(args)...);
}
#endif

// Graphs
HET_API cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                             cudaGraphNode_t *pErrorNode, char *pLogBuffer,
                             size_t bufferSize) {
  (void)pErrorNode;
  if (pLogBuffer && bufferSize)
    pLogBuffer[0] = 0;
  return ::cudaGraphInstantiate(pGraphExec, graph, 0);
}
HET_API
cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                    cudaGraphNode_t *hErrorNode_out,
                    enum cudaGraphExecUpdateResult *updateResult_out) {
  cudaGraphExecUpdateResultInfo info;
  cudaError_t status = ::cudaGraphExecUpdate(hGraphExec, hGraph, &info);
  if (hErrorNode_out)
    *hErrorNode_out = info.errorNode;
  if (updateResult_out)
    *updateResult_out = info.result;
  return status;
}
template <class T>
HET_API cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies,
                                       size_t numDependencies, const T &symbol,
                                       const void *src, size_t count, size_t offset,
                                       enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies,
                                          numDependencies, (const void *)&symbol, src,
                                          count, offset, kind);
}
template <class T>
HET_API cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                         const cudaGraphNode_t *pDependencies,
                                         size_t numDependencies, void *dst,
                                         const T &symbol, size_t count, size_t offset,
                                         enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies,
                                            numDependencies, dst, (const void *)&symbol,
                                            count, offset, kind);
}
template <class T>
HET_API cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol,
                                             const void *src, size_t count, size_t offset,
                                             enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&symbol, src, count,
                                                offset, kind);
}
template <class T>
HET_API cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                               const T &symbol, size_t count,
                                               size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, (const void *)&symbol, count,
                                                  offset, kind);
}
template <class T>
HET_API
cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                         const T &symbol, const void *src, size_t count,
                                         size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(
      hGraphExec, node, (const void *)&symbol, src, count, offset, kind);
}
template <class T>
HET_API cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec,
                                                   cudaGraphNode_t node, void *dst,
                                                   const T &symbol, size_t count,
                                                   size_t offset,
                                                   enum cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(
      hGraphExec, node, dst, (const void *)&symbol, count, offset, kind);
}

#include "occupancy.h"

#undef HET_API

#endif // HET_RUNTIME_TEMPLATES_H
