// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices in Complex32.

#include "Multiply.cuh"

namespace het::blas {

template <> cudaError_t multiply(const Product<Complex32> &product, cudaStream_t stream) {
  return multiplyAny(product, stream);
}

} // namespace het::blas
