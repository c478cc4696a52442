// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a matrix and a vector, and what vectors add to a matrix.

#include "Launch.cuh"

namespace het::blas {

constexpr int lanes = 32, warps = blockThreads / lanes;

/// The place and first element of one of many vectors.
template <class T>
__device__ Vector vectorOf(const Vector &x, void *const *array, Index stride,
                           Index batch) {
  Vector one = x;
  one.base = baseOf<T>(x.base, array, 0, stride, batch, x.type);
  return one;
}

template <class T>
__device__ void putElement(const VectorProduct<T> &p, const Vector &y, Index row, T sum) {
  const T alpha = valueOf(p.alpha), beta = valueOf(p.beta);
  const Index at = placeOf(y, row, p.m);
  T value = alpha * sum;
  if (beta != T(0))
    value += beta * load<T>(y.base, at, y.type);
  store<T>(y.base, at, y.type, value);
}

/// Lanes have neighbouring rows, warps every eighth column; or, where `Along`, lanes have
/// neighbouring columns and warps a row each.
template <class T, bool Along>
__global__ void __launch_bounds__(blockThreads) multiplyElements(VectorProduct<T> p) {
  __shared__ T sums[warps][lanes];
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  const int first = Along ? lane : warp, step = Along ? lanes : warps;
  const Index perBlock = Along ? warps : lanes;
  const bool none = valueOf(p.alpha) == T(0);
  for (Index batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    const void *a = none ? nullptr : baseOf<T>(p.a, batch);
    const Vector x = none ? p.x : vectorOf<T>(p.x, p.xArray, p.xStride, batch);
    const Vector y = vectorOf<T>(p.y, p.yArray, p.yStride, batch);
    for (Index rows = blockIdx.x * perBlock; rows < p.m; rows += gridDim.x * perBlock) {
      const Index row = rows + (Along ? warp : lane);
      T sum = T(0);
      if (row < p.m && !none)
        for (Index j = first; j < p.n; j += step)
          sum +=
              elementOf<T>(p.a, a, row, j) * load<T>(x.base, placeOf(x, j, p.n), x.type);
      sums[warp][lane] = sum;
      __syncthreads();
      for (int half = (Along ? lanes : warps) / 2; half; half /= 2) {
        if ((Along ? lane : warp) < half)
          sums[warp][lane] += Along ? sums[warp][lane + half] : sums[warp + half][lane];
        __syncthreads();
      }
      if ((Along ? lane : warp) == 0 && row < p.m)
        putElement(p, y, row, sums[warp][lane]);
      __syncthreads();
    }
  }
}

template <class T>
cudaError_t multiplyVector(const VectorProduct<T> &p, cudaStream_t stream) {
  if (!p.m || !p.batch)
    return cudaSuccess;
  const bool along =
      p.a.storage == Storage::Full && p.a.columnStep == 1 && p.a.rowStep != 1;
  const Index perBlock = along ? warps : lanes;
  const dim3 grid(atMost((p.m + perBlock - 1) / perBlock, 1 << 20), atMost(p.batch));
  if (along)
    multiplyElements<T, true><<<grid, blockThreads, 0, stream>>>(p);
  else
    multiplyElements<T, false><<<grid, blockThreads, 0, stream>>>(p);
  return cudaGetLastError();
}

/// One block: after each unknown is known, the rows that wait for it get nearer.
template <class T>
__global__ void __launch_bounds__(blockThreads)
    solveElements(Index n, VectorOperand a, Vector x) {
  const Part part = a.storage != Storage::Full && a.transposed ? flipped(a.part) : a.part;
  const bool forward = part == Part::Lower;
  T *xs = static_cast<T *>(x.base);
  for (Index step = 0; step < n; ++step) {
    const Index i = forward ? step : n - 1 - step;
    if (threadIdx.x == 0 && !a.unit)
      xs[placeOf(x, i, n)] = xs[placeOf(x, i, n)] / elementOf<T>(a, a.base, i, i);
    __syncthreads();
    const T known = xs[placeOf(x, i, n)];
    for (Index k = 1 + threadIdx.x; k < n - step; k += blockThreads) {
      const Index row = forward ? i + k : i - k;
      xs[placeOf(x, row, n)] -= elementOf<T>(a, a.base, row, i) * known;
    }
    __syncthreads();
  }
}

template <class T>
cudaError_t solveVector(Index n, const VectorOperand &a, Vector x, cudaStream_t stream) {
  if (!n)
    return cudaSuccess;
  solveElements<T><<<1, blockThreads, 0, stream>>>(n, a, x);
  return cudaGetLastError();
}

template <class T>
__global__ void __launch_bounds__(blockThreads) updateElements(RankUpdate<T> u) {
  const T alpha = valueOf(u.alpha);
  if (alpha == T(0))
    return;
  const T second = u.conjugateAlpha ? conjugate(alpha) : alpha;
  T *a = static_cast<T *>(u.a.base);
  const T *x = static_cast<const T *>(u.x.base), *y = static_cast<const T *>(u.y.base);
  for (Index j = blockIdx.y; j < u.n; j += gridDim.y)
    for (Index i = threadNumber(); i < u.m; i += threadCount()) {
      if (!isIn(u.a.part, i, j))
        continue;
      T right = y[placeOf(u.y, j, u.n)];
      T change = alpha * (x[placeOf(u.x, i, u.m)] *
                          (u.conjugateSecond ? conjugate(right) : right));
      if (u.twice) {
        right = x[placeOf(u.x, j, u.n)];
        change += second * (y[placeOf(u.y, i, u.m)] *
                            (u.conjugateSecond ? conjugate(right) : right));
      }
      T &to = a[storedAt(u.a, i, j)];
      to += change;
      if (u.realDiagonal && i == j)
        to = realPart(to);
    }
}

template <class T>
cudaError_t updateRank(const RankUpdate<T> &update, cudaStream_t stream) {
  if (!update.m || !update.n)
    return cudaSuccess;
  const dim3 grid(blocksFor(update.m), atMost(update.n));
  updateElements<T><<<grid, blockThreads, 0, stream>>>(update);
  return cudaGetLastError();
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t multiplyVector<T>(const VectorProduct<T> &, cudaStream_t);        \
  template cudaError_t solveVector<T>(Index, const VectorOperand &, Vector,              \
                                      cudaStream_t);                                     \
  template cudaError_t updateRank<T>(const RankUpdate<T> &, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::blas
