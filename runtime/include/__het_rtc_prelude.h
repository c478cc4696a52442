// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUDA source that is compiled while a program runs (NVRTC) has without including
// anything. As __het_cuda_prelude.h, without the headers of the C and C++ libraries: such
// sources bring their own, or do without.

#ifndef HET_RTC_PRELUDE_H
#define HET_RTC_PRELUDE_H

#pragma GCC system_header

#if !defined(__CUDA__) || !defined(__clang__)
#error "__het_rtc_prelude.h is passed by hetcc to CUDA source; do not include it"
#endif

// As __het_cuda_prelude.h has it.
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ __HET_CUDA_ARCH__

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 86
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#define __CUDACC_DEVICE_ATOMIC_BUILTINS__ 1
#define __CUDA_API_VER_MAJOR__ 12
#define __CUDA_API_VER_MINOR__ 9
#define CUDA_DOUBLE_MATH_FUNCTIONS 1

#include "__het/version.h"
// Of the driver's header alone.
#undef CUDA_VERSION

#include "__het/rtc_language.h"

#include "cuda_runtime.h"

#include "__het/class_traits.h"
#include "__het/device_libdevice.h"

#include "__het/device_arithmetic.h"
#include "__het/device_conversions.h"

// Clang's header asks for macros of the C library.
#define CUDA_VERSION 12090
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#include <__clang_cuda_math.h>
#undef CUDA_VERSION
#undef INT_MAX
#undef INT_MIN
#undef HUGE_VAL
#undef HUGE_VALF

#include "__het/rtc_math.h"

#include "__het/device_math.h"
#include "__het/math_overloads.h"

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

#include "__het/rtc_memory.h"

// NVRTC is no compiler of the host's, and its sources ask for it by __CUDACC_RTC__.
#undef __clang__
#undef __clang_major__
#undef __clang_minor__
#undef __clang_patchlevel__
#undef __clang_version__
#undef __llvm__
#undef __GNUC__
#undef __GNUC_MINOR__
#undef __GNUC_PATCHLEVEL__
#undef __GNUG__
#undef __GXX_ABI_VERSION
#undef __linux__
#undef __linux
#undef linux
#undef __gnu_linux__
#undef __unix__
#undef __unix
#undef unix
#undef __x86_64__
#undef __x86_64
#undef __amd64__
#undef __amd64

#endif // HET_RTC_PRELUDE_H
