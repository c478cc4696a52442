// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors of large matrices by blocks: a kernel has a block of columns, and cuBLAS's
// products have what is right of it. Small matrices are a block.

#ifndef HET_LIBS_CUSOLVER_BLOCKED_H
#define HET_LIBS_CUSOLVER_BLOCKED_H

#include "Library.h"

namespace het::solver::blocked {

template <class T>
cudaError_t factorCholesky(cusolverDnHandle_t handle, cublasFillMode_t part, Index n,
                           Matrices<T> a, int *info);
template <class T>
cudaError_t factorLU(cusolverDnHandle_t handle, Index m, Index n, Matrices<T> a,
                     Pivots pivots, int *info);
template <class T>
cudaError_t factorQR(cusolverDnHandle_t handle, Index m, Index n, Matrices<T> a, T *tau);
/// C = op(Q) C, or C op(Q). `identity`: C is that, so that a block of reflectors from k
/// on changes nothing before row and column k.
template <class T>
cudaError_t applyReflectors(cusolverDnHandle_t handle, const Reflectors<T> &r,
                            bool identity = false);

} // namespace het::solver::blocked

#endif // HET_LIBS_CUSOLVER_BLOCKED_H
