// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables in device memory, named by their shadows on the host.

#include "Context.h"
#include "Copy.h"
#include "Errors.h"
#include "Module.h"

using namespace het::cuda;

/// Finds a variable and its address on the current device.
static cudaError_t locate(const void *symbol, Variable *&variable,
                          void *&address) {
  variable = findVariable(symbol);
  if (!variable)
    return cudaErrorInvalidSymbol;
  Device *device = currentDevice();
  return device ? addressOf(*variable, *device, address) : currentDeviceError();
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  if (!pointer)
    return remember(cudaErrorInvalidValue);
  Variable *variable = nullptr;
  return remember(locate(symbol, variable, *pointer));
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  Variable *variable = findVariable(symbol);
  if (!size)
    return remember(cudaErrorInvalidValue);
  if (!variable)
    return remember(cudaErrorInvalidSymbol);
  *size = variable->size;
  return cudaSuccess;
}

/// The address of `size` bytes at `offset` in a variable.
static cudaError_t part(const void *symbol, size_t size, size_t offset,
                        char *&address) {
  Variable *variable = nullptr;
  void *base = nullptr;
  if (cudaError_t error = locate(symbol, variable, base))
    return error;
  if (offset > variable->size || size > variable->size - offset)
    return cudaErrorInvalidValue;
  address = static_cast<char *>(base) + offset;
  return cudaSuccess;
}

static cudaError_t copyTo(const void *symbol, const void *from, size_t size,
                          size_t offset, cudaMemcpyKind kind,
                          cudaStream_t stream, Wait wait) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  char *to = nullptr;
  CopyOperation copy;
  if (cudaError_t error = part(symbol, size, offset, to))
    return error;
  if (cudaError_t error = makeCopy(to, from, size, kind, copy))
    return error;
  return submitCopy(stream, copy, wait);
}

static cudaError_t copyFrom(void *to, const void *symbol, size_t size,
                            size_t offset, cudaMemcpyKind kind,
                            cudaStream_t stream, Wait wait) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  char *from = nullptr;
  CopyOperation copy;
  if (cudaError_t error = part(symbol, size, offset, from))
    return error;
  if (cudaError_t error = makeCopy(to, from, size, kind, copy))
    return error;
  return submitCopy(stream, copy, wait);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                               size_t size, size_t offset,
                               cudaMemcpyKind kind) {
  return remember(copyTo(symbol, from, size, offset, kind, nullptr, Wait::Yes));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from,
                                    size_t size, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return remember(copyTo(symbol, from, size, offset, kind, stream, Wait::No));
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size,
                                 size_t offset, cudaMemcpyKind kind) {
  return remember(copyFrom(to, symbol, size, offset, kind, nullptr, Wait::Yes));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size,
                                      size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return remember(copyFrom(to, symbol, size, offset, kind, stream, Wait::No));
}
