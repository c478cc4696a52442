// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers of host and device code alike, as the libraries' kernels compute with
// them.

#ifndef HET_LIBS_COMPLEX_H
#define HET_LIBS_COMPLEX_H

#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#define HET_BOTH __host__ __device__
#else
#define HET_BOTH
#endif

namespace het::libs {

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

} // namespace het::libs

#endif // HET_LIBS_COMPLEX_H
