// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers, textures and renderbuffers of OpenGL as resources.

#ifndef HET_RUNTIME_CUDA_GRAPHICS_OPENGLRESOURCES_H
#define HET_RUNTIME_CUDA_GRAPHICS_OPENGLRESOURCES_H

#include "Resource.h"

namespace het::cuda {

/// Registers an object of the calling thread's context on its device.
cudaError_t registerBuffer(unsigned buffer, unsigned flags,
                           cudaGraphicsResource_t &resource);
cudaError_t registerImage(unsigned image, unsigned target, unsigned flags,
                          cudaGraphicsResource_t &resource);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_GRAPHICS_OPENGLRESOURCES_H
