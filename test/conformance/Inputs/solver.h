// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs about cuSOLVER share: matrices by columns in complex double, and how far
// products of results may be from what was given.

#ifndef CONFORMANCE_SOLVER_H
#define CONFORMANCE_SOLVER_H

#include "blas.h"
#include <cmath>
#include <cusolverDn.h>

#define SOLVER(...) CHECK_EQ(__VA_ARGS__, CUSOLVER_STATUS_SUCCESS)
#define SOLVER_ERROR(call, status) CHECK_EQ(call, status)

namespace solver {

using Complex = std::complex<double>;
using blas::make;
using blas::numbers;
using blas::plain;

using check::isSlow;

struct Matrix {
  int rows, columns;
  std::vector<Complex> values;
  Matrix(int rows, int columns)
      : rows(rows), columns(columns), values(size_t(rows) * columns) {}
  Complex &at(int i, int j) { return values[i + size_t(j) * rows]; }
  Complex at(int i, int j) const { return values[i + size_t(j) * rows]; }
};

/// Of what a device's matrix holds; the leading dimension is `leading`.
template <class T>
Matrix matrixOf(const std::vector<T> &stored, int rows, int columns, int leading) {
  Matrix a(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      a.at(i, j) = plain(stored[i + size_t(j) * leading]);
  return a;
}
inline Matrix adjoint(const Matrix &a) {
  Matrix result(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j)
      result.at(j, i) = std::conj(a.at(i, j));
  return result;
}
inline Matrix operator*(const Matrix &a, const Matrix &b) {
  Matrix c(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int k = 0; k < a.columns; ++k)
      for (int i = 0; i < a.rows; ++i)
        c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}
inline Matrix identity(int n) {
  Matrix a(n, n);
  for (int i = 0; i < n; ++i)
    a.at(i, i) = 1;
  return a;
}

/// Whether the distance of two matrices is what roundings explain.
template <class T> void near(int line, const Matrix &found, const Matrix &expected) {
  double difference = 0, length = 0;
  for (size_t i = 0; i < expected.values.size(); ++i) {
    difference += std::norm(found.values[i] - expected.values[i]);
    length += std::norm(expected.values[i]);
  }
  const double epsilon =
                   sizeof(T) / (blas::isComplex<T> ? 2 : 1) == 4 ? 0x1p-23 : 0x1p-52,
               bound = 50 * expected.rows * epsilon,
               error = std::sqrt(difference / length);
  if (!(error <= bound) && ++check::failures() <= 10)
    printf("line %d: found an error of %g, expected at most %g\n", line, error, bound);
}
#define NEAR(T, ...) ::solver::near<T>(__LINE__, __VA_ARGS__)

struct Handle {
  cusolverDnHandle_t handle = nullptr;
  Handle() {
    // The programs' memory for work is what kernels and the host need, not NVIDIA's.
    setenv("HET_LIBRARIES", "host,portable", 0);
    SOLVER(cusolverDnCreate(&handle));
  }
  Handle(const Handle &) = delete;
  ~Handle() { SOLVER(cusolverDnDestroy(handle)); }
  operator cusolverDnHandle_t() const { return handle; }
};

template <class T> constexpr cudaDataType typeOf() {
  return std::is_same<T, float>::value       ? CUDA_R_32F
         : std::is_same<T, double>::value    ? CUDA_R_64F
         : std::is_same<T, cuComplex>::value ? CUDA_C_32F
                                             : CUDA_C_64F;
}
template <class T> constexpr cudaDataType realTypeOf() {
  return typeOf<T>() == CUDA_C_32F   ? CUDA_R_32F
         : typeOf<T>() == CUDA_C_64F ? CUDA_R_64F
                                     : typeOf<T>();
}
template <class T>
using Real = std::conditional_t<realTypeOf<T>() == CUDA_R_32F, float, double>;

} // namespace solver

#endif // CONFORMANCE_SOLVER_H
