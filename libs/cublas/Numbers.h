// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that kernels compute with: float, double, int and their complex pairs, for
// host and device code alike.

#ifndef HET_LIBS_CUBLAS_NUMBERS_H
#define HET_LIBS_CUBLAS_NUMBERS_H

#include <cmath>
#include <cstdint>
#include <cuComplex.h>

#ifdef __CUDACC__
#define HET_BOTH __host__ __device__
#else
#define HET_BOTH
#endif

namespace het::blas {

/// Sizes, distances and indices, as the forms with 64 bits have them.
using Index = long long;

/// A complex number, laid out as cuComplex and cuDoubleComplex.
template <class R> struct alignas(2 * sizeof(R)) Complex {
  R re, im;
  Complex() = default;
  HET_BOTH constexpr Complex(R re, R im = 0) : re(re), im(im) {}
  HET_BOTH Complex operator-() const { return {-re, -im}; }
  HET_BOTH Complex &operator+=(Complex b) { return *this = {re + b.re, im + b.im}; }
  HET_BOTH Complex &operator-=(Complex b) { return *this = {re - b.re, im - b.im}; }
  HET_BOTH friend Complex operator+(Complex a, Complex b) { return a += b; }
  HET_BOTH friend Complex operator-(Complex a, Complex b) { return a -= b; }
  HET_BOTH friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  HET_BOTH friend Complex operator*(Complex a, R b) { return {a.re * b, a.im * b}; }
  HET_BOTH friend Complex operator*(R a, Complex b) { return b * a; }
  /// Scaled by the larger part of the divisor, so that nothing overflows early.
  HET_BOTH friend Complex operator/(Complex a, Complex b) {
    if (std::fabs(b.re) >= std::fabs(b.im)) {
      const R ratio = b.im / b.re, scale = b.re + b.im * ratio;
      return {(a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale};
    }
    const R ratio = b.re / b.im, scale = b.re * ratio + b.im;
    return {(a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale};
  }
  HET_BOTH friend bool operator==(Complex a, Complex b) {
    return a.re == b.re && a.im == b.im;
  }
  HET_BOTH friend bool operator!=(Complex a, Complex b) { return !(a == b); }
};

using Complex32 = Complex<float>;
using Complex64 = Complex<double>;

/// The type of parts and absolute values.
template <class T> struct RealOf {
  using type = T;
};
template <class R> struct RealOf<Complex<R>> {
  using type = R;
};
template <class T> using Real = typename RealOf<T>::type;

template <class T> inline constexpr bool isComplex = false;
template <class R> inline constexpr bool isComplex<Complex<R>> = true;

template <class T> HET_BOTH T conjugate(T a) { return a; }
template <class R> HET_BOTH Complex<R> conjugate(Complex<R> a) { return {a.re, -a.im}; }

/// The real part as a real number, and as one of the same type.
template <class T> HET_BOTH T partOf(T a) { return a; }
template <class R> HET_BOTH R partOf(Complex<R> a) { return a.re; }
template <class T> HET_BOTH T realPart(T a) { return a; }
template <class R> HET_BOTH Complex<R> realPart(Complex<R> a) { return {a.re, R(0)}; }

/// The sum of the parts' absolute values: what BLAS compares and sums up.
template <class T> HET_BOTH T absolute(T a) { return std::fabs(a); }
template <class R> HET_BOTH R absolute(Complex<R> a) {
  return std::fabs(a.re) + std::fabs(a.im);
}

/// The kernels' type for a type of the interface.
template <class T> struct KernelType {
  using type = T;
};
template <> struct KernelType<cuComplex> {
  using type = Complex32;
};
template <> struct KernelType<cuDoubleComplex> {
  using type = Complex64;
};
template <class T> using Kernel = typename KernelType<T>::type;

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_NUMBERS_H
