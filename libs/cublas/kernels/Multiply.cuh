// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of two matrices. A block computes a tile of D. Its lanes have neighbouring
// rows and its warps groups of columns, so that of the tiles in shared memory a warp
// reads neighbouring elements of A and one of B. Each element is a sum in the order of k.

#ifndef HET_LIBS_CUBLAS_MULTIPLY_CUH
#define HET_LIBS_CUBLAS_MULTIPLY_CUH

#include "Epilogue.cuh"
#include "Operands.cuh"

namespace het::blas {

constexpr int lanes = 32, warps = 8, threads = lanes * warps, depth = 16;

/// A tile's rows and columns: those of a thread, times threads.
template <int RowsEach, int ColumnsEach> struct Tile {
  static constexpr int rows = RowsEach * lanes, columns = ColumnsEach * warps;
};

/// Copies rows x depth of an operand to shared memory as to[k][row], zero outside.
/// `step` is between rows, which are those of A or the columns of B.
template <class T, int Rows, bool Columns>
__device__ void copyTile(T (*to)[Rows + 1], const Operand &a, const void *base,
                         Index first, Index end, Index firstK, Index endK) {
  const bool along = (Columns ? a.columnStep : a.rowStep) == 1;
  for (int i = threadIdx.x; i < Rows * depth; i += threads) {
    const int row = along ? i % Rows : i / depth, k = along ? i / Rows : i % depth;
    const Index r = first + row, c = firstK + k;
    T value = T(0);
    if (r < end && c < endK)
      value = Columns ? elementOf<T>(a, base, c, r) : elementOf<T>(a, base, r, c);
    to[k][row] = value;
  }
}

template <class T, int RowsEach, int ColumnsEach>
__device__ void addTiles(T (&sums)[RowsEach][ColumnsEach],
                         const T (*a)[RowsEach * lanes + 1],
                         const T (*b)[ColumnsEach * warps + 1]) {
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
#pragma unroll
  for (int k = 0; k < depth; ++k) {
    T row[RowsEach];
#pragma unroll
    for (int i = 0; i < RowsEach; ++i)
      row[i] = a[k][lane + i * lanes];
#pragma unroll
    for (int j = 0; j < ColumnsEach; ++j) {
      const T column = b[k][warp * ColumnsEach + j];
#pragma unroll
      for (int i = 0; i < RowsEach; ++i)
        sums[i][j] += row[i] * column;
    }
  }
}

/// Puts one element of the product where it belongs.
template <class T>
__device__ void finish(const Product<T> &p, T sum, T alpha, T beta, const void *c,
                       void *d, Index batch, Index row, Index column) {
  T value = alpha * sum;
  if (beta != T(0))
    value += beta * load<T>(c, row * p.c.rowStep + column * p.c.columnStep, p.c.type);
  if (p.realDiagonal && row == column)
    value = realPart(value);
  if constexpr (std::is_same_v<T, float>)
    if (p.epilogue.steps)
      value = applyEpilogue(p.epilogue, value, batch, row, column);
  store<T>(d, row * p.d.rowStep + column * p.d.columnStep, p.d.type, value);
}

template <class T, int RowsEach, int ColumnsEach>
__global__ void __launch_bounds__(threads)
    multiplyTiles(Product<T> p, Index tilesOfRows) {
  constexpr int rows = Tile<RowsEach, ColumnsEach>::rows,
                columns = Tile<RowsEach, ColumnsEach>::columns;
  __shared__ T tileA[depth][rows + 1], tileB[depth][columns + 1];
  const Index firstRow = blockIdx.x % tilesOfRows * rows,
              firstColumn = blockIdx.x / tilesOfRows * columns;
  const bool none = (p.part == Part::Lower && firstRow + rows <= firstColumn) ||
                    (p.part == Part::Upper && firstColumn + columns <= firstRow);
  const T alpha = valueOf(p.alpha), beta = valueOf(p.beta);
  const Index k = alpha == T(0) ? 0 : p.k;
  for (Index batch = blockIdx.y; batch < p.batch && !none; batch += gridDim.y) {
    T sums[RowsEach][ColumnsEach];
    for (int i = 0; i < RowsEach; ++i)
      for (int j = 0; j < ColumnsEach; ++j)
        sums[i][j] = T(0);
    const void *a = k ? baseOf<T>(p.a, batch) : nullptr;
    const void *b = k ? baseOf<T>(p.b, batch) : nullptr;
    for (Index first = 0; first < k; first += depth) {
      copyTile<T, rows, false>(tileA, p.a, a, firstRow, p.m, first, k);
      copyTile<T, columns, true>(tileB, p.b, b, firstColumn, p.n, first, k);
      __syncthreads();
      addTiles<T, RowsEach, ColumnsEach>(sums, tileA, tileB);
      __syncthreads();
    }
    const void *c = beta != T(0) ? baseOf<T>(p.c, batch) : nullptr;
    void *d = baseOf<T>(p.d, batch);
    const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
#pragma unroll
    for (int i = 0; i < RowsEach; ++i)
#pragma unroll
      for (int j = 0; j < ColumnsEach; ++j) {
        const Index row = firstRow + lane + i * lanes,
                    column = firstColumn + warp * ColumnsEach + j;
        if (row < p.m && column < p.n && isIn(p.part, row, column))
          finish(p, sums[i][j], alpha, beta, c, d, batch, row, column);
      }
  }
}

template <class T, int RowsEach, int ColumnsEach>
cudaError_t launchTiles(const Product<T> &p, cudaStream_t stream) {
  using Size = Tile<RowsEach, ColumnsEach>;
  const Index tilesOfRows = (p.m + Size::rows - 1) / Size::rows;
  const Index tiles = tilesOfRows * ((p.n + Size::columns - 1) / Size::columns);
  if (tiles > INT32_MAX)
    return cudaErrorInvalidValue;
  const dim3 grid(static_cast<unsigned>(tiles),
                  static_cast<unsigned>(p.batch < 65535 ? p.batch : 65535));
  multiplyTiles<T, RowsEach, ColumnsEach><<<grid, threads, 0, stream>>>(p, tilesOfRows);
  return cudaGetLastError();
}

/// Few rows and columns get small tiles.
template <class T> cudaError_t multiplyAny(const Product<T> &p, cudaStream_t stream) {
  if (!p.m || !p.n || !p.batch)
    return cudaSuccess;
  if (p.m <= lanes || p.n <= 2 * warps)
    return launchTiles<T, 1, 2>(p, stream);
  return launchTiles<T, 2, 8>(p, stream);
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_MULTIPLY_CUH
