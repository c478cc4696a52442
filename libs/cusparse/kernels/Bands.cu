// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Systems of three and five diagonals: LU factors with rows exchanged, a system for each
// thread; then its right sides, one for each thread.

#include "Elements.cuh"

namespace het::sparse {

/// Most diagonals below and above the middle one.
constexpr int below = 2, above = 4;

/// A row of a system as it is stored in memory for work: the middle diagonal and what is
/// above, then what was taken of earlier rows. Numbers of one row lie apart by `step`, so
/// that neighbouring threads have neighbouring ones.
template <class T> struct Work {
  T *base;
  Index step;
  __device__ T &at(Index row, int number) const {
    return base[(row * bandWork + number) * step];
  }
  __device__ T &multiplier(Index row, int number) const {
    return at(row, above + 1 + number);
  }
  /// Which of the next rows the pivot was, kept as a number.
  __device__ T &pivot(Index row) const { return at(row, above + 1 + below); }
};
static_assert(above + 1 + below + 1 == bandWork);

template <class T> __device__ Work<T> workOf(const Band<T> &b, Index system) {
  return {b.work + system, b.systems};
}

/// The elements of a row from the first that is left of its window of `width` columns.
template <class T>
__device__ void readRow(const Band<T> &b, Index system, Index row, int reach, T *window) {
  const Index at = system * b.system + row * b.element, n = b.rows;
  for (int i = 0; i < below + 1 + above; ++i)
    window[i] = T(0);
  const bool wide = reach == 2;
  if (wide && row >= 2)
    window[0] = b.lowest[at];
  if (row >= 1)
    window[reach - 1] = b.lower[at];
  window[reach] = b.middle[at];
  if (row + 1 < n)
    window[reach + 1] = b.upper[at];
  if (wide && row + 2 < n)
    window[reach + 2] = b.uppermost[at];
}

/// `Reach` rows below the pivot have elements in its column.
template <class T, int Reach> __device__ void factorSystem(const Band<T> &b, Index system) {
  constexpr int width = 3 * Reach + 1;
  const Work<T> work = workOf(b, system);
  T rows[Reach + 1][below + 1 + above];
  for (int i = 0; i <= Reach; ++i) // row i's window begins at the pivot's column
    if (i < b.rows) {
      T window[below + 1 + above];
      readRow(b, system, i, Reach, window);
      for (int j = 0; j < width; ++j)
        rows[i][j] = j + Reach - i >= 0 && j + Reach - i < below + 1 + above
                         ? window[j + Reach - i]
                         : T(0);
    } else {
      for (int j = 0; j < width; ++j)
        rows[i][j] = T(0);
    }
  for (Index k = 0; k < b.rows; ++k) {
    int best = 0;
    for (int i = 1; b.pivots && i <= Reach; ++i)
      if (k + i < b.rows && magnitude(rows[i][0]) > magnitude(rows[best][0]))
        best = i;
    for (int j = 0; j < width; ++j) {
      const T first = rows[0][j];
      T chosen = first;
      for (int i = 1; i <= Reach; ++i)
        if (i == best) {
          chosen = rows[i][j];
          rows[i][j] = first;
        }
      rows[0][j] = chosen;
    }
    work.pivot(k) = T(static_cast<Real<T>>(best));
    for (int j = 0; j <= 2 * Reach; ++j)
      work.at(k, j) = rows[0][j];
    T pivot[width];
    for (int j = 0; j < width; ++j)
      pivot[j] = rows[0][j];
    for (int i = 1; i <= Reach; ++i) {
      const T factor = k + i < b.rows ? rows[i][0] / pivot[0] : T(0);
      work.multiplier(k, i - 1) = factor;
      for (int j = 1; j < width; ++j) // and the window moves on by a column
        rows[i - 1][j - 1] = rows[i][j] - factor * pivot[j];
      rows[i - 1][width - 1] = T(0);
    }
    const Index next = k + Reach + 1;
    T window[below + 1 + above];
    if (next < b.rows)
      readRow(b, system, next, Reach, window);
    for (int j = 0; j < width; ++j)
      rows[Reach][j] = next < b.rows && j < 2 * Reach + 1 ? window[j] : T(0);
  }
}

template <class T, int Reach>
__device__ void solveSystem(const Band<T> &b, Index system, T *x) {
  const Work<T> work = workOf(b, system);
  for (Index k = 0; k < b.rows; ++k) {
    const int best = static_cast<int>(realOf(work.pivot(k)));
    const T value = x[(k + best) * b.element];
    if (best) {
      x[(k + best) * b.element] = x[k * b.element];
      x[k * b.element] = value;
    }
    for (int i = 1; i <= Reach; ++i)
      if (k + i < b.rows)
        x[(k + i) * b.element] -= work.multiplier(k, i - 1) * value;
  }
  for (Index k = b.rows; k-- > 0;) {
    T sum = x[k * b.element];
    for (int j = 1; j <= 2 * Reach; ++j)
      if (k + j < b.rows)
        sum -= work.at(k, j) * x[(k + j) * b.element];
    x[k * b.element] = sum / work.at(k, 0);
  }
}

template <class T> __global__ void factorBands(Band<T> b) {
  for (Index i = threadNumber(); i < b.systems; i += threadCount())
    if (b.lowest)
      factorSystem<T, 2>(b, i);
    else
      factorSystem<T, 1>(b, i);
}
template <class T> __global__ void solveBands(Band<T> b) {
  for (Index i = threadNumber(); i < b.systems * b.rightSides; i += threadCount()) {
    const Index system = i % b.systems;
    T *x = b.x + system * b.system + i / b.systems * b.leading;
    if (b.lowest)
      solveSystem<T, 2>(b, system, x);
    else
      solveSystem<T, 1>(b, system, x);
  }
}

template <class T> cudaError_t solveBand(const Band<T> &b, cudaStream_t stream) {
  if (b.rows <= 0 || b.systems <= 0)
    return cudaSuccess;
  factorBands<T><<<blocksFor(b.systems), blockThreads, 0, stream>>>(b);
  if (b.rightSides > 0)
    solveBands<T>
        <<<blocksFor(b.systems * b.rightSides), blockThreads, 0, stream>>>(b);
  return cudaGetLastError();
}

#define HET_MAKE(T) template cudaError_t solveBand<T>(const Band<T> &, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::sparse
