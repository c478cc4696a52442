// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables in device memory, named by their shadows on the host.

#include "Context.h"
#include "Copy.h"
#include "Errors.h"
#include "Module.h"

using namespace het::cuda;

/// Finds a variable and its address on the current device.
static cudaError_t locate(const void *symbol, Variable *&variable, void *&address) {
  variable = findVariable(symbol);
  if (!variable)
    return cudaErrorInvalidSymbol;
  Device *device = nullptr;
  cudaError_t error = useCurrentDevice(device);
  return error ? error : addressOf(*variable, *device, address);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) try {
  if (!pointer)
    return remember(cudaErrorInvalidValue);
  Variable *variable = nullptr;
  return remember(locate(symbol, variable, *pointer));
}
HET_CATCH

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) try {
  Variable *variable = findVariable(symbol);
  if (!size)
    return remember(cudaErrorInvalidValue);
  if (!variable)
    return remember(cudaErrorInvalidSymbol);
  *size = variable->size;
  return cudaSuccess;
}
HET_CATCH

/// The address of `size` bytes at `offset` in a variable.
static cudaError_t part(const void *symbol, size_t size, size_t offset, char *&address) {
  Variable *variable = nullptr;
  void *base = nullptr;
  if (cudaError_t error = locate(symbol, variable, base))
    return error;
  if (offset > variable->size || size > variable->size - offset)
    return cudaErrorInvalidValue;
  address = static_cast<char *>(base) + offset;
  return cudaSuccess;
}

/// Where a copy to a variable goes.
static cudaError_t targetOf(const void *symbol, size_t size, size_t offset,
                            cudaMemcpyKind kind, char *&to) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  return part(symbol, size, offset, to);
}

/// Where a copy from a variable begins.
static cudaError_t sourceOf(const void *symbol, size_t size, size_t offset,
                            cudaMemcpyKind kind, char *&from) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  return part(symbol, size, offset, from);
}

static cudaError_t copyTo(const void *symbol, const void *from, size_t size,
                          size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                          Wait wait) {
  char *to = nullptr;
  CopyOperation copy;
  if (cudaError_t error = targetOf(symbol, size, offset, kind, to))
    return error;
  if (cudaError_t error = makeCopy(to, from, size, kind, copy))
    return error;
  return submitCopy(stream, copy, wait);
}

static cudaError_t copyFrom(void *to, const void *symbol, size_t size, size_t offset,
                            cudaMemcpyKind kind, cudaStream_t stream, Wait wait) {
  char *from = nullptr;
  CopyOperation copy;
  if (cudaError_t error = sourceOf(symbol, size, offset, kind, from))
    return error;
  if (cudaError_t error = makeCopy(to, from, size, kind, copy))
    return error;
  return submitCopy(stream, copy, wait);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size,
                               size_t offset, cudaMemcpyKind kind) try {
  return remember(copyTo(symbol, from, size, offset, kind, nullptr, Wait::Yes));
}
HET_CATCH

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size,
                                    size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream) try {
  return remember(copyTo(symbol, from, size, offset, kind, stream, Wait::No));
}
HET_CATCH

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset,
                                 cudaMemcpyKind kind) try {
  return remember(copyFrom(to, symbol, size, offset, kind, nullptr, Wait::Yes));
}
HET_CATCH

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size,
                                      size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) try {
  return remember(copyFrom(to, symbol, size, offset, kind, stream, Wait::No));
}
HET_CATCH

// Nodes of graphs

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies,
                                           size_t count, const void *symbol,
                                           const void *from, size_t size, size_t offset,
                                           cudaMemcpyKind kind) try {
  char *to = nullptr;
  cudaError_t error = targetOf(symbol, size, offset, kind, to);
  return error ? remember(error)
               : cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, to, from,
                                          size, kind);
}
HET_CATCH

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *dependencies,
                                             size_t count, void *to, const void *symbol,
                                             size_t size, size_t offset,
                                             cudaMemcpyKind kind) try {
  char *from = nullptr;
  cudaError_t error = sourceOf(symbol, size, offset, kind, from);
  return error ? remember(error)
               : cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, to, from,
                                          size, kind);
}
HET_CATCH

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                 const void *from, size_t size,
                                                 size_t offset, cudaMemcpyKind kind) try {
  char *to = nullptr;
  cudaError_t error = targetOf(symbol, size, offset, kind, to);
  return error ? remember(error)
               : cudaGraphMemcpyNodeSetParams1D(node, to, from, size, kind);
}
HET_CATCH

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to,
                                                   const void *symbol, size_t size,
                                                   size_t offset,
                                                   cudaMemcpyKind kind) try {
  char *from = nullptr;
  cudaError_t error = sourceOf(symbol, size, offset, kind, from);
  return error ? remember(error)
               : cudaGraphMemcpyNodeSetParams1D(node, to, from, size, kind);
}
HET_CATCH

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                     cudaGraphNode_t node,
                                                     const void *symbol, const void *from,
                                                     size_t size, size_t offset,
                                                     cudaMemcpyKind kind) try {
  char *to = nullptr;
  cudaError_t error = targetOf(symbol, size, offset, kind, to);
  return error ? remember(error)
               : cudaGraphExecMemcpyNodeSetParams1D(exec, node, to, from, size, kind);
}
HET_CATCH

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                       cudaGraphNode_t node, void *to,
                                                       const void *symbol, size_t size,
                                                       size_t offset,
                                                       cudaMemcpyKind kind) try {
  char *from = nullptr;
  cudaError_t error = sourceOf(symbol, size, offset, kind, from);
  return error ? remember(error)
               : cudaGraphExecMemcpyNodeSetParams1D(exec, node, to, from, size, kind);
}
HET_CATCH
