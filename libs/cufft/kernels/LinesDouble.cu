// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transforms computed in double.

#include "Lines.cuh"

namespace het::fft {

template cudaError_t transformLines<double>(const Pass &, cudaStream_t);

} // namespace het::fft
