// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of pointers to the functions of cudaGL.h, as cudaTypedefs.h has those of cuda.h.

#ifndef HET_CUDA_GL_TYPEDEFS_H
#define HET_CUDA_GL_TYPEDEFS_H

#include "cudaGL.h"

#define HET_POINTER(function) typedef __typeof__(&function) PFN_##function;
HET_POINTER(cuGLInit)
HET_POINTER(cuGLRegisterBufferObject)
HET_POINTER(cuGLSetBufferObjectMapFlags)
HET_POINTER(cuGLUnmapBufferObject)
HET_POINTER(cuGLUnmapBufferObjectAsync)
HET_POINTER(cuGLUnregisterBufferObject)
HET_POINTER(cuGraphicsGLRegisterBuffer)
HET_POINTER(cuGraphicsGLRegisterImage)
#undef HET_POINTER

#define HET_POINTER(function, form) typedef __typeof__(&form) PFN_##function;
HET_POINTER(cuGLCtxCreate, cuGLCtxCreate_v2)
HET_POINTER(cuGLGetDevices, cuGLGetDevices_v2)
HET_POINTER(cuGLMapBufferObject, cuGLMapBufferObject_v2)
HET_POINTER(cuGLMapBufferObjectAsync, cuGLMapBufferObjectAsync_v2)
#undef HET_POINTER

#endif // HET_CUDA_GL_TYPEDEFS_H
