// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Givens rotations, plain and modified, for host and device code.
// Lawson, Hanson, Kincaid, Krogh: Basic Linear Algebra Subprograms for Fortran Usage,
// 1979.

#ifndef HET_LIBS_CUBLAS_ROTATIONS_H
#define HET_LIBS_CUBLAS_ROTATIONS_H

#include "Numbers.h"

namespace het::blas {

/// The modulus, by the larger part, so that nothing overflows early.
template <class R> HET_BOTH R modulus(R a, R b) {
  a = std::fabs(a);
  b = std::fabs(b);
  const R large = a > b ? a : b, small = a > b ? b : a;
  if (large == R(0))
    return R(0);
  const R ratio = small / large;
  return large * std::sqrt(R(1) + ratio * ratio);
}

/// c, s with (c s; -s c) (a, b) = (r, 0). `a` becomes r, and `b` the number by which c
/// and s can be had again.
template <class R> HET_BOTH void computeRotation(R &a, R &b, R &c, R &s) {
  const R larger = std::fabs(a) > std::fabs(b) ? a : b;
  R r = modulus(a, b), z = R(1);
  if (r == R(0)) {
    c = R(1);
    s = z = R(0);
  } else {
    if (larger < R(0))
      r = -r;
    c = a / r;
    s = b / r;
    if (std::fabs(a) > std::fabs(b))
      z = s;
    else if (c != R(0))
      z = R(1) / c;
  }
  a = r;
  b = z;
}

template <class R>
HET_BOTH void computeRotation(Complex<R> &a, Complex<R> &b, R &c, Complex<R> &s) {
  const R size = modulus(a.re, a.im);
  if (size == R(0)) {
    c = R(0);
    s = Complex<R>(R(1));
    a = b;
    return;
  }
  const R norm = modulus(size, modulus(b.re, b.im));
  const Complex<R> direction = {a.re / size, a.im / size};
  c = size / norm;
  s = direction * conjugate(b) * (R(1) / norm);
  a = direction * norm;
}

/// The matrix of a modified rotation.
template <class T> struct ModifiedRotation {
  T h11, h21, h12, h22;
};

/// What `param` means: its first number says which elements are not stored.
template <class T> HET_BOTH ModifiedRotation<T> readRotation(const T *param) {
  const T flag = param[0];
  if (flag == T(-1))
    return {param[1], param[2], param[3], param[4]};
  if (flag == T(0))
    return {T(1), param[2], param[3], T(1)};
  if (flag == T(1))
    return {param[1], T(-1), T(1), param[4]};
  return {T(1), T(0), T(0), T(1)};
}

/// Keeps a weight within 1/gamma^2 and gamma^2; rows of the rotation change with it.
template <class T>
HET_BOTH void rescale(T &weight, T *x, T &first, T &second, bool &changed) {
  constexpr T gamma = T(4096), most = gamma * gamma, least = T(1) / most;
  while (weight != T(0) && (std::fabs(weight) <= least || std::fabs(weight) >= most)) {
    const bool small = std::fabs(weight) <= least;
    const T by = small ? gamma : T(1) / gamma;
    weight *= by * by;
    if (x)
      *x *= T(1) / by;
    first *= T(1) / by;
    second *= T(1) / by;
    changed = true;
  }
}

template <class T>
HET_BOTH void storeRotation(const ModifiedRotation<T> &h, T flag, T *param) {
  param[0] = flag;
  if (flag != T(1))
    param[2] = h.h21, param[3] = h.h12;
  if (flag != T(0))
    param[1] = h.h11, param[4] = h.h22;
}

/// A rotation that makes the second element of (sqrt(d1) x1, sqrt(d2) y1) zero.
template <class T>
HET_BOTH void computeModifiedRotation(T &d1, T &d2, T &x1, T y1, T *param) {
  ModifiedRotation<T> h = {T(0), T(0), T(0), T(0)};
  T flag = T(0);
  const T p2 = d2 * y1, p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
  if (d1 < T(0) || (p2 != T(0) && std::fabs(q1) <= std::fabs(q2) && q2 < T(0))) {
    d1 = d2 = x1 = T(0);
    storeRotation(h, T(-1), param);
    return;
  }
  if (p2 == T(0)) {
    param[0] = T(-2);
    return;
  }
  if (std::fabs(q1) > std::fabs(q2)) {
    h = {T(1), -y1 / x1, p2 / p1, T(1)};
    const T u = T(1) - h.h12 * h.h21;
    d1 /= u;
    d2 /= u;
    x1 *= u;
  } else {
    flag = T(1);
    h = {p1 / p2, T(-1), T(1), x1 / y1};
    const T u = T(1) + h.h11 * h.h22, old = d2;
    d2 = d1 / u;
    d1 = old / u;
    x1 = y1 * u;
  }
  bool changed = false;
  rescale(d1, &x1, h.h11, h.h12, changed);
  rescale(d2, static_cast<T *>(nullptr), h.h21, h.h22, changed);
  storeRotation(h, changed ? T(-1) : flag, param);
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_ROTATIONS_H
