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

/// Which element of a tile a thread copies in its i-th turn: where rows lie together,
/// lanes have neighbouring rows; elsewhere neighbouring columns.
struct Place {
  int row, k;
};
template <int Rows> __device__ Place placeAlong(int i) {
  if constexpr (Rows % lanes == 0)
    return {static_cast<int>(threadIdx.x) + i % (Rows / lanes) * lanes,
            static_cast<int>(threadIdx.y) + i / (Rows / lanes) * warps};
  const int at = i * threads + threadIdx.y * lanes + threadIdx.x;
  return {at % Rows, at / Rows};
}
__device__ inline Place placeAcross(int i) {
  return {i * (threads / depth) +
              static_cast<int>(threadIdx.y * (lanes / depth) + threadIdx.x / depth),
          static_cast<int>(threadIdx.x % depth)};
}

/// A whole tile of a matrix that is stored as it is: `from` is its first element. Either
/// its rows or its columns lie together.
template <class T, class Stored, int Rows>
__device__ void copyWhole(T (*to)[Rows + 1], const void *first, bool together,
                          Index step) {
  const Stored *from = static_cast<const Stored *>(first);
#pragma unroll
  for (int i = 0; i < Rows * depth / threads; ++i) {
    const Place at = together ? placeAlong<Rows>(i) : placeAcross(i);
    to[at.k][at.row] = static_cast<T>(together ? from[at.row + at.k * step]
                                               : from[at.k + at.row * step]);
  }
}

/// The same for each type that is stored; false if there is none such.
template <class T, int Rows>
__device__ bool copyTyped(T (*to)[Rows + 1], const Operand &a, const void *base, Index at,
                          bool together, Index step) {
  const char *first = static_cast<const char *>(base) + at * bytesOf<T>(a.type);
  if constexpr (std::is_same_v<T, float>) {
    if (a.type == CUDA_R_16F)
      copyWhole<T, __half, Rows>(to, first, together, step);
    else if (a.type == CUDA_R_16BF)
      copyWhole<T, __nv_bfloat16, Rows>(to, first, together, step);
    else if (a.type == CUDA_R_32F)
      copyWhole<T, float, Rows>(to, first, together, step);
    else
      return false;
  } else if constexpr (std::is_same_v<T, int>) {
    copyWhole<T, int8_t, Rows>(to, first, together, step);
  } else {
    copyWhole<T, T, Rows>(to, first, together, step);
  }
  return true;
}

/// Copies rows x depth of an operand to shared memory as to[k][row], zero outside. Rows
/// are those of A, or the columns of B.
template <class T, int Rows, bool Columns>
__device__ void copyTile(T (*to)[Rows + 1], const Operand &a, const void *base,
                         Index first, Index end, Index firstK, Index endK) {
  const Index rowStep = Columns ? a.columnStep : a.rowStep,
              step = Columns ? a.rowStep : a.columnStep;
  const bool together = rowStep == 1,
             whole = first + Rows <= end && firstK + depth <= endK;
  if (whole && (together || step == 1) && a.shape == Shape::General && !a.conjugated &&
      copyTyped<T, Rows>(to, a, base, first * rowStep + firstK * step, together,
                         together ? step : rowStep))
    return;
  for (int i = 0; i < Rows * depth / threads; ++i) {
    const Place at = together ? placeAlong<Rows>(i) : placeAcross(i);
    const Index r = first + at.row, c = firstK + at.k;
    T value = T(0);
    if (r < end && c < endK)
      value = Columns ? elementOf<T>(a, base, c, r) : elementOf<T>(a, base, r, c);
    to[at.k][at.row] = value;
  }
}

template <class T, int RowsEach, int ColumnsEach>
__device__ void addTiles(T (&sums)[RowsEach][ColumnsEach],
                         const T (*a)[RowsEach * lanes + 1],
                         const T (*b)[ColumnsEach * warps + 1]) {
  const int lane = threadIdx.x, warp = threadIdx.y;
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

/// One of a thread's sums, which are in registers. What follows a product is large, and
/// is there once so, not once for each sum.
template <class T, int RowsEach, int ColumnsEach>
__device__ T sumAt(const T (&sums)[RowsEach][ColumnsEach], int which) {
  T sum = sums[0][0];
#pragma unroll
  for (int at = 1; at < RowsEach * ColumnsEach; ++at)
    sum = at == which ? sums[at / ColumnsEach][at % ColumnsEach] : sum;
  return sum;
}

/// Where a block's matrices lie, and its factors: read by one thread, since what lies in
/// global memory is not known to be the same for all. All have read them from shared
/// memory before anything else is written.
template <class T> struct BlockInputs {
  const void *a, *b, *c;
  void *d;
  T alpha, beta;
};

template <class T>
__device__ BlockInputs<T> readInputs(const Product<T> &p, Index batch) {
  __shared__ BlockInputs<T> to;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    to.alpha = valueOf(p.alpha);
    to.beta = valueOf(p.beta);
    const bool reads = p.k && to.alpha != T(0);
    to.a = reads ? baseOf<T>(p.a, batch) : nullptr;
    to.b = reads ? baseOf<T>(p.b, batch) : nullptr;
    to.c = to.beta != T(0) ? baseOf<T>(p.c, batch) : nullptr;
    to.d = baseOf<T>(p.d, batch);
  }
  __syncthreads();
  const BlockInputs<T> in = to;
  __syncthreads();
  return in;
}

/// A tile of one product of the batch.
template <class T, int RowsEach, int ColumnsEach>
__device__ void multiplyTile(const Product<T> &p, const BlockInputs<T> &in, Index batch,
                             Index firstRow, Index firstColumn) {
  constexpr int rows = Tile<RowsEach, ColumnsEach>::rows,
                columns = Tile<RowsEach, ColumnsEach>::columns;
  __shared__ T tileA[depth][rows + 1], tileB[depth][columns + 1];
  T sums[RowsEach][ColumnsEach];
  for (int i = 0; i < RowsEach; ++i)
    for (int j = 0; j < ColumnsEach; ++j)
      sums[i][j] = T(0);
  const void *a = in.a, *b = in.b;
  const Index k = a ? p.k : 0;
  for (Index first = 0; first < k; first += depth) {
    copyTile<T, rows, false>(tileA, p.a, a, firstRow, p.m, first, k);
    copyTile<T, columns, true>(tileB, p.b, b, firstColumn, p.n, first, k);
    __syncthreads();
    addTiles<T, RowsEach, ColumnsEach>(sums, tileA, tileB);
    __syncthreads();
  }
  const auto put = [&](int at, T sum) {
    const Index row = firstRow + threadIdx.x + at / ColumnsEach * lanes,
                column = firstColumn + threadIdx.y * ColumnsEach + at % ColumnsEach;
    if (row < p.m && column < p.n && isIn(p.part, row, column))
      finish(p, sum, in.alpha, in.beta, in.c, in.d, batch, row, column);
  };
  if constexpr (std::is_same_v<T, float>) {
#pragma unroll 1
    for (int at = 0; at < RowsEach * ColumnsEach; ++at)
      put(at, sumAt(sums, at));
  } else {
#pragma unroll
    for (int at = 0; at < RowsEach * ColumnsEach; ++at)
      put(at, sums[at / ColumnsEach][at % ColumnsEach]);
  }
}

template <class T, int RowsEach, int ColumnsEach>
__global__ void __launch_bounds__(threads)
    multiplyTiles(const __grid_constant__ Product<T> p, Index tilesOfRows) {
  using Size = Tile<RowsEach, ColumnsEach>;
  const Index firstRow = blockIdx.x % tilesOfRows * Size::rows,
              firstColumn = blockIdx.x / tilesOfRows * Size::columns;
  const bool none = (p.part == Part::Lower && firstRow + Size::rows <= firstColumn) ||
                    (p.part == Part::Upper && firstColumn + Size::columns <= firstRow);
  for (Index batch = blockIdx.y; batch < p.batch && !none; batch += gridDim.y) {
    const BlockInputs<T> in = readInputs(p, batch);
    multiplyTile<T, RowsEach, ColumnsEach>(p, in, batch, firstRow, firstColumn);
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
  multiplyTiles<T, RowsEach, ColumnsEach>
      <<<grid, dim3(lanes, warps), 0, stream>>>(p, tilesOfRows);
  return cudaGetLastError();
}

/// Few rows and columns get small tiles.
template <class T> cudaError_t multiplyAny(const Product<T> &p, cudaStream_t stream) {
  if (!p.m || !p.n || !p.batch)
    return cudaSuccess;
  if (p.m <= lanes || p.n <= 4 * warps)
    return launchTiles<T, 1, 4>(p, stream);
  return launchTiles<T, 2, 8>(p, stream);
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_MULTIPLY_CUH
