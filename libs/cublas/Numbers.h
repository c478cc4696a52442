// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that kernels compute with: float, double, int and their complex pairs, for
// host and device code alike.

#ifndef HET_LIBS_CUBLAS_NUMBERS_H
#define HET_LIBS_CUBLAS_NUMBERS_H

#include "../Complex.h"

#include <cuComplex.h>

namespace het::blas {

using libs::Complex;
using libs::Complex32;
using libs::Complex64;
using libs::Index;

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
