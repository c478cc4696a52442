// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusolver
//
// cuSOLVER's factors of matrices of more rows than a block has, of every shape.

#include "Inputs/solver.h"

using namespace solver;

static const int n = isSlow() ? 70 : 150, leading = n + 3;

/// Hermitian, and positive since its diagonal outweighs the rest.
template <class T> static std::vector<T> positive() {
  const Matrix a = matrixOf(numbers<T>(leading * n, 3), n, n, leading),
               transposed = adjoint(a);
  std::vector<T> stored(leading * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      stored[i + j * leading] =
          make<T>(a.at(i, j) + transposed.at(i, j) + Complex(i == j ? 50 * n : 0));
  return stored;
}

template <class T> static void cholesky(cusolverDnHandle_t handle, cublasFillMode_t part) {
  const std::vector<T> stored = positive<T>();
  const Matrix given = matrixOf(stored, n, n, leading);
  constexpr cudaDataType type = typeOf<T>();
  check::Array<T> a(stored), b(numbers<T>(leading * 2, 8));
  check::Array<int> info(1);
  const Matrix right = matrixOf(b.host, n, 2, leading);
  SOLVER(cusolverDnXpotrf(handle, nullptr, part, n, type, a, leading, type, nullptr, 0,
                          nullptr, 0, info));
  CHECK_EQ(info.get()[0], 0);
  Matrix factor = matrixOf(a.get(), n, n, leading);
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (i != j && (i > j) != lower) {
        CHECK_TRUE(plain(a.host[i + j * leading]) == given.at(i, j)); // not touched
        factor.at(i, j) = 0;
      }
  NEAR(T, lower ? factor * adjoint(factor) : adjoint(factor) * factor, given);
  SOLVER(cusolverDnXpotrs(handle, nullptr, part, n, 2, type, a, leading, type, b, leading,
                          info));
  NEAR(T, given * matrixOf(b.get(), n, 2, leading), right);
  // A minor that is not positive, in a block behind the first, and another behind that.
  a.host = stored;
  for (const int at : {66, n - 1})
    a.host[at + at * leading] = make<T>(-1);
  a.put();
  SOLVER(cusolverDnXpotrf(handle, nullptr, part, n, type, a, leading, type, nullptr, 0,
                          nullptr, 0, info));
  CHECK_EQ(info.get()[0], 67);
}

/// P L U of a matrix of any shape is the matrix.
template <class T> static void lu(cusolverDnHandle_t handle, int rows, int columns) {
  std::vector<T> stored = numbers<T>(leading * columns, 5);
  const Matrix given = matrixOf(stored, rows, columns, leading);
  constexpr cudaDataType type = typeOf<T>();
  const int smaller = rows < columns ? rows : columns;
  check::Array<T> a(stored);
  check::Array<int64_t> pivots(smaller);
  check::Array<int> info(1);
  SOLVER(cusolverDnXgetrf(handle, nullptr, rows, columns, type, a, leading, pivots, type,
                          nullptr, 0, nullptr, 0, info));
  CHECK_EQ(info.get()[0], 0);
  const Matrix both = matrixOf(a.get(), rows, columns, leading);
  Matrix l(rows, smaller), u(smaller, columns), exchanged = given;
  for (int j = 0; j < smaller; ++j)
    for (int i = j; i < rows; ++i) {
      l.at(i, j) = i == j ? 1 : both.at(i, j);
      CHECK_TRUE(std::abs(l.at(i, j)) < 1.5); // the sum of parts is what is compared
    }
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i <= j && i < smaller; ++i)
      u.at(i, j) = both.at(i, j);
  for (int i = 0; i < smaller; ++i) {
    const int row = int(pivots.get()[i]) - 1;
    CHECK_TRUE(row >= i && row < rows);
    for (int j = 0; j < columns; ++j)
      std::swap(exchanged.at(i, j), exchanged.at(row, j));
  }
  NEAR(T, l * u, exchanged);
  if (rows != columns)
    return;
  for (const cublasOperation_t operation : blas::operations) {
    const std::vector<T> right = numbers<T>(leading * 2, 8);
    check::Array<T> b(right);
    SOLVER(cusolverDnXgetrs(handle, nullptr, operation, n, 2, type, a, leading, pivots,
                            type, b, leading, info));
    Matrix op = operation == CUBLAS_OP_N ? given : adjoint(given);
    if (operation == CUBLAS_OP_T)
      for (Complex &value : op.values)
        value = std::conj(value);
    const Matrix x = matrixOf(b.get(), n, 2, leading);
    double error = 0, length = 0;
    const Matrix product = op * x, wanted = matrixOf(right, n, 2, leading);
    for (size_t i = 0; i < product.values.size(); ++i)
      error += std::norm(product.values[i] - wanted.values[i]);
    for (const Complex &value : x.values)
      length += std::norm(value);
    // Backward error: relative to the sizes of the matrix and of the solution.
    const double epsilon =
        sizeof(T) / (blas::isComplex<T> ? 2 : 1) == 4 ? 0x1p-23 : 0x1p-52;
    CHECK_TRUE(std::sqrt(error) <= 50 * n * epsilon * 10 * n * std::sqrt(length));
  }
}

/// No rows are exchanged; the first zero of two on the diagonal is told.
static void withoutPivots(cusolverDnHandle_t handle) {
  const std::vector<float> stored = positive<float>();
  const Matrix given = matrixOf(stored, n, n, leading);
  check::Array<float> a(stored);
  check::Array<int> info(1);
  SOLVER(cusolverDnSgetrf(handle, n, n, a, leading, nullptr, nullptr, info));
  CHECK_EQ(info.get()[0], 0);
  Matrix l = matrixOf(a.get(), n, n, leading), u = l;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      (i > j ? u : l).at(i, j) = i == j ? 1 : 0;
  for (int i = 0; i < n; ++i)
    u.at(i, i) = a.host[i + i * leading];
  NEAR(float, l * u, given);
  a.host = stored;
  for (const int column : {65, n - 1})
    for (int i = 0; i < n; ++i)
      a.host[i + column * leading] = 0;
  a.put();
  SOLVER(cusolverDnSgetrf(handle, n, n, a, leading, nullptr, nullptr, info));
  CHECK_EQ(info.get()[0], 66);
}

template <class T>
static cusolverStatus_t factorQR(cusolverDnHandle_t handle, int rows, int columns, T *a,
                                 T *tau, int *info) {
  return cusolverDnXgeqrf(handle, nullptr, rows, columns, typeOf<T>(), a, leading,
                          typeOf<T>(), tau, typeOf<T>(), nullptr, 0, nullptr, 0, info);
}

/// Q^H A is R, Q's columns are orthonormal, and Q R is A.
static void qr(cusolverDnHandle_t handle, int rows, int columns) {
  using T = cuComplex;
  const std::vector<T> stored = numbers<T>(leading * columns, 4);
  const Matrix given = matrixOf(stored, rows, columns, leading);
  const int smaller = rows < columns ? rows : columns;
  check::Array<T> a(stored), tau(smaller), c(stored), work(64);
  check::Array<int> info(1);
  SOLVER(factorQR<T>(handle, rows, columns, a, tau, info));
  Matrix r = matrixOf(a.get(), rows, columns, leading);
  for (int j = 0; j < columns; ++j)
    for (int i = j + 1; i < rows; ++i)
      r.at(i, j) = 0;
  SOLVER(cusolverDnCunmqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, rows, columns, smaller, a,
                          leading, tau, c, leading, work, 64, info));
  NEAR(T, matrixOf(c.get(), rows, columns, leading), r);
  SOLVER(cusolverDnCunmqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, rows, columns, smaller, a,
                          leading, tau, c, leading, work, 64, info));
  NEAR(T, matrixOf(c.get(), rows, columns, leading), given);
  // B Q Q^H is B, and (B Q)^H is Q^H B^H.
  check::Array<T> b(numbers<T>(leading * rows, 6)), d(leading * 4);
  const Matrix other = matrixOf(b.host, 4, rows, leading);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < rows; ++i)
      d.host[i + j * leading] = make<T>(std::conj(other.at(j, i)));
  d.put();
  SOLVER(cusolverDnCunmqr(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_N, 4, rows, smaller, a,
                          leading, tau, b, leading, work, 64, info));
  SOLVER(cusolverDnCunmqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, rows, 4, smaller, a,
                          leading, tau, d, leading, work, 64, info));
  NEAR(T, adjoint(matrixOf(b.get(), 4, rows, leading)),
       matrixOf(d.get(), rows, 4, leading));
  SOLVER(cusolverDnCunmqr(handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_C, 4, rows, smaller, a,
                          leading, tau, b, leading, work, 64, info));
  NEAR(T, matrixOf(b.get(), 4, rows, leading), other);
  if (rows < columns)
    return;
  SOLVER(cusolverDnCungqr(handle, rows, columns, columns, a, leading, tau, work, 64,
                          info));
  const Matrix q = matrixOf(a.get(), rows, columns, leading);
  NEAR(T, adjoint(q) * q, identity(columns));
  Matrix top(columns, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < columns; ++i)
      top.at(i, j) = r.at(i, j);
  NEAR(T, q * top, given);
}

template <class T> static void testAll(cusolverDnHandle_t handle) {
  cholesky<T>(handle, CUBLAS_FILL_MODE_LOWER);
  cholesky<T>(handle, CUBLAS_FILL_MODE_UPPER);
  lu<T>(handle, n, n);
}

int main() {
  Handle handle;
  testAll<float>(handle);
  if (!isSlow()) {
    testAll<double>(handle);
    testAll<cuComplex>(handle);
    testAll<cuDoubleComplex>(handle);
    lu<double>(handle, n, 77);
    lu<double>(handle, 77, n);
    qr(handle, n, n);
    qr(handle, 60, n);
  }
  withoutPivots(handle);
  qr(handle, n, 65);
  return check::finish("blocks");
}
