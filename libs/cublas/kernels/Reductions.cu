// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over vectors, and searches. Each thread adds its own elements, a block its
// threads' sums by halves, and one more block the blocks' sums; how many there are
// depends on the number of elements alone.

#include "Launch.cuh"

namespace het::blas {

constexpr int mostBlocks = 256, elementsEach = 8;

/// A value and its place, from 1; 0 if there is none yet.
template <class R> struct Extreme {
  R value;
  Index place;
};

/// Sums of squares, the large and the small ones scaled by powers of two.
/// Blue: A Portable Fortran Program to Find the Euclidean Norm of a Vector, 1978.
template <class R> struct Squares {
  R large, medium, small;
};
template <class R> struct SquareScales;
template <> struct SquareScales<float> {
  static constexpr float smallest = 0x1p-63f, largest = 0x1p52f, up = 0x1p75f,
                         down = 0x1p-76f;
};
template <> struct SquareScales<double> {
  static constexpr double smallest = 0x1p-511, largest = 0x1p486, up = 0x1p537,
                          down = 0x1p-538;
};

/// What all reductions are given; each uses what it needs.
struct Input {
  Vector x, y;
  bool flag; ///< Conjugated, or: the greatest.
};

template <class T> struct Dot {
  using Value = T;
  static __device__ Value none() { return T(0); }
  static __device__ Value add(Value a, Value b, bool) { return a + b; }
  static __device__ Value take(const Input &in, Index i, Index n) {
    const T a = load<T>(in.x.base, placeOf(in.x, i, n), in.x.type);
    return (in.flag ? conjugate(a) : a) *
           load<T>(in.y.base, placeOf(in.y, i, n), in.y.type);
  }
  static __device__ void put(void *to, cudaDataType type, Value value) {
    store<T>(to, 0, type, value);
  }
};

template <class T> struct Sum {
  using Value = Real<T>;
  static __device__ Value none() { return Value(0); }
  static __device__ Value add(Value a, Value b, bool) { return a + b; }
  static __device__ Value take(const Input &in, Index i, Index n) {
    return absolute(load<T>(in.x.base, placeOf(in.x, i, n), in.x.type));
  }
  static __device__ void put(void *to, cudaDataType type, Value value) {
    store<Value>(to, 0, type, value);
  }
};

template <class T> struct Norm {
  using R = Real<T>;
  using Value = Squares<R>;
  using Scales = SquareScales<R>;
  static __device__ Value none() { return {R(0), R(0), R(0)}; }
  static __device__ Value add(Value a, Value b, bool) {
    return {a.large + b.large, a.medium + b.medium, a.small + b.small};
  }
  static __device__ void addOne(Value &sums, R a) {
    a = fabs(a);
    if (a > Scales::largest)
      sums.large += (a * Scales::down) * (a * Scales::down);
    else if (a < Scales::smallest)
      sums.small += (a * Scales::up) * (a * Scales::up);
    else
      sums.medium += a * a; // a NaN, too
  }
  static __device__ Value take(const Input &in, Index i, Index n) {
    const T value = load<T>(in.x.base, placeOf(in.x, i, n), in.x.type);
    Value sums = none();
    if constexpr (isComplex<T>) {
      addOne(sums, value.re);
      addOne(sums, value.im);
    } else {
      addOne(sums, value);
    }
    return sums;
  }
  static __device__ void put(void *to, cudaDataType type, Value v) {
    R result;
    if (v.large > R(0)) {
      const R rest = v.medium * Scales::down * Scales::down;
      result = sqrt(v.large + rest) / Scales::down;
    } else if (v.small > R(0) && v.medium == R(0)) {
      result = sqrt(v.small) / Scales::up;
    } else {
      const R small = sqrt(v.small) / Scales::up, medium = sqrt(v.medium);
      const R ratio = v.small > R(0) ? small / medium : R(0);
      result = medium * sqrt(R(1) + ratio * ratio);
    }
    store<R>(to, 0, type, result);
  }
};

template <class T> struct Search {
  using Value = Extreme<Real<T>>;
  static __device__ Value none() { return {Real<T>(0), 0}; }
  static __device__ Value add(Value a, Value b, bool greatest) {
    if (!a.place || !b.place)
      return a.place ? a : b;
    const bool better = greatest ? b.value > a.value : b.value < a.value;
    return better || (b.value == a.value && b.place < a.place) ? b : a;
  }
  static __device__ Value take(const Input &in, Index i, Index n) {
    return {absolute(load<T>(in.x.base, placeOf(in.x, i, n), in.x.type)), i + 1};
  }
  static __device__ void put(void *to, cudaDataType type, Value value) {
    if (type == CUDA_R_64I)
      *static_cast<Index *>(to) = value.place;
    else
      *static_cast<int *>(to) = static_cast<int>(value.place);
  }
};

/// Sums of a block's elements, or of the blocks' sums, which are then at `partials`.
template <class How>
__global__ void __launch_bounds__(blockThreads)
    addUp(Input in, Index n, void *partials, bool last, void *result, cudaDataType type) {
  using Value = typename How::Value;
  __shared__ Value values[blockThreads];
  Value *sums = static_cast<Value *>(partials);
  Value value = How::none();
  for (Index i = threadNumber(); i < n; i += threadCount())
    value = How::add(value, last && partials ? sums[i] : How::take(in, i, n), in.flag);
  values[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockThreads / 2; half; half /= 2) {
    if (threadIdx.x < half)
      values[threadIdx.x] =
          How::add(values[threadIdx.x], values[threadIdx.x + half], in.flag);
    __syncthreads();
  }
  if (threadIdx.x == 0 && last)
    How::put(result, type, values[0]);
  else if (threadIdx.x == 0)
    sums[blockIdx.x] = values[0];
}

template <class How>
cudaError_t launch(const Input &in, Index n, void *partials, void *result,
                   cudaDataType type, cudaStream_t stream) {
  static_assert(mostBlocks * sizeof(typename How::Value) <= reductionBytes);
  const unsigned blocks =
      n > 0 ? blocksFor((n + elementsEach - 1) / elementsEach, mostBlocks) : 1;
  if (blocks == 1) {
    addUp<How><<<1, blockThreads, 0, stream>>>(in, n, nullptr, true, result, type);
  } else {
    addUp<How><<<blocks, blockThreads, 0, stream>>>(in, n, partials, false, result, type);
    addUp<How><<<1, blockThreads, 0, stream>>>(in, blocks, partials, true, result, type);
  }
  return cudaGetLastError();
}

template <class T>
cudaError_t reduce(Reduction how, Index n, Vector x, Vector y, void *partials,
                   void *result, cudaDataType type, cudaStream_t stream) {
  const Input in = {x, y, how == Reduction::DotConjugated};
  switch (how) {
  case Reduction::Sum:
    return launch<Sum<T>>(in, n, partials, result, type, stream);
  case Reduction::Norm:
    return launch<Norm<T>>(in, n, partials, result, type, stream);
  default:
    return launch<Dot<T>>(in, n, partials, result, type, stream);
  }
}

template <class T>
cudaError_t findExtreme(bool greatest, Index n, Vector x, void *partials, void *result,
                        bool wide, cudaStream_t stream) {
  return launch<Search<T>>({x, x, greatest}, n, partials, result,
                           wide ? CUDA_R_64I : CUDA_R_32I, stream);
}

#define HET_MAKE(T)                                                                      \
  template cudaError_t reduce<T>(Reduction, Index, Vector, Vector, void *, void *,       \
                                 cudaDataType, cudaStream_t);                            \
  template cudaError_t findExtreme<T>(bool, Index, Vector, void *, void *, bool,         \
                                      cudaStream_t);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::blas
