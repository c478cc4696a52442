// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the driver API's functions whose default stream is the calling thread's
// own, as CUDA has them: `_ptds` for functions that wait, `_ptsz` for those that
// take a stream. Where a macro leads to a later form (cuMemcpyHtoD_v2), that
// form's name stands here. runtime/cuda/PerThread.def lists the same functions.

#ifndef HET_PER_THREAD_DRIVER_H
#define HET_PER_THREAD_DRIVER_H

#define __CUDA_API_PER_THREAD_DEFAULT_STREAM

#define cuEventRecord cuEventRecord_ptsz
#define cuEventRecordWithFlags cuEventRecordWithFlags_ptsz
#define cuGetProcAddress_v2 cuGetProcAddress_v2_ptsz
#define cuGraphicsMapResources cuGraphicsMapResources_ptsz
#define cuGraphicsUnmapResources cuGraphicsUnmapResources_ptsz
#define cuLaunchCooperativeKernel cuLaunchCooperativeKernel_ptsz
#define cuLaunchHostFunc cuLaunchHostFunc_ptsz
#define cuLaunchKernel cuLaunchKernel_ptsz
#define cuLaunchKernelEx cuLaunchKernelEx_ptsz
#define cuMemAllocAsync cuMemAllocAsync_ptsz
#define cuMemAllocFromPoolAsync cuMemAllocFromPoolAsync_ptsz
#define cuMemFreeAsync cuMemFreeAsync_ptsz
#define cuMemPrefetchAsync cuMemPrefetchAsync_ptsz
#define cuMemcpy cuMemcpy_ptds
#define cuMemcpy2DAsync_v2 cuMemcpy2DAsync_v2_ptsz
#define cuMemcpy2DUnaligned_v2 cuMemcpy2DUnaligned_v2_ptds
#define cuMemcpy2D_v2 cuMemcpy2D_v2_ptds
#define cuMemcpy3DAsync_v2 cuMemcpy3DAsync_v2_ptsz
#define cuMemcpy3DPeer cuMemcpy3DPeer_ptds
#define cuMemcpy3DPeerAsync cuMemcpy3DPeerAsync_ptsz
#define cuMemcpy3D_v2 cuMemcpy3D_v2_ptds
#define cuMemcpyAsync cuMemcpyAsync_ptsz
#define cuMemcpyAtoA_v2 cuMemcpyAtoA_v2_ptds
#define cuMemcpyAtoD_v2 cuMemcpyAtoD_v2_ptds
#define cuMemcpyAtoHAsync_v2 cuMemcpyAtoHAsync_v2_ptsz
#define cuMemcpyAtoH_v2 cuMemcpyAtoH_v2_ptds
#define cuMemcpyDtoA_v2 cuMemcpyDtoA_v2_ptds
#define cuMemcpyDtoDAsync_v2 cuMemcpyDtoDAsync_v2_ptsz
#define cuMemcpyDtoD_v2 cuMemcpyDtoD_v2_ptds
#define cuMemcpyDtoHAsync_v2 cuMemcpyDtoHAsync_v2_ptsz
#define cuMemcpyDtoH_v2 cuMemcpyDtoH_v2_ptds
#define cuMemcpyHtoAAsync_v2 cuMemcpyHtoAAsync_v2_ptsz
#define cuMemcpyHtoA_v2 cuMemcpyHtoA_v2_ptds
#define cuMemcpyHtoDAsync_v2 cuMemcpyHtoDAsync_v2_ptsz
#define cuMemcpyHtoD_v2 cuMemcpyHtoD_v2_ptds
#define cuMemcpyPeer cuMemcpyPeer_ptds
#define cuMemcpyPeerAsync cuMemcpyPeerAsync_ptsz
#define cuMemsetD16Async cuMemsetD16Async_ptsz
#define cuMemsetD16_v2 cuMemsetD16_v2_ptds
#define cuMemsetD2D16Async cuMemsetD2D16Async_ptsz
#define cuMemsetD2D16_v2 cuMemsetD2D16_v2_ptds
#define cuMemsetD2D32Async cuMemsetD2D32Async_ptsz
#define cuMemsetD2D32_v2 cuMemsetD2D32_v2_ptds
#define cuMemsetD2D8Async cuMemsetD2D8Async_ptsz
#define cuMemsetD2D8_v2 cuMemsetD2D8_v2_ptds
#define cuMemsetD32Async cuMemsetD32Async_ptsz
#define cuMemsetD32_v2 cuMemsetD32_v2_ptds
#define cuMemsetD8Async cuMemsetD8Async_ptsz
#define cuMemsetD8_v2 cuMemsetD8_v2_ptds
#define cuStreamAddCallback cuStreamAddCallback_ptsz
#define cuStreamAttachMemAsync cuStreamAttachMemAsync_ptsz
#define cuStreamCopyAttributes cuStreamCopyAttributes_ptsz
#define cuStreamGetAttribute cuStreamGetAttribute_ptsz
#define cuStreamGetCtx cuStreamGetCtx_ptsz
#define cuStreamGetDevice cuStreamGetDevice_ptsz
#define cuStreamGetFlags cuStreamGetFlags_ptsz
#define cuStreamGetId cuStreamGetId_ptsz
#define cuStreamGetPriority cuStreamGetPriority_ptsz
#define cuStreamQuery cuStreamQuery_ptsz
#define cuStreamSetAttribute cuStreamSetAttribute_ptsz
#define cuStreamSynchronize cuStreamSynchronize_ptsz
#define cuStreamWaitEvent cuStreamWaitEvent_ptsz

#endif // HET_PER_THREAD_DRIVER_H
