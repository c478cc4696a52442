// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transforms computed in float.

#include "Lines.cuh"

namespace het::fft {

template cudaError_t transformLines<float>(const Pass &, cudaStream_t);

} // namespace het::fft
