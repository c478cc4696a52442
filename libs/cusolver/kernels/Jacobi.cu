// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues and singular values by Jacobi's methods: two-sided of Hermitian matrices,
// one-sided (Hestenes) of others. Pairs of columns are taken in a fixed order.
// Golub, Van Loan: Matrix Computations, chapters 8.5 and 8.6.

#include "Block.cuh"

namespace het::solver {

/// The rotation that makes the off-diagonal element b of [a b; conj(b) d] zero: columns
/// become (c p - s conj(phase) q, s phase p + c q).
template <class T> struct Rotation {
  Real<T> c;
  T s; ///< Times the phase of b.
};
template <class T> __device__ Rotation<T> rotationOf(Real<T> a, T b, Real<T> d) {
  using R = Real<T>;
  const R theta = (d - a) / (R(2) * absoluteOf(b)), size = fabs(theta);
  // 1 / (size + sqrt(size^2 + 1)), also where the square is too large.
  const R t = R(1) / (size + hypot(size, R(1)));
  const R c = R(1) / sqrt(t * t + R(1)), s = theta < R(0) ? -t * c : t * c;
  return {c, T(s) * phaseOf(b)};
}
template <class T> __device__ void rotate(const Rotation<T> &r, T &p, T &q) {
  const T x = p, y = q;
  p = T(r.c) * x - conjugate(r.s) * y;
  q = r.s * x + T(r.c) * y;
}

/// The places of values in order: how many come before each.
template <class R>
__device__ Index placeOf(const R *values, Index stride, Index n, Index i, bool ascending) {
  Index place = 0;
  for (Index j = 0; j < n; ++j) {
    const R a = values[j * stride], b = values[i * stride];
    place += (ascending ? a < b : a > b) || (a == b && j < i);
  }
  return place;
}

/// Divides a matrix by a power of two, so that squares of its elements are numbers, and
/// returns it. The block's threads meet.
template <class T>
__device__ Real<T> scaleDown(T *a, Index rows, Index columns, Index leading) {
  using R = Real<T>;
  R most = R(0);
  for (Index at = threadIdx.x; at < rows * columns; at += blockThreads)
    most = fmax(most, absoluteOf(a[at % rows + at / rows * leading]));
  most = greatest(most);
  const R scale = most > R(0) && isfinite(most) ? ldexp(R(1), ilogb(most)) : R(1);
  for (Index at = threadIdx.x; at < rows * columns; at += blockThreads) {
    T &element = a[at % rows + at / rows * leading];
    element = element / T(scale);
  }
  __syncthreads();
  return scale;
}

/// Makes element (p, q) of a Hermitian matrix zero by a rotation, and rotates the vectors.
/// The block's threads meet.
template <class T>
__device__ void clearPair(T *a, Index leading, T *v, Index n, Index p, Index q) {
  __shared__ Rotation<T> shared;
  __shared__ bool turns;
  if (threadIdx.x == 0) {
    const T b = a[p + q * leading];
    turns = squareOf(b) > Real<T>(0);
    if (turns)
      shared = rotationOf(realOf(a[p + p * leading]), b, realOf(a[q + q * leading]));
  }
  __syncthreads();
  if (turns) {
    const Rotation<T> r = shared;
    for (Index i = threadIdx.x; i < n; i += blockThreads) {
      rotate(r, a[i + p * leading], a[i + q * leading]);
      rotate(r, v[i + p * n], v[i + q * n]);
    }
    __syncthreads();
    const Rotation<T> rows = {r.c, conjugate(r.s)};
    for (Index j = threadIdx.x; j < n; j += blockThreads)
      rotate(rows, a[p + j * leading], a[q + j * leading]);
  }
  __syncthreads();
}

/// Puts vectors into A and values into w, both in their order where it is asked for; values
/// go by way of v.
template <class T>
__device__ void putInOrder(bool sorted, bool vectors, Index n, T *a, Index leading, T *v,
                           Real<T> *w, Real<T> scale) {
  using R = Real<T>;
  for (Index j = 0; vectors && j < n; ++j) {
    const Index place = sorted ? placeOf(w, 1, n, j, true) : j;
    for (Index i = threadIdx.x; i < n; i += blockThreads)
      a[i + place * leading] = v[i + j * n];
  }
  __syncthreads();
  for (Index j = threadIdx.x; j < n; j += blockThreads)
    v[j] = T(w[j]);
  __syncthreads();
  for (Index j = threadIdx.x; j < n; j += blockThreads) {
    Index place = 0;
    for (Index i = 0; i < n; ++i) {
      const R other = realOf(v[i]), own = realOf(v[j]);
      place += other < own || (other == own && i < j);
    }
    w[sorted ? place : j] = realOf(v[j]) * scale;
  }
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    eigenvaluesKernel(Iteration iteration, bool vectors, Index n, Matrices<T> matrices,
                      Real<T> *values, T *room, int *info, Progress *progress) {
  using R = Real<T>;
  T *a = matrixAt(matrices, blockIdx.x), *v = room + blockIdx.x * n * n;
  R *w = values + blockIdx.x * n;
  const Index leading = matrices.leading;
  for (Index at = threadIdx.x; at < n * n; at += blockThreads)
    v[at] = T(at % n == at / n ? 1 : 0);
  const R scale = scaleDown(a, n, n, leading);
  R all = R(0);
  for (Index at = threadIdx.x; at < n * n; at += blockThreads)
    all += squareOf(a[at % n + at / n * leading]);
  all = addUp(all);
  const R smallest = epsilon<R> * R(n),
          relative = fmax(R(iteration.tolerance), smallest);
  const R bound = relative * relative * all;
  int sweep = 0;
  bool done = false;
  R left = R(0);
  for (; sweep <= iteration.maxSweeps && !done; ++sweep) {
    R off = R(0);
    for (Index at = threadIdx.x; at < n * n; at += blockThreads)
      if (at % n != at / n)
        off += squareOf(a[at % n + at / n * leading]);
    off = addUp(off);
    left = off;
    done = off <= bound;
    if (done || sweep == iteration.maxSweeps)
      break;
    for (Index p = 0; p < n - 1; ++p)
      for (Index q = p + 1; q < n; ++q)
        clearPair(a, leading, v, n, p, q);
  }
  __syncthreads();
  for (Index i = threadIdx.x; i < n; i += blockThreads)
    w[i] = realOf(a[i + i * leading]);
  __syncthreads();
  putInOrder(iteration.sorted, vectors, n, a, leading, v, w, scale);
  if (threadIdx.x == 0) {
    info[blockIdx.x] = done ? 0 : static_cast<int>(n + 1);
    if (progress && blockIdx.x == 0)
      *progress = {static_cast<double>(sqrt(left) * scale), sweep};
  }
}
template <class T>
cudaError_t findEigenvalues(const Iteration &iteration, bool vectors, Index n,
                            Matrices<T> a, Real<T> *w, T *v, int *info, Progress *progress,
                            Index batch, cudaStream_t stream) {
  return batch > 0 ? libs::launch(eigenvaluesKernel<T>, static_cast<unsigned>(batch),
                                  blockThreads, stream, iteration, vectors, n, a, w, v,
                                  info, progress)
                   : cudaSuccess;
}

/// What is to be known of a pair of columns.
template <class T> struct Pair {
  Real<T> p, q;
  T both;
  __device__ friend Pair operator+(Pair a, Pair b) {
    return {a.p + b.p, a.q + b.q, a.both + b.both};
  }
};
template <class T> __device__ Pair<T> pairOf(const T *p, const T *q, Index m) {
  Pair<T> pair = {Real<T>(0), Real<T>(0), T(0)};
  for (Index i = threadIdx.x; i < m; i += blockThreads)
    pair = pair + Pair<T>{squareOf(p[i]), squareOf(q[i]), conjugate(p[i]) * q[i]};
  return addUp(pair);
}

/// Lengths of A's columns are the values; columns of A, divided by them, and of V go to
/// their places by way of the room for work.
template <class T>
__device__ void putInOrder(bool sorted, Index m, Index n, T *a, Index lda, T *v, Index ldv,
                           Real<T> *s, T *work, Real<T> scale) {
  using R = Real<T>;
  for (Index j = 0; j < n; ++j) {
    R sum = R(0);
    for (Index i = threadIdx.x; i < m; i += blockThreads)
      sum += squareOf(a[i + j * lda]);
    sum = addUp(sum);
    if (threadIdx.x == 0)
      s[j] = sqrt(sum);
  }
  for (Index at = threadIdx.x; at < n * n; at += blockThreads)
    work[m * n + at] = v[at % n + at / n * ldv];
  for (Index at = threadIdx.x; at < m * n; at += blockThreads)
    work[at] = a[at % m + at / m * lda];
  __syncthreads();
  for (Index j = 0; j < n; ++j) {
    const Index place = sorted ? placeOf(s, 1, n, j, false) : j;
    const R length = s[j];
    for (Index i = threadIdx.x; i < m; i += blockThreads)
      a[i + place * lda] = length > R(0) ? work[i + j * m] / T(length) : T(0);
    for (Index i = threadIdx.x; i < n; i += blockThreads)
      v[i + place * ldv] = work[m * n + i + j * n];
  }
  __syncthreads();
  for (Index j = threadIdx.x; j < n; j += blockThreads)
    work[placeOf(s, 1, n, j, false)] = T(s[j]);
  __syncthreads();
  for (Index j = threadIdx.x; j < n; j += blockThreads)
    s[j] = (sorted ? realOf(work[j]) : s[j]) * scale;
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    singularValuesKernel(Iteration iteration, Index m, Index n, Matrices<T> us,
                         Real<T> *values, Index strideS, Matrices<T> vs, T *room,
                         int *info, Progress *progress) {
  using R = Real<T>;
  T *a = matrixAt(us, blockIdx.x), *v = matrixAt(vs, blockIdx.x),
    *work = room + blockIdx.x * (m + n) * n;
  R *s = values + blockIdx.x * strideS;
  const Index lda = us.leading, ldv = vs.leading;
  for (Index at = threadIdx.x; at < n * n; at += blockThreads)
    v[at % n + at / n * ldv] = T(at % n == at / n ? 1 : 0);
  const R scale = scaleDown(a, m, n, lda);
  const R relative =
      fmax(R(iteration.tolerance), epsilon<R> * sqrt(R(m)));
  int sweep = 0;
  bool done = false;
  R left = R(0);
  for (; sweep < iteration.maxSweeps && !done; ++sweep) {
    done = true;
    left = R(0);
    for (Index p = 0; p < n - 1; ++p)
      for (Index q = p + 1; q < n; ++q) {
        const Pair<T> pair = pairOf(a + p * lda, a + q * lda, m);
        left += squareOf(pair.both);
        if (absoluteOf(pair.both) > relative * sqrt(pair.p) * sqrt(pair.q)) {
          done = false;
          const Rotation<T> r = rotationOf(pair.p, pair.both, pair.q);
          for (Index i = threadIdx.x; i < m; i += blockThreads)
            rotate(r, a[i + p * lda], a[i + q * lda]);
          for (Index i = threadIdx.x; i < n; i += blockThreads)
            rotate(r, v[i + p * ldv], v[i + q * ldv]);
        }
        __syncthreads();
      }
  }
  putInOrder(iteration.sorted, m, n, a, lda, v, ldv, s, work, scale);
  if (threadIdx.x == 0) {
    info[blockIdx.x] = done ? 0 : static_cast<int>(n + 1);
    if (progress && blockIdx.x == 0)
      *progress = {static_cast<double>(sqrt(left)) * scale * scale, sweep};
  }
}
template <class T>
cudaError_t findSingularValues(const Iteration &iteration, Index m, Index n,
                               Matrices<T> a, Real<T> *s, Index strideS, Matrices<T> v,
                               T *work, int *info, Progress *progress,
                               Index batch,
                               cudaStream_t stream) {
  return batch > 0 ? libs::launch(singularValuesKernel<T>, static_cast<unsigned>(batch),
                                  blockThreads, stream, iteration, m, n, a, s, strideS, v,
                                  work, info, progress)
                   : cudaSuccess;
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t findEigenvalues<T>(const Iteration &, bool, Index, Matrices<T>,   \
                                          Real<T> *, T *, int *, Progress *, Index,           \
                                          cudaStream_t);                                 \
  template cudaError_t findSingularValues<T>(const Iteration &, Index, Index,            \
                                             Matrices<T>, Real<T> *, Index, Matrices<T>, \
                                             T *, int *, Progress *, Index, cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::solver
