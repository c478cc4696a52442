// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares what CUDA source has without including anything: the compiler passes this file
// with -include ahead of every CUDA translation unit, for device and host alike.
//
// The order matters. Device overloads of the C math functions must be declared
// before <cmath> is read, because a constexpr function of the standard library
// becomes host and device and could not be overloaded afterwards. This is the
// scheme of Clang's own CUDA headers, of which the declarations and the std:: overloads
// are used as they are.

#ifndef HET_CUDA_PRELUDE_H
#define HET_CUDA_PRELUDE_H

// Also where it is named by its path: what users ask to be warned of is theirs.
#pragma GCC system_header

#if !defined(__CUDA__) || !defined(__clang__)
#error "__het_cuda_prelude.h is passed by hetcc to CUDA source; do not include it"
#endif

// Code is always generated for one architecture, whose builtins are all there.
// The one that was asked for shows in __CUDA_ARCH__ alone.
#if defined(__CUDA_ARCH__) && defined(__HET_CUDA_ARCH__)
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ __HET_CUDA_ARCH__
#endif

// Where the runtime lies, for programs that another linker makes (runtime/stubs).
#if !defined(__CUDA_ARCH__) && !defined(__HET_CUDART_NONE__)
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    const char hetRuntimePlace[] __attribute__((weak, visibility("hidden")));
const char hetRuntimePlace[] = __FILE__;
#endif

#define __NVCC__ 1
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 86
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#define CUDA_DOUBLE_MATH_FUNCTIONS 1

#include "__het/version.h"

#ifdef __cplusplus
#include <__clang_cuda_math_forward_declares.h>

// <math.h> and <stdlib.h> bring the overloads of std:: into the global
// namespace, where abs(float) would otherwise be abs(int).
#include <climits>
#include <cmath>
#include <cstdlib>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// assert() of the C library ends in __assert_fail, for host and device alike: headers
// declare it again as such. With NDEBUG <assert.h> would not declare it.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#pragma clang force_cuda_host_device begin
#include <assert.h>
#pragma clang force_cuda_host_device end
#undef assert
#pragma pop_macro("NDEBUG")

#include "cuda_runtime.h"

#include "__het/class_traits.h"
#include "__het/device_libdevice.h"

#include "__het/device_arithmetic.h"
#include "__het/device_conversions.h"

#include <__clang_cuda_math.h>

#include "__het/device_math.h"
#include "__het/math_overloads.h"

#include <__clang_cuda_cmath.h>

// Of the functions with a pointer this one has neither a template nor a constexpr form
// for long double, so that what is for both sides could not choose between float and
// double.
__device__ long double frexp(long double, int *);
namespace std {
using ::frexp;
}

#include "__het/device_atomics.h"
#include "__het/device_cache.h"
#include "__het/device_dpx.h"
#include "__het/device_runtime.h"
#include "__het/device_simd.h"
#include "__het/device_system.h"
#include "__het/device_teams.h"
#include "__het/surface_access.h"
#include "__het/texture_fetch.h"
#ifdef __HET_TEXTURE_REFERENCES__ // a source names one: lib/Frontend/SourceRepairs.h
#include "__het/texture_references.h"
#endif

#include <__clang_cuda_complex_builtins.h>

// Clang's header, which adds new and delete for devices, asks for malloc and free there.
#include <new>

// nvcc includes it for its closures' wrappers, and programs rely on what comes with it.
#ifdef __CUDACC_EXTENDED_LAMBDA__
#include <functional>
#endif
#endif

#endif // HET_CUDA_PRELUDE_H
