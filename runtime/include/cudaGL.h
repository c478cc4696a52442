// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenGL interoperability of the driver API. GLuint and GLenum are unsigned numbers;
// OpenGL's own header is included where it is found, unless the program has included a
// loader's ahead.

#ifndef HET_CUDAGL_H
#define HET_CUDAGL_H

#include "cuda.h"

#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif
#endif

typedef enum CUGLDeviceList_enum {
  CU_GL_DEVICE_LIST_ALL = 0x01,
  CU_GL_DEVICE_LIST_CURRENT_FRAME = 0x02,
  CU_GL_DEVICE_LIST_NEXT_FRAME = 0x03
} CUGLDeviceList;
typedef enum CUGLmap_flags_enum {
  CU_GL_MAP_RESOURCE_FLAGS_NONE = 0x00,
  CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 0x01,
  CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 0x02
} CUGLmap_flags;

#define cuGLCtxCreate cuGLCtxCreate_v2
#define cuGLMapBufferObject cuGLMapBufferObject_v2
#define cuGLMapBufferObjectAsync cuGLMapBufferObjectAsync_v2
#define cuGLGetDevices cuGLGetDevices_v2
#ifdef __CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuGLMapBufferObject_v2 cuGLMapBufferObject_v2_ptds
#define cuGLMapBufferObjectAsync_v2 cuGLMapBufferObjectAsync_v2_ptsz
#endif

HET_EXTERN_C_BEGIN
CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *pCudaResource,
                                    unsigned int buffer, unsigned int Flags);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *pCudaResource, unsigned int image,
                                   unsigned int target, unsigned int Flags);
CUresult cuGLGetDevices(unsigned int *pCudaDeviceCount, CUdevice *pCudaDevices,
                        unsigned int cudaDeviceCount, CUGLDeviceList deviceList);
CUresult cuGLCtxCreate(CUcontext *pCtx, unsigned int Flags, CUdevice device);
CUresult cuGLInit(void);
CUresult cuGLRegisterBufferObject(unsigned int buffer);
CUresult cuGLMapBufferObject(CUdeviceptr *dptr, size_t *size, unsigned int buffer);
CUresult cuGLMapBufferObjectAsync(CUdeviceptr *dptr, size_t *size, unsigned int buffer,
                                  CUstream hStream);
CUresult cuGLUnmapBufferObject(unsigned int buffer);
CUresult cuGLUnmapBufferObjectAsync(unsigned int buffer, CUstream hStream);
CUresult cuGLUnregisterBufferObject(unsigned int buffer);
CUresult cuGLSetBufferObjectMapFlags(unsigned int buffer, unsigned int Flags);
HET_EXTERN_C_END

#endif // HET_CUDAGL_H
