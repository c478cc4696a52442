/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * For libraries that put more than kernels into a program's streams: calls of a vendor's
 * library, which wants the stream of the vendor's driver, and functions of the host
 * (libhetrt.so; docs/design/libraries.md). What they put in is ordered as launches are.
 *
 * Neither is recorded by a capture unless it is asked for (hetRecordNative), and neither
 * follows a device that moves. So a library has kernels as well, and launches those where
 * it is refused. Every function may be called from any thread.
 */
#ifndef HET_NATIVE_H
#define HET_NATIVE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A device's target ("host", "ptx", ...; a text for ever), and whether work of the device
   may move to another one (hetrun --control, --hop, --checkpoint, ...). Either may be
   null. */
cudaError_t hetGetNativeTarget(int device, const char **target, int *mayMove);

/* Calls `work` once, before it returns, with the driver's stream behind a stream and its
   context current on this thread. For the target ptx: a CUstream of NVIDIA's libcuda.
   `work` puts work into that stream and changes neither it nor the context. Fails without
   calling it, beside what any launch fails with, with
     cudaErrorStreamCaptureUnsupported  the stream is capturing; the capture goes on
     cudaErrorNotSupported              there is no such stream, or the device may move */
cudaError_t hetEnqueueNative(cudaStream_t stream, void (*work)(void *stream, void *data),
                             void *data);

/* For a stream that captures: calls `work` once, before it returns, with a stream of the
   vendor's driver that does nothing but record, and makes what `work` puts there one node
   of the graph. `workspace` is memory of that many bytes that this work has for itself
   whenever it is done (null for 0): it is the node's, and outlives who has called. If
   `work` does not return 0, there is no node. Fails, beside what any launch fails with,
   with
     cudaErrorIllegalState              the stream does not capture; `work` is not called
     cudaErrorNotSupported              as hetEnqueueNative; `work` is not called
     cudaErrorStreamCaptureUnsupported  this work can not be recorded (it waits or
                                        allocates, or there is no memory for it); there is
                                        no node, and the capture goes on */
cudaError_t hetRecordNative(cudaStream_t stream, size_t workspaceSize,
                            int (*work)(void *stream, void *workspace, void *data),
                            void *data);

/* Has the stream call `work` when all before it is done, and go on when it returns.
   `isFaulted`: a kernel has failed, and nothing is to be done but to free `data`. `work`
   must not use CUDA's functions. The same failures; then it is never called. */
cudaError_t hetEnqueueCall(cudaStream_t stream, void (*work)(void *data, int isFaulted),
                           void *data);

#ifdef __cplusplus
}
#endif

#endif
