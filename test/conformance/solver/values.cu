// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusolver
//
// cuSOLVER's eigenvalues of Hermitian matrices, and singular values.

#include "Inputs/solver.h"
#include <algorithm>

using namespace solver;

// Small where devices are simulated.
static const int n = isSlow() ? 5 : 14, fewer = isSlow() ? 3 : 9, leading = n + 2;

template <class T> static std::vector<T> hermitian() {
  const Matrix a = matrixOf(numbers<T>(leading * n, 4), n, n, leading),
               transposed = adjoint(a);
  std::vector<T> stored(leading * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      stored[i + j * leading] = make<T>(a.at(i, j) + transposed.at(i, j));
  return stored;
}

template <class R> static Matrix diagonal(const std::vector<R> &values, int rows, int columns) {
  Matrix d(rows, columns);
  for (int i = 0; i < std::min(rows, columns); ++i)
    d.at(i, i) = values[i];
  return d;
}

/// Only one triangle is read: the other one is spoilt.
template <class T> static void eigenvalues(cusolverDnHandle_t handle, bool upper) {
  using R = Real<T>;
  const std::vector<T> stored = hermitian<T>();
  const Matrix given = matrixOf(stored, n, n, leading);
  std::vector<T> half = stored;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (i != j && (i < j) != upper)
        half[i + j * leading] = make<T>(77);
  check::Array<T> a(half);
  check::Array<R> w(n);
  check::Array<int> info(1);
  SOLVER(cusolverDnXsyevd(handle, nullptr, CUSOLVER_EIG_MODE_VECTOR,
                          upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, n,
                          typeOf<T>(), a, leading, realTypeOf<T>(), w, typeOf<T>(),
                          nullptr, 0, nullptr, 0, info));
  CHECK_EQ(info.get()[0], 0);
  const Matrix v = matrixOf(a.get(), n, n, leading);
  CHECK_TRUE(std::is_sorted(w.get().begin(), w.get().end()));
  NEAR(T, adjoint(v) * v, identity(n));
  NEAR(T, v * diagonal(w.host, n, n) * adjoint(v), given);
}

/// Every shape, and matrices whose rank is not full.
template <class T>
static void singularValues(cusolverDnHandle_t handle, int rows, int columns, char job,
                           bool deficient) {
  using R = Real<T>;
  std::vector<T> stored = numbers<T>(leading * columns, 4);
  if (deficient)
    for (int i = 0; i < rows; ++i)
      stored[i + leading] = stored[i];
  const Matrix given = matrixOf(stored, rows, columns, leading);
  const int smaller = std::min(rows, columns), left = job == 'A' ? rows : smaller,
            right = job == 'A' ? columns : smaller;
  check::Array<T> a(stored), u(leading * leading), vt(leading * leading);
  check::Array<R> s(smaller);
  check::Array<int> info(1);
  SOLVER(cusolverDnXgesvd(handle, nullptr, job, job, rows, columns, typeOf<T>(), a,
                          leading, realTypeOf<T>(), s, typeOf<T>(), u, leading,
                          typeOf<T>(), vt, leading, typeOf<T>(), nullptr, 0, nullptr, 0,
                          info));
  CHECK_EQ(info.get()[0], 0);
  const std::vector<R> &values = s.get();
  for (int i = 0; i < smaller; ++i)
    CHECK_TRUE(values[i] >= 0 && (!i || values[i] <= values[i - 1]));
  const Matrix matU = matrixOf(u.get(), rows, left, leading),
               matVT = matrixOf(vt.get(), right, columns, leading);
  NEAR(T, adjoint(matU) * matU, identity(left));
  NEAR(T, matVT * adjoint(matVT), identity(right));
  NEAR(T, matU * diagonal(values, left, right) * matVT, given);
}

/// U or V^H takes A's place.
template <class T>
static void inPlace(cusolverDnHandle_t handle, int rows, int columns, bool left) {
  using R = Real<T>;
  const std::vector<T> stored = numbers<T>(leading * columns, 4);
  const int smaller = std::min(rows, columns);
  check::Array<T> a(stored), other(leading * leading);
  check::Array<R> s(smaller);
  check::Array<int> info(1);
  SOLVER(cusolverDnXgesvd(handle, nullptr, left ? 'O' : 'S', left ? 'S' : 'O', rows,
                          columns, typeOf<T>(), a, leading, realTypeOf<T>(), s,
                          typeOf<T>(), left ? nullptr : (T *)other, leading, typeOf<T>(),
                          left ? (T *)other : nullptr, leading, typeOf<T>(), nullptr, 0,
                          nullptr, 0, info));
  CHECK_EQ(info.get()[0], 0);
  const Matrix u = matrixOf((left ? a : other).get(), rows, smaller, leading),
               vt = matrixOf((left ? other : a).get(), smaller, columns, leading);
  NEAR(T, u * diagonal(s.get(), smaller, smaller) * vt,
       matrixOf(stored, rows, columns, leading));
  SOLVER_ERROR(cusolverDnXgesvd(handle, nullptr, 'O', 'O', rows, columns, typeOf<T>(), a,
                                leading, realTypeOf<T>(), s, typeOf<T>(), nullptr, leading,
                                typeOf<T>(), nullptr, leading, typeOf<T>(), nullptr, 0,
                                nullptr, 0, info),
               CUSOLVER_STATUS_INVALID_VALUE);
}

/// Jacobi's own functions: settings, values alone, many matrices.
static void jacobi(cusolverDnHandle_t handle) {
  const std::vector<double> stored = hermitian<double>();
  std::vector<double> two = stored;
  two.insert(two.end(), stored.begin(), stored.end());
  check::Array<double> a(two), b(stored), w(2 * n), values(n), u(1), v(1), work(64);
  check::Array<int> info(2);
  syevjInfo_t how;
  gesvdjInfo_t other;
  int size = 0, sweeps = 0;
  SOLVER(cusolverDnCreateSyevjInfo(&how));
  SOLVER(cusolverDnXsyevjSetTolerance(how, 1e-12));
  SOLVER(cusolverDnXsyevjSetMaxSweeps(how, 30));
  SOLVER(cusolverDnDsyevjBatched_bufferSize(handle, CUSOLVER_EIG_MODE_NOVECTOR,
                                            CUBLAS_FILL_MODE_LOWER, n, a, leading, w,
                                            &size, how, 2));
  SOLVER(cusolverDnDsyevjBatched(handle, CUSOLVER_EIG_MODE_NOVECTOR,
                                 CUBLAS_FILL_MODE_LOWER, n, a, leading, w, work, size,
                                 info, how, 2));
  SOLVER(cusolverDnXsyevjGetSweeps(handle, how, &sweeps));
  CHECK_TRUE(sweeps > 0 && sweeps < 30);
  w.get();
  for (int i = 0; i < n; ++i)
    CHECK_AT(i, w.host[i], w.host[n + i]);
  // Singular values of a symmetric matrix are the absolute eigenvalues.
  SOLVER(cusolverDnCreateGesvdjInfo(&other));
  SOLVER(cusolverDnDgesvdj(handle, CUSOLVER_EIG_MODE_NOVECTOR, 1, n, n, b, leading,
                           values, u, n, v, n, work, size, info, other));
  std::vector<double> expected;
  for (int i = 0; i < n; ++i)
    expected.push_back(std::abs(w.host[i]));
  std::sort(expected.rbegin(), expected.rend());
  NEAR(double, diagonal(values.get(), n, n), diagonal(expected, n, n));
  double residual = 0;
  SOLVER(cusolverDnXsyevjGetResidual(handle, how, &residual));
  CHECK_TRUE(residual < 1e-9);
  // Not enough sweeps.
  b.put();
  SOLVER(cusolverDnXsyevjSetMaxSweeps(how, 1));
  SOLVER(cusolverDnDsyevj(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, b,
                          leading, w, work, size, info, how));
  CHECK_EQ(info.get()[0], n + 1);
  SOLVER(cusolverDnDestroySyevjInfo(how));
  SOLVER(cusolverDnDestroyGesvdjInfo(other));
}

/// Numbers whose squares are none.
static void extremes(cusolverDnHandle_t handle) {
  for (float size : {1e-23f, 1e30f}) {
    const std::vector<float> stored = {2 * size, size, size, 2 * size};
    check::Array<float> a(stored), b(stored), w(2), s(2), u(4), vt(4), work(64);
    check::Array<int> info(1);
    int room = 0;
    SOLVER(cusolverDnSsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_NOVECTOR,
                                       CUBLAS_FILL_MODE_LOWER, 2, a, 2, w, &room));
    SOLVER(cusolverDnSsyevd(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_LOWER, 2,
                            a, 2, w, work, room, info));
    SOLVER(cusolverDnXgesvd(handle, nullptr, 'N', 'N', 2, 2, CUDA_R_32F, b, 2, CUDA_R_32F,
                            s, CUDA_R_32F, u, 2, CUDA_R_32F, vt, 2, CUDA_R_32F, nullptr, 0,
                            nullptr, 0, info));
    w.get();
    s.get();
    for (int i = 0; i < 2; ++i) {
      const float expected = (i ? 3 : 1) * size;
      CHECK_TRUE(std::fabs(w.host[(size_t)i] - expected) <= 1e-5f * expected);
      CHECK_TRUE(std::fabs(s.host[1 - (size_t)i] - expected) <= 1e-5f * expected);
    }
  }
}

template <class T> static void testAll(cusolverDnHandle_t handle) {
  eigenvalues<T>(handle, false);
  eigenvalues<T>(handle, true);
  singularValues<T>(handle, n, fewer, 'A', false);
  singularValues<T>(handle, fewer, n, 'A', true);
  singularValues<T>(handle, fewer, fewer, 'S', true);
  inPlace<T>(handle, n, fewer, true);
  inPlace<T>(handle, fewer, n, false);
}

int main() {
  Handle handle;
  testAll<double>(handle);
  if (!isSlow()) {
    testAll<float>(handle);
    testAll<cuComplex>(handle);
    testAll<cuDoubleComplex>(handle);
  }
  jacobi(handle);
  extremes(handle);
  return check::finish("values");
}
