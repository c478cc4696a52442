// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transforms of a few points in registers, forwards and in place.

#ifndef HET_LIBS_CUFFT_RADIX_CUH
#define HET_LIBS_CUFFT_RADIX_CUH

#include "../Kernels.h"

namespace het::fft {

/// a * -i
template <class R> __device__ Complex<R> turned(Complex<R> a) { return {a.im, -a.re}; }

template <class R> __device__ void transformTwo(Complex<R> &a, Complex<R> &b) {
  const Complex<R> sum = a + b;
  b = a - b;
  a = sum;
}

template <class R>
__device__ void transformFour(Complex<R> &a, Complex<R> &b, Complex<R> &c,
                              Complex<R> &d) {
  transformTwo(a, c);
  transformTwo(b, d);
  const Complex<R> odd = turned(d);
  d = c - odd;
  const Complex<R> first = a, second = b, third = c;
  a = first + second;
  c = first - second;
  b = third + odd;
}

/// cos(2 pi j / P) and sin(2 pi j / P) for j from 1 to P / 2.
template <int P> struct Circle;
template <> struct Circle<3> {
  static __device__ double cosine(int j) {
    const double values[] = {-0.5};
    return values[j - 1];
  }
  static __device__ double sine(int j) {
    const double values[] = {0.86602540378443864676};
    return values[j - 1];
  }
};
template <> struct Circle<5> {
  static __device__ double cosine(int j) {
    const double values[] = {0.3090169943749474241, -0.8090169943749474241};
    return values[j - 1];
  }
  static __device__ double sine(int j) {
    const double values[] = {0.95105651629515357212, 0.58778525229247312917};
    return values[j - 1];
  }
};
template <> struct Circle<7> {
  static __device__ double cosine(int j) {
    const double values[] = {0.62348980185873353053, -0.22252093395631440429,
                             -0.90096886790241912624};
    return values[j - 1];
  }
  static __device__ double sine(int j) {
    const double values[] = {0.78183148246802980871, 0.97492791218182360702,
                             0.43388373911755812048};
    return values[j - 1];
  }
};
template <> struct Circle<11> {
  static __device__ double cosine(int j) {
    const double values[] = {0.84125353283118116886, 0.41541501300188642553,
                             -0.14231483827328514044, -0.65486073394528506406,
                             -0.95949297361449738989};
    return values[j - 1];
  }
  static __device__ double sine(int j) {
    const double values[] = {0.54064081745559758211, 0.90963199535451837141,
                             0.98982144188093273238, 0.75574957435425828377,
                             0.28173255684142969771};
    return values[j - 1];
  }
};
template <> struct Circle<13> {
  static __device__ double cosine(int j) {
    const double values[] = {0.8854560256532098959,   0.56806474673115580251,
                             0.12053668025532305335,  -0.35460488704253562597,
                             -0.74851074817110109863, -0.97094181742605202716};
    return values[j - 1];
  }
  static __device__ double sine(int j) {
    const double values[] = {0.46472317204376854566, 0.82298386589365639458,
                             0.9927088740980539928,  0.93501624268541482344,
                             0.66312265824079520238, 0.23931566428755776715};
    return values[j - 1];
  }
};

template <class R, int P> struct Transform {
  /// Points and their mirror images are taken together: sums meet cosines, differences
  /// sines.
  static __device__ void run(Complex<R> (&a)[P]) {
    constexpr int half = P / 2;
    Complex<R> sums[half], differences[half];
    Complex<R> total = a[0];
#pragma unroll
    for (int j = 0; j < half; ++j) {
      sums[j] = a[j + 1] + a[P - 1 - j];
      differences[j] = turned(a[j + 1] - a[P - 1 - j]);
      total += sums[j];
    }
    const Complex<R> first = a[0];
    a[0] = total;
#pragma unroll
    for (int k = 1; k <= half; ++k) {
      Complex<R> even = first, odd = R(0);
#pragma unroll
      for (int j = 1; j <= half; ++j) {
        const int angle = j * k % P, near = angle <= half ? angle : P - angle;
        const R cosine = R(Circle<P>::cosine(near)), sine = R(Circle<P>::sine(near));
        even += sums[j - 1] * cosine;
        odd += differences[j - 1] * (angle <= half ? sine : -sine);
      }
      a[k] = even + odd;
      a[P - k] = even - odd;
    }
  }
};

template <class R> struct Transform<R, 2> {
  static __device__ void run(Complex<R> (&a)[2]) { transformTwo(a[0], a[1]); }
};

template <class R> struct Transform<R, 4> {
  static __device__ void run(Complex<R> (&a)[4]) {
    transformFour(a[0], a[1], a[2], a[3]);
  }
};

template <class R> struct Transform<R, 8> {
  static __device__ void run(Complex<R> (&a)[8]) {
    const R root = R(0.70710678118654752440);
    transformFour(a[0], a[2], a[4], a[6]);
    transformFour(a[1], a[3], a[5], a[7]);
    a[3] = Complex<R>(a[3].re + a[3].im, a[3].im - a[3].re) * root;
    a[5] = turned(a[5]);
    a[7] = Complex<R>(a[7].im - a[7].re, -a[7].re - a[7].im) * root;
    Complex<R> odd[4] = {a[1], a[3], a[5], a[7]}, even[4] = {a[0], a[2], a[4], a[6]};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      a[k] = even[k] + odd[k];
      a[k + 4] = even[k] - odd[k];
    }
  }
};

} // namespace het::fft

#endif // HET_LIBS_CUFFT_RADIX_CUH
