// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device runtime: what kernels launch, copy and ask by themselves. Nothing runs while
// the grid does: each call leaves a record (launch_records.h) that the runtime carries
// out when the grid has ended, in the order in which records were made. That is an order
// which every stream and event allows, so that these are no more than names.

#ifndef HET_DEVICE_RUNTIME_H
#define HET_DEVICE_RUNTIME_H

#include "../crt/host_defines.h"
#include "../driver_types.h"
#include "device_atomics.h"
#include "device_system.h"
#include "launch_records.h"
#ifndef __CUDACC_RTC__
#include <stddef.h>
#endif

// For what is seldom reached, which is not made part of its callers.
#define HET_RUNTIME_SELDOM static __device__ __attribute__((noinline, unused))
#define HET_RUNTIME_CALL static __device__ __inline__ __attribute__((unused))

extern "C" {

__device__ void *__het_launches(void) __attribute__((const, nothrow));

//===----------------------------------------------------------------------===//
// Errors of a thread
//===----------------------------------------------------------------------===//

HET_RUNTIME_CALL struct HetLaunches *__het_launch_state() {
  return (struct HetLaunches *)__het_launches();
}

HET_RUNTIME_CALL unsigned long long __het_thread_number() {
  unsigned long long block =
      ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned long long thread =
      ((unsigned long long)threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
      threadIdx.x;
  return block * blockDim.x * blockDim.y * blockDim.z + thread + 1;
}

/// The thread's place among the errors; null: there is none. `isNew`: take one, if need
/// be.
HET_RUNTIME_CALL struct HetLaunchError *__het_error_place(bool isNew) {
  struct HetLaunches *state = __het_launch_state();
  const unsigned long long thread = __het_thread_number();
  for (unsigned i = 0; i < HET_LAUNCH_ERRORS; ++i) {
    struct HetLaunchError *place = &state->errors[(thread + i) % HET_LAUNCH_ERRORS];
    unsigned long long owner = isNew ? atomicCAS(&place->thread, 0ull, thread)
                                     : *(volatile unsigned long long *)&place->thread;
    if (owner == thread || (isNew && !owner))
      return place;
    if (!owner)
      return 0;
  }
  return 0;
}

HET_RUNTIME_SELDOM cudaError_t __het_remember(cudaError_t error) {
  if (error == cudaSuccess)
    return error;
  struct HetLaunches *state = __het_launch_state();
  struct HetLaunchError *place = __het_error_place(true);
  if (place)
    *(volatile unsigned *)&place->error = error;
  else
    atomicExch(&state->otherError, (unsigned)error);
  atomicAdd(&state->errorCount, 1u);
  return error;
}

HET_RUNTIME_SELDOM cudaError_t __het_last_error(bool isTaken) {
  struct HetLaunches *state = __het_launch_state();
  if (!*(volatile unsigned *)&state->errorCount)
    return cudaSuccess;
  struct HetLaunchError *place = __het_error_place(false);
  volatile unsigned *error = place ? &place->error : &state->otherError;
  cudaError_t found = (cudaError_t)*error;
  if (isTaken && found != cudaSuccess)
    *error = cudaSuccess;
  return found;
}

HET_RUNTIME_CALL cudaError_t cudaGetLastError() { return __het_last_error(true); }
HET_RUNTIME_CALL cudaError_t cudaPeekAtLastError() { return __het_last_error(false); }

HET_RUNTIME_SELDOM const char *__het_error_text(cudaError_t error, bool isName) {
  const char *list = (const char *)__het_launch_state()->errorTexts;
  const struct HetErrorText *entry = (const struct HetErrorText *)list;
  while (entry->code != (unsigned)error && entry->code != HET_NO_ERROR_TEXT)
    ++entry;
  return list + (isName ? entry->name : entry->text);
}

HET_RUNTIME_CALL const char *cudaGetErrorName(cudaError_t error) {
  return __het_error_text(error, true);
}
HET_RUNTIME_CALL const char *cudaGetErrorString(cudaError_t error) {
  return __het_error_text(error, false);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

#define HET_DEVICE_HANDLE 0xFC00000000000000ull

HET_RUNTIME_CALL unsigned long long __het_new_handle() {
  return HET_DEVICE_HANDLE | (atomicAdd(&__het_launch_state()->handles, 1u) + 1ull) << 4;
}

HET_RUNTIME_CALL bool __het_is_handle(const void *handle) {
  return (unsigned long long)handle >> 56 == HET_DEVICE_HANDLE >> 56;
}

HET_RUNTIME_CALL bool __het_is_stream(cudaStream_t stream) {
  return !stream || stream == cudaStreamTailLaunch || stream == cudaStreamFireAndForget ||
         __het_is_handle(stream);
}

HET_RUNTIME_CALL cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
                                                       unsigned int flags) {
  if (!stream || flags != cudaStreamNonBlocking)
    return __het_remember(cudaErrorInvalidValue);
  *stream = (cudaStream_t)__het_new_handle();
  return cudaSuccess;
}

HET_RUNTIME_CALL cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return __het_remember(__het_is_handle(stream) ? cudaSuccess
                                                : cudaErrorInvalidResourceHandle);
}

HET_RUNTIME_CALL cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event,
                                                      unsigned int flags) {
  if (!event || flags != cudaEventDisableTiming)
    return __het_remember(cudaErrorInvalidValue);
  *event = (cudaEvent_t)__het_new_handle();
  return cudaSuccess;
}

HET_RUNTIME_CALL cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0) {
  return __het_remember(__het_is_handle(event) && __het_is_stream(stream)
                            ? cudaSuccess
                            : cudaErrorInvalidResourceHandle);
}

HET_RUNTIME_CALL cudaError_t cudaEventRecordWithFlags(cudaEvent_t event,
                                                      cudaStream_t stream,
                                                      unsigned int flags) {
  return flags ? __het_remember(cudaErrorInvalidValue) : cudaEventRecord(event, stream);
}

HET_RUNTIME_CALL cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                                 unsigned int flags = 0) {
  return flags ? __het_remember(cudaErrorInvalidValue) : cudaEventRecord(event, stream);
}

HET_RUNTIME_CALL cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return __het_remember(__het_is_handle(event) ? cudaSuccess
                                               : cudaErrorInvalidResourceHandle);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// A new record; null: there are as many as may be.
HET_RUNTIME_CALL struct HetLaunchRecord *__het_new_record() {
  struct HetLaunches *state = __het_launch_state();
  unsigned place = *(volatile unsigned *)&state->used;
  if (place < state->limit)
    place = atomicAdd(&state->used, 1u);
  if (place >= state->limit) {
    __het_remember(cudaErrorLaunchPendingCountExceeded);
    return 0;
  }
  struct HetLaunchRecord *record = (struct HetLaunchRecord *)state->records + place;
  record->kind = HET_RECORD_NONE;
  record->order = place;
  record->tail = 0;
  return record;
}

/// Where Clang's code for a launch puts the arguments.
HET_RUNTIME_CALL void *cudaGetParameterBuffer(size_t alignment, size_t size) {
  (void)alignment;
  if (size > HET_MOST_ARGUMENTS) {
    __het_remember(cudaErrorInvalidValue);
    return 0;
  }
  struct HetLaunchRecord *record = __het_new_record();
  if (!record)
    return 0;
  record->argumentBytes = (unsigned)size;
  if (size <= HET_RECORD_ARGUMENTS)
    return record->arguments;
  struct HetLaunches *state = __het_launch_state();
  return (char *)state->large + record->order * HET_MOST_ARGUMENTS;
}

/// The record of arguments that cudaGetParameterBuffer gave.
HET_RUNTIME_CALL struct HetLaunchRecord *__het_record_of(const void *arguments) {
  struct HetLaunches *state = __het_launch_state();
  unsigned long long offset = (unsigned long long)arguments - state->records;
  unsigned long long place = offset / sizeof(struct HetLaunchRecord);
  if (place >= state->limit) {
    offset = (unsigned long long)arguments - state->large;
    place = offset / HET_MOST_ARGUMENTS;
  }
  return place < state->limit ? (struct HetLaunchRecord *)state->records + place : 0;
}

HET_RUNTIME_CALL bool __het_is_within(dim3 size, const unsigned *limits) {
  return size.x && size.y && size.z && size.x <= limits[0] && size.y <= limits[1] &&
         size.z <= limits[2];
}

HET_RUNTIME_CALL bool __het_is_shape(dim3 grid, dim3 block, unsigned sharedBytes) {
  struct HetLaunches *state = __het_launch_state();
  return __het_is_within(grid, state->maxGrid) &&
         __het_is_within(block, state->maxBlock) &&
         (unsigned long long)block.x * block.y * block.z <= state->maxThreads &&
         sharedBytes <= state->maxSharedBytes;
}

HET_RUNTIME_CALL cudaError_t __het_launch(const void *function, void *arguments,
                                          dim3 grid, dim3 block, unsigned sharedBytes,
                                          cudaStream_t stream) {
  struct HetLaunchRecord *record = __het_record_of(arguments);
  if (!record)
    return cudaErrorInvalidValue;
  if (!function)
    return cudaErrorInvalidDeviceFunction;
  if (!__het_is_stream(stream))
    return cudaErrorInvalidResourceHandle;
  if (!__het_is_shape(grid, block, sharedBytes))
    return cudaErrorInvalidConfiguration;
  record->tail = stream == cudaStreamTailLaunch;
  record->kernel = (unsigned long long)function;
  record->grid[0] = grid.x;
  record->grid[1] = grid.y;
  record->grid[2] = grid.z;
  record->block[0] = block.x;
  record->block[1] = block.y;
  record->block[2] = block.z;
  record->dynamicSharedBytes = sharedBytes;
  record->kind = HET_RECORD_LAUNCH;
  return cudaSuccess;
}

HET_RUNTIME_CALL cudaError_t cudaLaunchDevice(void *function, void *arguments, dim3 grid,
                                              dim3 block, unsigned int sharedBytes,
                                              cudaStream_t stream) {
  if (!arguments) // that was told
    return cudaPeekAtLastError();
  return __het_remember(
      __het_launch(function, arguments, grid, block, sharedBytes, stream));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

HET_RUNTIME_CALL cudaGraphExec_t cudaGetCurrentGraphExec() {
  return (cudaGraphExec_t)__het_launch_state()->graph;
}

/// By a kernel of a graph. A running graph may be launched again behind itself alone.
HET_RUNTIME_CALL cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  const bool isTail = stream == cudaStreamGraphTailLaunch;
  const bool isForgotten = stream == cudaStreamGraphFireAndForget ||
                           stream == cudaStreamGraphFireAndForgetAsSibling;
  const cudaGraphExec_t current = cudaGetCurrentGraphExec();
  if (!graph || !current || (!isTail && !isForgotten) ||
      (isForgotten && graph == current))
    return __het_remember(cudaErrorInvalidValue);
  struct HetLaunchRecord *record = __het_new_record();
  if (!record)
    return cudaErrorLaunchPendingCountExceeded;
  record->tail = isTail;
  record->kernel = (unsigned long long)graph;
  record->argumentBytes = 0;
  record->kind = HET_RECORD_GRAPH;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

HET_RUNTIME_CALL cudaError_t __het_move(unsigned kind, const struct HetCopyRecord *move,
                                        cudaStream_t stream) {
  if (!__het_is_stream(stream))
    return __het_remember(cudaErrorInvalidResourceHandle);
  if (!move->width || !move->height || !move->depth)
    return cudaSuccess;
  if (!move->to || (kind == HET_RECORD_COPY && !move->from))
    return __het_remember(cudaErrorInvalidValue);
  struct HetLaunchRecord *record = __het_new_record();
  if (!record)
    return cudaErrorLaunchPendingCountExceeded;
  record->tail = stream == cudaStreamTailLaunch;
  record->argumentBytes = sizeof(*move);
  *(struct HetCopyRecord *)record->arguments = *move;
  record->kind = kind;
  return cudaSuccess;
}

HET_RUNTIME_CALL cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                                             enum cudaMemcpyKind kind,
                                             cudaStream_t stream = 0) {
  if (kind > cudaMemcpyDefault)
    return __het_remember(cudaErrorInvalidMemcpyDirection);
  struct HetCopyRecord copy = {(unsigned long long)to,
                               (unsigned long long)from,
                               size,
                               size,
                               size,
                               size,
                               size,
                               1,
                               1,
                               0,
                               1};
  return __het_move(HET_RECORD_COPY, &copy, stream);
}

HET_RUNTIME_CALL cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                                               size_t fromPitch, size_t width,
                                               size_t height, enum cudaMemcpyKind kind,
                                               cudaStream_t stream = 0) {
  if (kind > cudaMemcpyDefault)
    return __het_remember(cudaErrorInvalidMemcpyDirection);
  if (width > toPitch || width > fromPitch)
    return __het_remember(cudaErrorInvalidPitchValue);
  struct HetCopyRecord copy = {(unsigned long long)to,
                               (unsigned long long)from,
                               toPitch,
                               fromPitch,
                               toPitch * height,
                               fromPitch * height,
                               width,
                               height,
                               1,
                               0,
                               1};
  return __het_move(HET_RECORD_COPY, &copy, stream);
}

HET_RUNTIME_CALL unsigned long long __het_place(struct cudaPitchedPtr box,
                                                struct cudaPos at) {
  return (unsigned long long)box.ptr + (at.z * box.ysize + at.y) * box.pitch + at.x;
}

HET_RUNTIME_CALL cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters,
                                               cudaStream_t stream = 0) {
  if (!parameters || parameters->srcArray || parameters->dstArray)
    return __het_remember(cudaErrorInvalidValue);
  if (parameters->kind > cudaMemcpyDefault)
    return __het_remember(cudaErrorInvalidMemcpyDirection);
  const struct cudaPitchedPtr *to = &parameters->dstPtr, *from = &parameters->srcPtr;
  const struct cudaExtent *extent = &parameters->extent;
  if (extent->width > to->pitch || extent->width > from->pitch)
    return __het_remember(cudaErrorInvalidPitchValue);
  struct HetCopyRecord copy = {__het_place(*to, parameters->dstPos),
                               __het_place(*from, parameters->srcPos),
                               to->pitch,
                               from->pitch,
                               to->pitch * to->ysize,
                               from->pitch * from->ysize,
                               extent->width,
                               extent->height,
                               extent->depth,
                               0,
                               1};
  return __het_move(HET_RECORD_COPY, &copy, stream);
}

HET_RUNTIME_CALL cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value,
                                               struct cudaExtent extent,
                                               cudaStream_t stream = 0) {
  if (extent.width > to.pitch && extent.height * extent.depth > 1)
    return __het_remember(cudaErrorInvalidPitchValue);
  struct HetCopyRecord fill = {(unsigned long long)to.ptr,
                               0,
                               to.pitch,
                               0,
                               to.pitch * to.ysize,
                               0,
                               extent.width,
                               extent.height,
                               extent.depth,
                               (unsigned char)value,
                               1};
  return __het_move(HET_RECORD_FILL, &fill, stream);
}

HET_RUNTIME_CALL cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value,
                                               size_t width, size_t height,
                                               cudaStream_t stream = 0) {
  struct cudaPitchedPtr box = {to, pitch, width, height};
  struct cudaExtent extent = {width, height, 1};
  return cudaMemset3DAsync(box, value, extent, stream);
}

HET_RUNTIME_CALL cudaError_t cudaMemsetAsync(void *to, int value, size_t size,
                                             cudaStream_t stream = 0) {
  return cudaMemset2DAsync(to, size, value, size, 1, stream);
}

//===----------------------------------------------------------------------===//
// Memory and the device
//===----------------------------------------------------------------------===//

HET_RUNTIME_CALL cudaError_t cudaMalloc(void **pointer, size_t size) {
  if (!pointer)
    return __het_remember(cudaErrorInvalidValue);
  *pointer = size ? malloc(size) : 0;
  return __het_remember(size && !*pointer ? cudaErrorMemoryAllocation : cudaSuccess);
}

HET_RUNTIME_CALL cudaError_t cudaFree(void *pointer) {
  free(pointer);
  return cudaSuccess;
}

HET_RUNTIME_CALL cudaError_t cudaGetDevice(int *device) {
  if (!device)
    return __het_remember(cudaErrorInvalidValue);
  *device = (int)__het_launch_state()->device;
  return cudaSuccess;
}

HET_RUNTIME_CALL cudaError_t cudaGetDeviceCount(int *count) {
  if (!count)
    return __het_remember(cudaErrorInvalidValue);
  *count = (int)__het_launch_state()->deviceCount;
  return cudaSuccess;
}

HET_RUNTIME_CALL cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which,
                                                    int device) {
  struct HetLaunches *state = __het_launch_state();
  if (device != (int)state->device)
    return __het_remember(cudaErrorInvalidDevice);
  if (!value || which <= 0 || which >= HET_LAUNCH_ATTRIBUTES ||
      state->attributes[which] == HET_NO_ATTRIBUTE)
    return __het_remember(cudaErrorInvalidValue);
  *value = state->attributes[which];
  return cudaSuccess;
}

HET_RUNTIME_CALL cudaError_t cudaRuntimeGetVersion(int *version) {
  if (!version)
    return __het_remember(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

} // extern "C"

template <typename T> HET_RUNTIME_CALL cudaError_t cudaMalloc(T **pointer, size_t size) {
  return cudaMalloc((void **)pointer, size);
}

#undef HET_RUNTIME_CALL
#undef HET_RUNTIME_SELDOM

#endif // HET_DEVICE_RUNTIME_H
