// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusolver
//
// cuSOLVER's factors of dense matrices, and solutions by them.

#include "Inputs/solver.h"

using namespace solver;

constexpr int n = 20, leading = 23, columns = 3;

template <class T> static std::vector<T> general(unsigned seed) {
  return numbers<T>(leading * n, seed);
}
/// A^H A + 100: positive.
template <class T> static std::vector<T> positive() {
  const Matrix a = matrixOf(general<T>(3), n, n, leading), square = adjoint(a) * a;
  std::vector<T> stored(leading * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      stored[i + j * leading] = make<T>(square.at(i, j) + Complex(i == j ? 100 : 0));
  return stored;
}

template <class T> static void cholesky(cusolverDnHandle_t handle, cublasFillMode_t part) {
  const std::vector<T> stored = positive<T>();
  const Matrix given = matrixOf(stored, n, n, leading);
  check::Array<T> a(stored), b(numbers<T>(leading * columns, 8));
  const Matrix right = matrixOf(b.host, n, columns, leading);
  check::Array<int> info(1);
  constexpr cudaDataType type = typeOf<T>();
  size_t onDevice = 0, onHost = 0;
  SOLVER(cusolverDnXpotrf_bufferSize(handle, nullptr, part, n, type, a, leading, type,
                                     &onDevice, &onHost));
  check::Array<char> buffer(onDevice);
  SOLVER(cusolverDnXpotrf(handle, nullptr, part, n, type, a, leading, type, buffer,
                          onDevice, nullptr, onHost, info));
  CHECK_EQ(info.get()[0], 0);
  Matrix factor = matrixOf(a.get(), n, n, leading);
  const bool lower = part == CUBLAS_FILL_MODE_LOWER;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (i != j && (i > j) != lower) {
        CHECK_EQ(a.host[i + j * leading], stored[i + j * leading]); // not touched
        factor.at(i, j) = 0;
      }
  NEAR(T, lower ? factor * adjoint(factor) : adjoint(factor) * factor, given);
  SOLVER(cusolverDnXpotrs(handle, nullptr, part, n, columns, type, a, leading, type, b,
                          leading, info));
  NEAR(T, given * matrixOf(b.get(), n, columns, leading), right);
  // A minor that is not positive.
  a.host = stored;
  a.host[4 + 4 * leading] = make<T>(-1);
  a.put();
  SOLVER(cusolverDnXpotrf(handle, nullptr, part, n, type, a, leading, type, buffer,
                          onDevice, nullptr, onHost, info));
  CHECK_EQ(info.get()[0], 5);
}

template <class T> static void lu(cusolverDnHandle_t handle) {
  const std::vector<T> stored = general<T>(5);
  const Matrix given = matrixOf(stored, n, n, leading);
  constexpr cudaDataType type = typeOf<T>();
  check::Array<T> a(stored);
  check::Array<int64_t> pivots(n);
  check::Array<int> info(1);
  SOLVER(cusolverDnXgetrf(handle, nullptr, n, n, type, a, leading, pivots, type, nullptr,
                          0, nullptr, 0, info));
  CHECK_EQ(info.get()[0], 0);
  const std::vector<T> right = numbers<T>(leading * columns, 8);
  for (const cublasOperation_t operation : blas::operations) {
    check::Array<T> b(right);
    SOLVER(cusolverDnXgetrs(handle, nullptr, operation, n, columns, type, a, leading,
                            pivots, type, b, leading, info));
    Matrix op = operation == CUBLAS_OP_N ? given : adjoint(given);
    if (operation == CUBLAS_OP_T)
      for (Complex &value : op.values)
        value = std::conj(value);
    NEAR(T, op * matrixOf(b.get(), n, columns, leading),
         matrixOf(right, n, columns, leading));
  }
}

/// A zero column, which rows cannot be exchanged for; and LU without exchanges.
static void singular(cusolverDnHandle_t handle) {
  std::vector<float> stored = general<float>(5);
  for (int i = 0; i < n; ++i)
    stored[i + 2 * leading] = 0;
  check::Array<float> a(stored), b(positive<float>());
  check::Array<int> pivots(n), info(1);
  int size = 0;
  SOLVER(cusolverDnSgetrf_bufferSize(handle, n, n, a, leading, &size));
  check::Array<float> work(size);
  SOLVER(cusolverDnSgetrf(handle, n, n, a, leading, work, pivots, info));
  CHECK_EQ(info.get()[0], 3);
  const Matrix given = matrixOf(b.host, n, n, leading);
  SOLVER(cusolverDnSgetrf(handle, n, n, b, leading, work, nullptr, info));
  Matrix l = matrixOf(b.get(), n, n, leading), u = l;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      (i > j ? u : l).at(i, j) = i == j ? 1 : 0;
  for (int i = 0; i < n; ++i)
    u.at(i, i) = b.host[i + i * leading];
  NEAR(float, l * u, given);
  SOLVER_ERROR(cusolverDnSgetrf(handle, n, n, b, n - 1, work, nullptr, info),
               CUSOLVER_STATUS_INVALID_VALUE);
  SOLVER_ERROR(cusolverDnSgetrf(nullptr, n, n, b, n, work, nullptr, info),
               CUSOLVER_STATUS_NOT_INITIALIZED);
}

static void qr(cusolverDnHandle_t handle) {
  constexpr int m = 20, k = 13;
  const std::vector<cuDoubleComplex> stored = numbers<cuDoubleComplex>(leading * k, 4);
  const Matrix given = matrixOf(stored, m, k, leading);
  using T = cuDoubleComplex;
  check::Array<T> a(stored), tau(k), work(64), c(stored), d(numbers<T>(leading * m, 6));
  const Matrix other = matrixOf(d.host, k, m, leading);
  check::Array<int> info(1);
  SOLVER(cusolverDnZgeqrf(handle, m, k, a, leading, tau, work, 64, info));
  Matrix r = matrixOf(a.get(), m, k, leading);
  for (int j = 0; j < k; ++j)
    for (int i = j + 1; i < m; ++i)
      r.at(i, j) = 0;
  // Q^H A is R; B Q Q^H is B.
  SOLVER(cusolverDnZunmqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, m, k, k, a, leading, tau,
                          c, leading, work, 64, info));
  NEAR(T, matrixOf(c.get(), m, k, leading), r);
  for (const cublasOperation_t operation : {CUBLAS_OP_N, CUBLAS_OP_C})
    SOLVER(cusolverDnZunmqr(handle, CUBLAS_SIDE_RIGHT, operation, k, m, k, a, leading,
                            tau, d, leading, work, 64, info));
  NEAR(T, matrixOf(d.get(), k, m, leading), other);
  SOLVER(cusolverDnZungqr(handle, m, k, k, a, leading, tau, work, 64, info));
  const Matrix q = matrixOf(a.get(), m, k, leading);
  NEAR(T, adjoint(q) * q, identity(k));
  Matrix top(k, k);
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < k; ++i)
      top.at(i, j) = r.at(i, j);
  NEAR(T, q * top, given);
}

/// Many matrices; inverses.
static void many(cusolverDnHandle_t handle) {
  const std::vector<double> stored = positive<double>();
  const Matrix given = matrixOf(stored, n, n, leading);
  check::Array<double> first(stored), second(stored), b(numbers<double>(n, 3)),
      c(numbers<double>(n, 4)), work(64);
  const std::vector<double> right = c.host;
  check::Array<double *> places(std::vector<double *>{first, second}),
      sides(std::vector<double *>{b, c});
  check::Array<int> info(2);
  SOLVER(cusolverDnDpotrfBatched(handle, CUBLAS_FILL_MODE_LOWER, n, places, leading, info,
                                 2));
  CHECK_TRUE(info.get() == std::vector<int>({0, 0}));
  CHECK_TRUE(first.get() == second.get());
  SOLVER(cusolverDnDpotrsBatched(handle, CUBLAS_FILL_MODE_LOWER, n, 1, places, leading,
                                 sides, n, info, 2));
  NEAR(double, given * matrixOf(c.get(), n, 1, n), matrixOf(right, n, 1, n));
  SOLVER(cusolverDnDpotri(handle, CUBLAS_FILL_MODE_LOWER, n, first, leading, work, 64,
                          info));
  Matrix inverse = matrixOf(first.get(), n, n, leading);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i)
      inverse.at(i, j) = inverse.at(j, i);
  NEAR(double, given * inverse, identity(n));
}

template <class T> static void testAll(cusolverDnHandle_t handle) {
  cholesky<T>(handle, CUBLAS_FILL_MODE_LOWER);
  cholesky<T>(handle, CUBLAS_FILL_MODE_UPPER);
  lu<T>(handle);
}

int main() {
  Handle handle;
  testAll<float>(handle);
  if (!isSlow()) {
    testAll<double>(handle);
    testAll<cuComplex>(handle);
    testAll<cuDoubleComplex>(handle);
    many(handle);
  }
  singular(handle);
  qr(handle);
  return check::finish("factors");
}
