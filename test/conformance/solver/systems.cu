// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusolver -lcusparse
//
// cuSOLVER's systems of equations whose factors may be narrower, those of sparse matrices,
// and singular values of several matrices.

#include "Inputs/solver.h"
#include <algorithm>
#include <cusolverSp.h>

using namespace solver;

// Small where devices are simulated.
static const int n = isSlow() ? 4 : 11, rows = n + 3, sides = 2;

template <class T> struct Of;
#define OF(T, SN, S)                                                                     \
  template <> struct Of<T> {                                                             \
    static constexpr auto gesv = cusolverDn##SN##gesv;                                   \
    static constexpr auto gels = cusolverDn##SN##gels;                                   \
    static constexpr auto qr = cusolverSp##S##csrlsvqr;                                  \
    static constexpr auto cholesky = cusolverSp##S##csrlsvchol;                          \
    static constexpr auto many = cusolverDn##S##gesvdjBatched;                           \
    static constexpr auto approximate = cusolverDn##S##gesvdaStridedBatched;             \
  };
OF(float, SH, S)
OF(double, DS, D)
OF(cuComplex, CC, C)
OF(cuDoubleComplex, ZK, Z)

/// A X = B, and the X of the least A X - B.
template <class T> static void solutions(cusolverDnHandle_t handle) {
  const std::vector<T> stored = numbers<T>(rows * n, 4), right = numbers<T>(rows * sides, 5);
  const Matrix square = matrixOf(stored, n, n, rows), tall = matrixOf(stored, rows, n, rows),
               b = matrixOf(right, rows, sides, rows);
  check::Array<T> a(stored), given(right), x(n * sides);
  check::Array<int> pivots(n), info(1);
  int iterations = -1;
  SOLVER(Of<T>::gesv(handle, n, sides, a, rows, pivots, given, rows, x, n, nullptr, 0,
                     &iterations, info));
  CHECK_EQ(iterations, 0);
  CHECK_EQ(info.get()[0], 0);
  NEAR(T, square * matrixOf(x.get(), n, sides, n), matrixOf(right, n, sides, rows));
  a.put();
  SOLVER(Of<T>::gels(handle, rows, n, sides, a, rows, given, rows, x, n, nullptr, 0,
                     &iterations, info));
  CHECK_EQ(info.get()[0], 0);
  // What is left is orthogonal to A's columns.
  const Matrix turned = adjoint(tall);
  NEAR(T, turned * tall * matrixOf(x.get(), n, sides, n), turned * b);
}

/// A matrix of three diagonals, by compressed rows.
template <class T> struct Bands {
  std::vector<int> offsets{0}, columns;
  std::vector<T> values;
  Matrix dense{n, n};

  Bands(int base, int without) {
    for (int i = 0; i < n; ++i) {
      for (int j = std::max(0, i - 1); j < std::min(n, i + 2) && i != without; ++j) {
        dense.at(i, j) = i == j ? 4 : 1 + (i + j) % 2;
        columns.push_back(j + base);
        values.push_back(make<T>(dense.at(i, j)));
      }
      offsets.push_back(int(values.size()));
    }
    for (int &offset : offsets)
      offset += base;
  }
};

template <class T>
static void sparse(cusolverSpHandle_t handle, int base, bool symmetric, int without) {
  const Bands<T> bands(base, without);
  check::Array<int> offsets(bands.offsets), columns(bands.columns);
  check::Array<T> values(bands.values), b(numbers<T>(n, 3)), x(n);
  cusparseMatDescr_t description;
  CHECK_EQ(cusparseCreateMatDescr(&description), CUSPARSE_STATUS_SUCCESS);
  CHECK_EQ(cusparseSetMatIndexBase(description, cusparseIndexBase_t(base)),
           CUSPARSE_STATUS_SUCCESS);
  int singular = 7;
  const auto solve = symmetric ? Of<T>::cholesky : Of<T>::qr;
  SOLVER(solve(handle, n, int(bands.values.size()), description, values, offsets, columns,
               b, 0, 0, x, &singular));
  if (without < 0) {
    CHECK_EQ(singular, -1);
    NEAR(T, bands.dense * matrixOf(x.get(), n, 1, n), matrixOf(b.host, n, 1, n));
  } else {
    CHECK_TRUE(singular >= 0 && singular < n);
  }
  CHECK_EQ(cusparseDestroyMatDescr(description), CUSPARSE_STATUS_SUCCESS);
}

template <class T>
static Matrix product(const std::vector<T> &u, const std::vector<Real<T>> &s,
                      const std::vector<T> &v, int height, int width, int rank) {
  Matrix middle(rank, rank);
  for (int i = 0; i < rank; ++i)
    middle.at(i, i) = s[i];
  return matrixOf(u, height, rank, height) * middle *
         adjoint(matrixOf(v, width, rank, width));
}
template <class V> static std::vector<V> part(const std::vector<V> &all, size_t i, size_t size) {
  return {all.begin() + i * size, all.begin() + (i + 1) * size};
}

/// Three matrices; of those that are approximated the first two values are wanted, too.
template <class T> static void batches(cusolverDnHandle_t handle, int height, int width) {
  using R = Real<T>;
  const int smaller = std::min(height, width), batch = 3;
  const std::vector<T> stored = numbers<T>(height * width * batch, 4);
  check::Array<T> a(stored), u(height * height * batch), v(width * width * batch);
  check::Array<R> s(smaller * batch);
  check::Array<int> info(batch);
  SOLVER(Of<T>::many(handle, CUSOLVER_EIG_MODE_VECTOR, height, width, a, height, s, u,
                     height, v, width, nullptr, 0, info, nullptr, batch));
  const auto compare = [&](int i, int rank, size_t sizeU, size_t sizeV) {
    CHECK_AT(i, info.get()[i], 0);
    NEAR(T,
         product(part(u.get(), i, sizeU), part(s.get(), i, rank), part(v.get(), i, sizeV),
                 height, width, rank),
         matrixOf(part(stored, i, height * width), height, width, height));
  };
  for (int i = 0; i < batch; ++i)
    compare(i, smaller, height * height, width * width);
  const std::vector<R> values = s.host;

  a.put();
  double residuals[batch];
  SOLVER(Of<T>::approximate(handle, CUSOLVER_EIG_MODE_VECTOR, smaller, height, width, a,
                            height, height * width, s, smaller, u, height,
                            height * smaller, v, width, width * smaller, nullptr, 0, info,
                            residuals, batch));
  for (int i = 0; i < batch; ++i) {
    compare(i, smaller, height * smaller, width * smaller);
    CHECK_TRUE(residuals[i] >= 0 && residuals[i] < 1e-3);
  }
  SOLVER(Of<T>::approximate(handle, CUSOLVER_EIG_MODE_NOVECTOR, 2, height, width, a,
                            height, height * width, s, 2, u, height, 0, v, width, 0,
                            nullptr, 0, info, residuals, batch));
  s.get();
  for (int i = 0; i < batch; ++i) {
    double rest = 0;
    for (int k = 0; k < smaller; ++k)
      if (k < 2)
        CHECK_TRUE(std::abs(s.host[i * 2 + k] - values[i * smaller + k]) <= 1e-4);
      else
        rest += double(values[i * smaller + k]) * values[i * smaller + k];
    CHECK_TRUE(std::abs(residuals[i] - std::sqrt(rest)) <= 1e-4);
  }
}

template <class T> static void testAll(cusolverDnHandle_t dense, cusolverSpHandle_t handle) {
  solutions<T>(dense);
  sparse<T>(handle, 0, false, -1);
  sparse<T>(handle, 1, true, -1);
  sparse<T>(handle, 0, false, 2);
  batches<T>(dense, 4, 3);
  batches<T>(dense, 3, 4);
}

static void refused(cusolverDnHandle_t handle, cusolverSpHandle_t sparseHandle) {
  int size = 0, iterations = 0;
  SOLVER_ERROR(cusolverDnDgebrd_bufferSize(handle, 3, 3, &size),
               CUSOLVER_STATUS_NOT_SUPPORTED);
  SOLVER_ERROR(cusolverDnDsytrf_bufferSize(handle, 3, nullptr, 3, &size),
               CUSOLVER_STATUS_NOT_SUPPORTED);
  // Not looked at: the leading dimension.
  SOLVER(cusolverDnDgeqrf_bufferSize(handle, 4, 3, nullptr, 3, &size));
  // More unknowns than equations.
  SOLVER_ERROR(cusolverDnDDgels(handle, 2, 3, 1, nullptr, 3, nullptr, 3, nullptr, 3, nullptr,
                                0, &iterations, &size),
               CUSOLVER_STATUS_INVALID_VALUE);
  SOLVER_ERROR(cusolverSpDcsrlsvqr(sparseHandle, 3, 0, nullptr, nullptr, nullptr, nullptr,
                                   nullptr, 0, 0, nullptr, &size),
               CUSOLVER_STATUS_INVALID_VALUE);
  SOLVER_ERROR(cusolverSpSetStream(nullptr, nullptr), CUSOLVER_STATUS_NOT_INITIALIZED);
}

int main() {
  Handle handle;
  cusolverSpHandle_t sparseHandle = nullptr;
  SOLVER(cusolverSpCreate(&sparseHandle));
  testAll<double>(handle, sparseHandle);
  if (!isSlow()) {
    testAll<float>(handle, sparseHandle);
    testAll<cuComplex>(handle, sparseHandle);
    testAll<cuDoubleComplex>(handle, sparseHandle);
  }
  refused(handle, sparseHandle);
  SOLVER(cusolverSpDestroy(sparseHandle));
  return check::finish("systems");
}
