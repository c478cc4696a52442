// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices, element by element: sums, scaling of rows and columns, packed triangles, sums
// of rows.

#include "Launch.cuh"

namespace het::blas {

template <class T>
__global__ void addElements(Index m, Index n, Scalar<T> first, Matrix a, Scalar<T> second,
                            Matrix b, Matrix c) {
  const T alpha = valueOf(first), beta = valueOf(second);
  for (Index j = blockIdx.y; j < n; j += gridDim.y)
    for (Index i = threadNumber(); i < m; i += threadCount()) {
      T value = T(0);
      if (alpha != T(0)) {
        const T one = load<T>(a.base, i * a.rowStep + j * a.columnStep, a.type);
        value = alpha * (a.conjugated ? conjugate(one) : one);
      }
      if (beta != T(0)) {
        const T one = load<T>(b.base, i * b.rowStep + j * b.columnStep, b.type);
        value += beta * (b.conjugated ? conjugate(one) : one);
      }
      store<T>(c.base, i * c.rowStep + j * c.columnStep, c.type, value);
    }
}

template <class T>
cudaError_t addMatrices(Index m, Index n, Scalar<T> alpha, const Matrix &a,
                        Scalar<T> beta, const Matrix &b, const Matrix &c,
                        cudaStream_t stream) {
  if (!m || !n)
    return cudaSuccess;
  const dim3 grid(blocksFor(m), atMost(n));
  addElements<T><<<grid, blockThreads, 0, stream>>>(m, n, alpha, a, beta, b, c);
  return cudaGetLastError();
}

template <class T>
__global__ void scaleElements(bool rows, Index m, Index n, Matrix a, Vector x, Matrix c) {
  const T *factors = static_cast<const T *>(x.base);
  for (Index j = blockIdx.y; j < n; j += gridDim.y)
    for (Index i = threadNumber(); i < m; i += threadCount())
      static_cast<T *>(c.base)[i + j * c.columnStep] =
          load<T>(a.base, i + j * a.columnStep) *
          factors[placeOf(x, rows ? i : j, rows ? m : n)];
}

template <class T>
cudaError_t scaleByDiagonal(bool rows, Index m, Index n, const Matrix &a, Vector x,
                            const Matrix &c, cudaStream_t stream) {
  if (!m || !n)
    return cudaSuccess;
  const dim3 grid(blocksFor(m), atMost(n));
  scaleElements<T><<<grid, blockThreads, 0, stream>>>(rows, m, n, a, x, c);
  return cudaGetLastError();
}

template <class T>
__global__ void repackElements(bool pack, bool upper, Index n, T *packed, T *full,
                               Index step) {
  for (Index j = blockIdx.y; j < n; j += gridDim.y)
    for (Index i = threadNumber(); i < n; i += threadCount()) {
      if (upper ? i > j : i < j)
        continue;
      T &one = packed[upper ? i + j * (j + 1) / 2 : i + (2 * n - j - 1) * j / 2];
      T &other = full[i + j * step];
      if (pack)
        one = other;
      else
        other = one;
    }
}

template <class T>
cudaError_t repack(bool pack, bool upper, Index n, T *packed, T *full, Index step,
                   cudaStream_t stream) {
  if (!n)
    return cudaSuccess;
  const dim3 grid(blocksFor(n), atMost(n));
  repackElements<T>
      <<<grid, blockThreads, 0, stream>>>(pack, upper, n, packed, full, step);
  return cudaGetLastError();
}

template <class T>
__global__ void addRows(Index rows, Index columns, Matrix a, void *result,
                        cudaDataType type, Index stride, Index batches) {
  for (Index batch = blockIdx.y; batch < batches; batch += gridDim.y) {
    const void *base = baseOf<T>(a, batch);
    for (Index i = threadNumber(); i < rows; i += threadCount()) {
      T sum = T(0);
      for (Index j = 0; j < columns; ++j)
        sum += load<T>(base, i * a.rowStep + j * a.columnStep, a.type);
      store<T>(result, batch * stride + i, type, sum);
    }
  }
}

template <class T>
cudaError_t sumRows(Index rows, Index columns, const Matrix &a, void *result,
                    cudaDataType type, Index stride, Index batch, cudaStream_t stream) {
  if (!rows || !batch)
    return cudaSuccess;
  const dim3 grid(blocksFor(rows), atMost(batch));
  addRows<T>
      <<<grid, blockThreads, 0, stream>>>(rows, columns, a, result, type, stride, batch);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t addMatrices<T>(Index, Index, Scalar<T>, const Matrix &,           \
                                      Scalar<T>, const Matrix &, const Matrix &,         \
                                      cudaStream_t);                                     \
  template cudaError_t scaleByDiagonal<T>(bool, Index, Index, const Matrix &, Vector,    \
                                          const Matrix &, cudaStream_t);                 \
  template cudaError_t repack<T>(bool, bool, Index, T *, T *, Index, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)
template cudaError_t sumRows<float>(Index, Index, const Matrix &, void *, cudaDataType,
                                    Index, Index, cudaStream_t);
template cudaError_t sumRows<double>(Index, Index, const Matrix &, void *, cudaDataType,
                                     Index, Index, cudaStream_t);

} // namespace het::blas
