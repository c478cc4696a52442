// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triangles are solved by levels: rows of one level depend on rows of earlier ones alone,
// so no thread ever waits for another. Incomplete factors are found in the same order.

#include "Elements.cuh"

namespace het::sparse {

/// The items of one level: all rows of it, for `columns` right sides.
struct Items {
  Index begin, count;
};
__device__ inline Items itemsOf(const Levels &levels, Index level, Index columns) {
  const Index begin = levels.offsets[level];
  return {begin, (levels.offsets[level + 1] - begin) * columns};
}

template <class T> __device__ void solveRow(const Solve<T> &s, Index row, Index column) {
  const Sparse &a = s.triangle.a;
  const Row r = rowOf(a, row);
  T sum = valueOf(s.alpha) * load<T>(s.b, row, column), diagonal = T(0);
  for (Index k = 0; k < r.count; ++k) {
    const Entry entry = entryOf(a, r, k);
    if (entry.column < 0)
      continue;
    if (entry.column == row)
      diagonal = valueAt<T>(a, entry.place);
    else if ((entry.column < row) == s.triangle.lower)
      sum -= valueAt<T>(a, entry.place) * load<T>(s.x, entry.column, column);
  }
  store<T>(s.x, row, column, s.triangle.unit ? sum : sum / diagonal);
}

/// One level by many blocks, or several by one.
template <class T> __global__ void __launch_bounds__(blockThreads) solveLevels(Solve<T> s) {
  for (Index level = s.first; level < s.last; ++level) {
    const Items items = itemsOf(s.levels, level, s.columns);
    for (Index i = threadNumber(); i < items.count; i += threadCount())
      solveRow(s, s.levels.order[items.begin + i / s.columns], i % s.columns);
    __syncthreads();
  }
}

template <class T> cudaError_t solve(const Solve<T> &s, cudaStream_t stream) {
  const Index items = s.last - s.first > 1 ? 1 : s.rows * s.columns;
  if (items > 0)
    solveLevels<T><<<blocksFor(items), blockThreads, 0, stream>>>(s);
  return cudaGetLastError();
}

/// The place of an element in a row whose columns are sorted; negative if it has none.
__device__ inline Index find(const Sparse &a, const Row &row, Index column) {
  Indices indices = a.indices;
  advance(indices, row.first);
  const Index at = lowerBound(indices, row.count, column + a.base);
  return at < row.count && get(indices, at) == column + a.base ? row.first + at : -1;
}

__device__ inline void noteZero(Index *zeroPivot, Index row) {
  atomicMin(reinterpret_cast<unsigned long long *>(zeroPivot),
            static_cast<unsigned long long>(row));
}

/// Row i of L and U: a(i, j) -= a(i, k) a(k, j) for all k < i.
template <class T> __device__ void eliminate(const Factors<T> &f, Index row) {
  const Row r = rowOf(f.a, row);
  for (Index k = 0; k < r.count; ++k) {
    const Entry left = entryOf(f.a, r, k);
    if (left.column >= row)
      break;
    const Row above = rowOf(f.a, left.column);
    const Index pivot = find(f.a, above, left.column);
    if (pivot < 0)
      continue;
    const T factor = load<T>(f.a.values, left.place) / load<T>(f.a.values, pivot);
    store<T>(f.a.values, left.place, factor);
    for (Index j = pivot + 1; j < above.first + above.count; ++j) {
      const Index place = find(f.a, r, get(f.a.indices, j) - f.a.base);
      if (place >= 0)
        store<T>(f.a.values, place,
                 load<T>(f.a.values, place) - factor * load<T>(f.a.values, j));
    }
  }
  const Index diagonal = find(f.a, r, row);
  if (diagonal < 0)
    return;
  const T value = load<T>(f.a.values, diagonal);
  if (f.boost && magnitude(value) <= f.tolerance)
    store<T>(f.a.values, diagonal, valueOf(f.boostValue));
  else if (isZero(value))
    noteZero(f.zeroPivot, row);
}

/// Row i of L, of the lower triangle alone.
template <class T> __device__ void factorRow(const Factors<T> &f, Index row) {
  const Row r = rowOf(f.a, row);
  for (Index k = 0; k < r.count; ++k) {
    const Entry entry = entryOf(f.a, r, k);
    if (entry.column > row)
      break;
    T sum = load<T>(f.a.values, entry.place);
    const Row other = rowOf(f.a, entry.column);
    for (Index j = 0; j < k; ++j) {
      const Entry left = entryOf(f.a, r, j);
      const Index place = find(f.a, other, left.column);
      if (place >= 0)
        sum -= load<T>(f.a.values, left.place) * conjugate(load<T>(f.a.values, place));
    }
    if (entry.column < row) {
      const Index pivot = find(f.a, other, entry.column);
      store<T>(f.a.values, entry.place,
               pivot < 0 ? sum : sum / load<T>(f.a.values, pivot));
      continue;
    }
    const Real<T> square = realOf(sum);
    if (!(square > Real<T>(0)))
      noteZero(f.zeroPivot, row);
    store<T>(f.a.values, entry.place, T(sqrt(square)));
  }
}

template <class T>
__global__ void __launch_bounds__(blockThreads) factorLevels(Factors<T> f) {
  for (Index level = f.first; level < f.last; ++level) {
    const Items items = itemsOf(f.levels, level, 1);
    for (Index i = threadNumber(); i < items.count; i += threadCount()) {
      const Index row = f.levels.order[items.begin + i];
      if (f.cholesky)
        factorRow(f, row);
      else
        eliminate(f, row);
    }
    __syncthreads();
  }
}

template <class T> cudaError_t factor(const Factors<T> &f, cudaStream_t stream) {
  const Index items = f.last - f.first > 1 ? 1 : f.rows;
  if (items > 0)
    factorLevels<T><<<blocksFor(items), blockThreads, 0, stream>>>(f);
  return cudaGetLastError();
}

__global__ void findZeros(Sparse a, Index *zeroPivot) {
  for (Index row = threadNumber(); row < a.rows; row += threadCount())
    if (find(a, rowOf(a, row), row) < 0)
      noteZero(zeroPivot, row);
}
cudaError_t findStructuralZero(const Sparse &a, Index *zeroPivot, cudaStream_t stream) {
  if (a.rows > 0)
    findZeros<<<blocksFor(a.rows), blockThreads, 0, stream>>>(a, zeroPivot);
  return cudaGetLastError();
}

/// One thread goes through the rows in their order, so that all that a row depends on is
/// known.
__global__ void computeLevels(Triangle t, Index *levels) {
  for (Index i = 0; i < t.a.rows; ++i) {
    const Index row = t.lower ? i : t.a.rows - 1 - i;
    const Row r = rowOf(t.a, row);
    Index level = 0;
    for (Index k = 0; k < r.count; ++k) {
      const Index column = entryOf(t.a, r, k).column;
      if (column >= 0 && column != row && (column < row) == t.lower &&
          levels[column] >= level)
        level = levels[column] + 1;
    }
    levels[row] = level;
  }
}
cudaError_t findLevels(const Triangle &triangle, Index *levels, cudaStream_t stream) {
  computeLevels<<<1, 1, 0, stream>>>(triangle, levels);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t solve<T>(const Solve<T> &, cudaStream_t);                         \
  template cudaError_t factor<T>(const Factors<T> &, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::sparse
