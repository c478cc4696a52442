// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices of which a part is stored, for programs about cuBLAS: as a band, packed, or
// one triangle of them; and what they stand for, element by element.

#ifndef CONFORMANCE_BLAS_MATRIX_H
#define CONFORMANCE_BLAS_MATRIX_H

#include "blas.h"

namespace blas {

enum class Kind { General, Symmetric, Hermitian, Triangle, UnitTriangle };

/// Whole numbers, all of them, as rows of columns.
template <class T> struct Dense {
  int rows, columns;
  std::vector<Number<T>> values;
  Dense(int rows, int columns)
      : rows(rows), columns(columns), values(size_t(rows) * columns) {}
  Number<T> &operator()(int i, int j) { return values[i + size_t(j) * rows]; }
  const Number<T> &operator()(int i, int j) const { return values[i + size_t(j) * rows]; }
};

inline double real(double a) { return a; }
inline double real(std::complex<double> a) { return a.real(); }

/// What a stored triangle of a matrix of that kind means.
template <class T>
Dense<T> meaning(Kind kind, bool lower, int n, const std::vector<T> &stored,
                 int leading) {
  Dense<T> result(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const bool in = lower ? i >= j : i <= j;
      const Number<T> value =
          plain(in ? stored[i + size_t(j) * leading] : stored[j + size_t(i) * leading]);
      Number<T> &to = result(i, j);
      to = value;
      if (kind == Kind::Hermitian)
        to = i == j ? Number<T>(real(value)) : in ? value : conj(value);
      if ((kind == Kind::Triangle || kind == Kind::UnitTriangle) && !in)
        to = 0;
      if (kind == Kind::UnitTriangle && i == j)
        to = 1;
    }
  return result;
}

template <class T> Dense<T> turned(const Dense<T> &a, cublasOperation_t operation) {
  if (operation == CUBLAS_OP_N)
    return a;
  Dense<T> result(a.columns, a.rows);
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i)
      result(j, i) = operation == CUBLAS_OP_C ? conj(a(i, j)) : a(i, j);
  return result;
}

template <class T> Dense<T> product(const Dense<T> &a, const Dense<T> &b) {
  Dense<T> result(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int k = 0; k < a.columns; ++k)
      for (int i = 0; i < a.rows; ++i)
        result(i, j) += a(i, k) * b(k, j);
  return result;
}

template <class T>
Dense<T> dense(const std::vector<T> &stored, int rows, int columns, int leading) {
  Dense<T> result(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      result(i, j) = plain(stored[i + size_t(j) * leading]);
  return result;
}

/// One triangle, column after column.
template <class T>
std::vector<T> packed(bool lower, int n, const std::vector<T> &full, int leading) {
  std::vector<T> result;
  for (int j = 0; j < n; ++j)
    for (int i = lower ? j : 0; i < (lower ? n : j + 1); ++i)
      result.push_back(full[i + size_t(j) * leading]);
  return result;
}

/// The diagonals of a band, as BLAS stores them; elements outside it become zero in
/// `full`.
template <class T>
std::vector<T> band(std::vector<T> &full, int rows, int columns, int leading, int below,
                    int above, int bandLeading) {
  std::vector<T> result(size_t(bandLeading) * columns, make<T>(99));
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      if (i - j <= below && j - i <= above)
        result[above + i - j + size_t(j) * bandLeading] = full[i + size_t(j) * leading];
      else
        full[i + size_t(j) * leading] = make<T>(0);
  return result;
}

/// Numbers by which division is exact: on the diagonal there are powers of two.
template <class T> std::vector<T> divisible(int n, int leading, unsigned seed) {
  std::vector<T> values = numbers<T>(size_t(leading) * n, seed, 1);
  for (int i = 0; i < n; ++i)
    values[i + size_t(i) * leading] = make<T>(i % 2 ? 2 : -1);
  return values;
}

} // namespace blas

#endif // CONFORMANCE_BLAS_MATRIX_H
