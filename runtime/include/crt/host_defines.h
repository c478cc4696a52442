// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's declaration specifiers.
//
// When CUDA source is compiled they are Clang's attributes; for a host
// compiler, which reads these headers for the API alone, they vanish.

#ifndef HET_CRT_HOST_DEFINES_H
#define HET_CRT_HOST_DEFINES_H
#define __HOST_DEFINES_H__
#define __CUDA_HOST_DEFINES_H__

#if defined(__CUDA__)
#define __global__ __attribute__((global))
// hetcc's own attributes: calls of host functions are looked at late
// (lib/Frontend/FunctionsOfBothSides.h), and no constructor runs (SharedVariables.h).
#ifdef __HET_CUDA_ARCH__
#define __host__ __attribute__((host, het_side))
#define __device__ __attribute__((device, het_side))
#define __shared__ __attribute__((shared, het_shared))
#else
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#endif
#define __constant__ __attribute__((constant))
// A managed variable is a device variable whose host object is the same
// storage. The front end recognises it by the annotation, see
// docs/dev/front-end-names.md.
#define __managed__ __attribute__((device, annotate("het.managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(n)
#define __grid_constant__ __attribute__((grid_constant))
// As __managed__; Clang's own attribute says nothing to code for NVIDIA's devices.
#define __cluster_dims__(...) __attribute__((annotate("het.cluster_dims", __VA_ARGS__)))
#define __nv_pure__ __attribute__((pure))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __maxnreg__(n)
#define __grid_constant__
#define __cluster_dims__(...)
#define __nv_pure__
#endif

// Clang knows __noinline__ as a keyword in CUDA source; a macro of that name
// would break the attribute spelling that C++ libraries use.
#if !defined(__CUDA__) && !defined(__cplusplus)
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __no_return__ __attribute__((noreturn))
#define __thread__ __thread
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDA_CB
#define CUDAAPI

#ifdef __cplusplus
#define HET_DEFAULT(value) = value
#define HET_EXTERN_C_BEGIN extern "C" {
#define HET_EXTERN_C_END }
#else
#define HET_DEFAULT(value)
#define HET_EXTERN_C_BEGIN
#define HET_EXTERN_C_END
#endif

#endif // HET_CRT_HOST_DEFINES_H
