// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points in memory: how they are stored is decided as a kernel runs, alike for all
// threads, so one kernel for each type serves all transforms.

#ifndef HET_LIBS_CUFFT_POINTS_CUH
#define HET_LIBS_CUFFT_POINTS_CUH

#include "../Kernels.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

namespace het::fft {

/// Two narrow numbers, as __half2 and __nv_bfloat162 lie.
template <class N> struct alignas(2 * sizeof(N)) NarrowPair {
  N re, im;
};

template <class N> __device__ Complex<float> loadNarrow(const End &end, Index place) {
  if (end.form == Form::Real)
    return static_cast<float>(static_cast<const N *>(end.base)[place]);
  const NarrowPair<N> pair = static_cast<const NarrowPair<N> *>(end.base)[place];
  return {static_cast<float>(pair.re), static_cast<float>(pair.im)};
}

template <class N>
__device__ void storeNarrow(const End &end, Index place, Complex<float> value) {
  if (end.form == Form::Real)
    static_cast<N *>(end.base)[place] = N(value.re);
  else
    static_cast<NarrowPair<N> *>(end.base)[place] = {N(value.re), N(value.im)};
}

template <class R> __device__ Complex<R> loadStored(const End &end, Index place) {
  if constexpr (std::is_same_v<R, float>) {
    if (end.storage == Storage::Half)
      return loadNarrow<__half>(end, place);
    if (end.storage == Storage::BFloat)
      return loadNarrow<__nv_bfloat16>(end, place);
  }
  if (end.form == Form::Real)
    return static_cast<const R *>(end.base)[place];
  return static_cast<const Complex<R> *>(end.base)[place];
}

template <class R>
__device__ void storeStored(const End &end, Index place, Complex<R> value) {
  if constexpr (std::is_same_v<R, float>) {
    if (end.storage == Storage::Half)
      return storeNarrow<__half>(end, place, value);
    if (end.storage == Storage::BFloat)
      return storeNarrow<__nv_bfloat16>(end, place, value);
  }
  if (end.form == Form::Real)
    static_cast<R *>(end.base)[place] = value.re;
  else
    static_cast<Complex<R> *>(end.base)[place] = value;
}

/// A point whose parts are real numbers of their own.
template <class R> __device__ Complex<R> loadPair(const End &end, Index place) {
  return {loadStored<R>(end, place).re, loadStored<R>(end, place + end.pairStep).re};
}
template <class R>
__device__ void storePair(const End &end, Index place, Complex<R> value) {
  storeStored<R>(end, place, value);
  storeStored<R>(end, place + end.pairStep, Complex<R>(value.im));
}

template <class R> __device__ Complex<R> conjugate(Complex<R> a) { return {a.re, -a.im}; }
template <class R> __device__ Complex<R> swapped(Complex<R> a) { return {a.im, a.re}; }

/// The point of pairs of real numbers: from points `number` and half - `number` of the
/// transform of the real numbers, which are those of an inverse transform. What is not
/// the program's has its parts swapped; so has the result.
template <class R>
__device__ Complex<R> foldPoint(const End &end, Index place, Index number) {
  const Index half = end.whole / 2;
  Complex<R> a = loadStored<R>(end, place + number * end.step),
             b = loadStored<R>(end, place + (half - number) * end.step);
  if (!end.swapOuter) {
    a = swapped(a);
    b = swapped(b);
  }
  if (number == 0) // These two are real.
    a.im = b.im = R(0);
  b = conjugate(b);
  const Complex<R> root =
      conjugate(static_cast<const Complex<R> *>(end.pairRoots)[number]);
  const Complex<R> odd = root * (a - b);
  return swapped(a + b + Complex<R>(-odd.im, odd.re));
}

/// The other way: a point of the transform of real numbers, from two of their pairs'.
template <class R>
__device__ Complex<R> unfoldPoint(const End &end, Index number, Complex<R> a,
                                  Complex<R> b) {
  b = conjugate(b);
  const Complex<R> root = static_cast<const Complex<R> *>(end.pairRoots)[number];
  const Complex<R> odd = root * (a - b);
  return (a + b + Complex<R>(odd.im, -odd.re)) * R(0.5);
}

/// Point `number` of an axis whose line begins at `place`.
template <class R>
__device__ Complex<R> loadPoint(const End &end, Index place, Index number) {
  if (number >= end.length)
    return R(0);
  if (end.pairStep)
    return loadPair<R>(end, place + number * end.step);
  if (end.pairRoots)
    return foldPoint<R>(end, place, number);
  const bool mirrored = end.form == Form::Hermitian && number > end.whole / 2;
  const Index stored = mirrored ? end.whole - number : number;
  Complex<R> value = loadStored<R>(end, place + stored * end.step);
  if (end.swapOuter)
    value = swapped(value);
  // Conjugated, with its parts swapped: transforms from such points are inverse ones.
  if (mirrored)
    value.re = -value.re;
  if (end.factors)
    value = value * static_cast<const Complex<R> *>(end.factors)[number];
  return end.swapInner ? swapped(value) : value;
}

template <class R>
__device__ void storePoint(const End &end, Index place, Index number, Complex<R> value) {
  if (number >= end.length)
    return;
  if (end.swapInner)
    value = swapped(value);
  if (end.factors)
    value = value * static_cast<const Complex<R> *>(end.factors)[number];
  if (end.swapOuter)
    value = swapped(value);
  if (end.pairStep)
    return storePair<R>(end, place + number * end.step, value);
  storeStored<R>(end, place + number * end.step, value);
}

} // namespace het::fft

#endif // HET_LIBS_CUFFT_POINTS_CUH
