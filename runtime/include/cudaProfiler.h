// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the driver API's profiler functions, cuProfilerStart and cuProfilerStop.

#ifndef HET_CUDAPROFILER_H
#define HET_CUDAPROFILER_H

#include "cuda.h"

#endif // HET_CUDAPROFILER_H
