// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one CUDA version that these headers advertise, 12.9.

#ifndef HET_VERSION_H
#define HET_VERSION_H

#define CUDART_VERSION 12090
#ifndef CUDA_VERSION
#define CUDA_VERSION 12090
#endif
#define __CUDART_API_VERSION CUDART_VERSION
#define __CUDA_API_VERSION CUDA_VERSION
#define __CUDA_API_VER_MAJOR__ 12
#define __CUDA_API_VER_MINOR__ 9

#endif // HET_VERSION_H
