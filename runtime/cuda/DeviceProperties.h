// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what a target says about a device to what CUDA programs ask for.

#ifndef HET_RUNTIME_CUDA_DEVICEPROPERTIES_H
#define HET_RUNTIME_CUDA_DEVICEPROPERTIES_H

#include "Api.h"

#include "het/Target/TargetABI.h"

namespace het::cuda {

cudaDeviceProp describe(const HetDeviceProperties &device, int ordinal);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_DEVICEPROPERTIES_H
