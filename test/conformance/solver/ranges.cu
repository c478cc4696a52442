// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusolver
//
// cuSOLVER's generalised eigenvalues, eigenvalues of a range, inverses of triangles, and
// singular values of many matrices.

#include "Inputs/solver.h"
#include <algorithm>

using namespace solver;

static const int n = isSlow() ? 5 : 14, fewer = isSlow() ? 3 : 9, leading = n + 2;

template <class T> static std::vector<T> hermitian(double diagonal) {
  const Matrix a = matrixOf(numbers<T>(leading * n, diagonal > 0 ? 9 : 4), n, n, leading),
               transposed = adjoint(a);
  std::vector<T> stored(leading * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      stored[i + j * leading] =
          make<T>(a.at(i, j) + transposed.at(i, j) + Complex(i == j ? diagonal : 0));
  return stored;
}
/// Without the triangle that is not read.
template <class T>
static std::vector<T> spoilt(std::vector<T> stored, cublasFillMode_t part) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (i != j && (i < j) != (part == CUBLAS_FILL_MODE_UPPER))
        stored[i + j * leading] = make<T>(77);
  return stored;
}
template <class R> static Matrix diagonal(const R *values, int rows) {
  Matrix d(rows, rows);
  for (int i = 0; i < rows; ++i)
    d.at(i, i) = values[i];
  return d;
}

/// Functions of a type, by overloads.
#define SOLVER_TYPE(T, R, P, sygv, syev)                                                 \
  static cusolverStatus_t sygvd(cusolverDnHandle_t handle, cusolverEigType_t type,       \
                                cusolverEigMode_t mode, cublasFillMode_t part, T *a,     \
                                T *b, R *w, T *work, int size, int *info) {              \
    int needed = 0;                                                                      \
    SOLVER(cusolverDn##P##sygv##d_bufferSize(handle, type, mode, part, n, a, leading, b, \
                                             leading, w, &needed));                      \
    CHECK_TRUE(needed <= size);                                                          \
    return cusolverDn##P##sygv##d(handle, type, mode, part, n, a, leading, b, leading,   \
                                  w, work, size, info);                                  \
  }                                                                                      \
  static cusolverStatus_t sygvj(cusolverDnHandle_t handle, cusolverEigType_t type,       \
                                cusolverEigMode_t mode, cublasFillMode_t part, T *a,     \
                                T *b, R *w, T *work, int size, int *info,                \
                                syevjInfo_t how) {                                       \
    return cusolverDn##P##sygv##j(handle, type, mode, part, n, a, leading, b, leading,   \
                                  w, work, size, info, how);                             \
  }                                                                                      \
  static cusolverStatus_t syevdx(cusolverDnHandle_t handle, cusolverEigMode_t mode,      \
                                 cusolverEigRange_t range, cublasFillMode_t part, T *a,  \
                                 R vl, R vu, int il, int iu, int *count, R *w, T *work,  \
                                 int size, int *info) {                                  \
    return cusolverDn##P##syev##dx(handle, mode, range, part, n, a, leading, vl, vu, il, \
                                   iu, count, w, work, size, info);                      \
  }                                                                                      \
  static cusolverStatus_t sygvdx(cusolverDnHandle_t handle, cusolverEigMode_t mode,      \
                                 cusolverEigRange_t range, cublasFillMode_t part, T *a,  \
                                 T *b, R vl, R vu, int il, int iu, int *count, R *w,     \
                                 T *work, int size, int *info) {                         \
    return cusolverDn##P##sygv##dx(handle, CUSOLVER_EIG_TYPE_1, mode, range, part, n, a, \
                                   leading, b, leading, vl, vu, il, iu, count, w, work,  \
                                   size, info);                                          \
  }
SOLVER_TYPE(float, float, S, sygv, syev)
SOLVER_TYPE(double, double, D, sygv, syev)
SOLVER_TYPE(cuComplex, float, C, hegv, heev)
SOLVER_TYPE(cuDoubleComplex, double, Z, hegv, heev)

template <class T> static void generalised(cusolverDnHandle_t handle) {
  using R = Real<T>;
  const std::vector<T> storedA = hermitian<T>(0), storedB = hermitian<T>(10 * n);
  const Matrix a = matrixOf(storedA, n, n, leading), b = matrixOf(storedB, n, n, leading);
  check::Array<T> work(4096);
  check::Array<R> w(n), again(n);
  check::Array<int> info(1);
  syevjInfo_t how;
  SOLVER(cusolverDnCreateSyevjInfo(&how));
  for (const cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
    for (const cusolverEigType_t type :
         {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3}) {
      check::Array<T> left(spoilt(storedA, part)), right(spoilt(storedB, part)),
          left2(left.host), right2(right.host);
      SOLVER(sygvd(handle, type, CUSOLVER_EIG_MODE_VECTOR, part, left, right, w, work,
                   4096, info));
      CHECK_EQ(info.get()[0], 0);
      const Matrix x = matrixOf(left.get(), n, n, leading),
                   values = diagonal(w.get().data(), n);
      CHECK_TRUE(std::is_sorted(w.host.begin(), w.host.end()));
      if (type == CUSOLVER_EIG_TYPE_1)
        NEAR(T, a * x, b * x * values);
      else if (type == CUSOLVER_EIG_TYPE_2)
        NEAR(T, a * (b * x), x * values);
      else
        NEAR(T, b * (a * x), x * values);
      SOLVER(sygvj(handle, type, CUSOLVER_EIG_MODE_NOVECTOR, part, left2, right2, again,
                   work, 4096, info, how));
      NEAR(T, diagonal(again.get().data(), n), values);
    }
  // B is not positive.
  check::Array<T> left(storedA), right(storedB);
  right.host[2 + 2 * leading] = make<T>(-1);
  right.put();
  SOLVER(sygvd(handle, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR,
               CUBLAS_FILL_MODE_LOWER, left, right, w, work, 4096, info));
  CHECK_EQ(info.get()[0], n + 3);
  SOLVER(cusolverDnDestroySyevjInfo(how));
}

template <class T> static void ranges(cusolverDnHandle_t handle) {
  using R = Real<T>;
  const std::vector<T> stored = hermitian<T>(0), other = hermitian<T>(10 * n);
  const Matrix given = matrixOf(stored, n, n, leading), b = matrixOf(other, n, n, leading);
  check::Array<T> work(4096), all(stored);
  check::Array<R> w(n), values(n);
  check::Array<int> info(1);
  int count = 0;
  SOLVER(syevdx(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_RANGE_ALL,
                CUBLAS_FILL_MODE_LOWER, all, 0, 0, 0, 0, &count, values, work, 4096,
                info));
  CHECK_EQ(count, n);
  values.get();
  // From the second to the last but one, by numbers and by values.
  const R lower = (values.host[0] + values.host[1]) / 2,
          upper = (values.host[n - 2] + values.host[n - 1]) / 2;
  for (const cusolverEigRange_t range : {CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V}) {
    check::Array<T> a(stored);
    SOLVER(syevdx(handle, CUSOLVER_EIG_MODE_VECTOR, range, CUBLAS_FILL_MODE_UPPER, a,
                  lower, upper, 2, n - 1, &count, w, work, 4096, info));
    CHECK_EQ(count, n - 2);
    const Matrix x = matrixOf(a.get(), n, n - 2, leading),
                 found = diagonal(w.get().data(), n - 2);
    NEAR(T, found, diagonal(values.host.data() + 1, n - 2));
    NEAR(T, adjoint(x) * x, identity(n - 2));
    NEAR(T, given * x, x * found);
    int64_t count64 = 0;
    R from = lower, to = upper;
    a.host = stored;
    a.put();
    SOLVER(cusolverDnXsyevdx(handle, nullptr, CUSOLVER_EIG_MODE_VECTOR, range,
                             CUBLAS_FILL_MODE_UPPER, n, typeOf<T>(), a, leading, &from,
                             &to, 2, n - 1, &count64, realTypeOf<T>(), w, typeOf<T>(),
                             nullptr, 0, nullptr, 0, info));
    CHECK_EQ(count64, int64_t(n - 2));
  }
  check::Array<T> left(stored), right(other);
  SOLVER(sygvdx(handle, CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_RANGE_I,
                CUBLAS_FILL_MODE_LOWER, left, right, 0, 0, 2, 3, &count, w, work, 4096,
                info));
  CHECK_EQ(count, 2);
  const Matrix x = matrixOf(left.get(), n, 2, leading);
  NEAR(T, given * x, b * x * diagonal(w.get().data(), 2));
  SOLVER_ERROR(syevdx(handle, CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_RANGE_I,
                      CUBLAS_FILL_MODE_UPPER, all, 0, 0, 3, 2, &count, w, work, 4096,
                      info),
               CUSOLVER_STATUS_INVALID_VALUE);
}

template <class T> static void inverses(cusolverDnHandle_t handle) {
  for (const cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
    for (const cublasDiagType_t kind : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
      const bool lower = part == CUBLAS_FILL_MODE_LOWER, unit = kind == CUBLAS_DIAG_UNIT;
      std::vector<T> stored(leading * n);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          stored[i + j * leading] =
              make<T>(i == j ? 4 : (i > j) == lower ? 1.0 / (1 + i + j) : 77);
      check::Array<T> a(stored);
      check::Array<int> info(1);
      SOLVER(cusolverDnXtrtri(handle, part, kind, n, typeOf<T>(), a, leading, nullptr, 0,
                              nullptr, 0, info));
      CHECK_EQ(info.get()[0], 0);
      const auto triangle = [&](const std::vector<T> &values) {
        Matrix t = matrixOf(values, n, n, leading);
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i)
            if (i == j ? unit : (i > j) != lower)
              t.at(i, j) = i == j ? 1 : 0;
        return t;
      };
      NEAR(T, triangle(stored) * triangle(a.get()), identity(n));
      const int outside = lower ? leading : 1;
      CHECK_TRUE(plain(a.host[outside]) == plain(stored[outside])); // not touched
      if (unit) {
        CHECK_TRUE(plain(a.host[0]) == plain(stored[0]));
        continue;
      }
      stored[1 + leading] = make<T>(0);
      a.host = stored;
      a.put();
      SOLVER(cusolverDnXtrtri(handle, part, kind, n, typeOf<T>(), a, leading, nullptr, 0,
                              nullptr, 0, info));
      CHECK_EQ(info.get()[0], 2);
    }
}

/// Two matrices at once, and the greatest values of each.
static void many(cusolverDnHandle_t handle) {
  const int m = n, k = fewer, rank = 2;
  const std::vector<double> stored = numbers<double>(2 * leading * k, 4);
  check::Array<double> a(stored), u(2 * m * m), v(2 * k * k), s(2 * k), work(64),
      u2(2 * m * rank), v2(2 * k * rank), s2(2 * rank);
  check::Array<int> info(2);
  gesvdjInfo_t how;
  int size = 0;
  SOLVER(cusolverDnCreateGesvdjInfo(&how));
  SOLVER(cusolverDnDgesvdjBatched_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, m, k, a,
                                             leading, s, u, m, v, k, &size, how, 2));
  SOLVER(cusolverDnDgesvdjBatched(handle, CUSOLVER_EIG_MODE_VECTOR, m, k, a, leading, s, u,
                                  m, v, k, work, size, info, how, 2));
  CHECK_TRUE(info.get() == std::vector<int>({0, 0}));
  a.host = stored;
  a.put();
  double rest[2] = {-1, -1};
  SOLVER(cusolverDnDgesvdaStridedBatched_bufferSize(
      handle, CUSOLVER_EIG_MODE_VECTOR, rank, m, k, a, leading, leading * k, s2, rank, u2,
      m, m * rank, v2, k, k * rank, &size, 2));
  SOLVER(cusolverDnDgesvdaStridedBatched(
      handle, CUSOLVER_EIG_MODE_VECTOR, rank, m, k, a, leading, leading * k, s2, rank, u2,
      m, m * rank, v2, k, k * rank, work, size, info, rest, 2));
  CHECK_TRUE(info.get() == std::vector<int>({0, 0}));
  u.get(), v.get(), s.get(), u2.get(), v2.get(), s2.get();
  for (int number = 0; number < 2; ++number) {
    const auto part = [](const std::vector<double> &all, size_t first, size_t count) {
      return std::vector<double>(all.begin() + first, all.begin() + first + count);
    };
    const Matrix given =
        matrixOf(part(stored, number * leading * k, leading * k), m, k, leading);
    const std::vector<double> fullU = part(u.host, number * m * m, m * m);
    const Matrix left = matrixOf(fullU, m, k, m), all = matrixOf(fullU, m, m, m),
                 right = matrixOf(part(v.host, number * k * k, k * k), k, k, k),
                 values = diagonal(s.host.data() + number * k, k);
    NEAR(double, left * values * adjoint(right), given);
    NEAR(double, adjoint(all) * all, identity(m));
    const Matrix left2 = matrixOf(part(u2.host, number * m * rank, m * rank), m, rank, m),
                 right2 = matrixOf(part(v2.host, number * k * rank, k * rank), k, rank, k),
                 values2 = diagonal(s2.host.data() + number * rank, rank);
    NEAR(double, values2, diagonal(s.host.data() + number * k, rank));
    NEAR(double, given * right2, left2 * values2);
    double sum = 0;
    for (int i = rank; i < k; ++i)
      sum += s.host[number * k + i] * s.host[number * k + i];
    CHECK_TRUE(std::fabs(rest[number] - std::sqrt(sum)) < 1e-9);
  }
  SOLVER(cusolverDnDestroyGesvdjInfo(how));
}

/// One side takes the matrix's place, or the two sides differ; V as it is.
static void sides(cusolverDnHandle_t handle) {
  using T = cuDoubleComplex;
  const std::vector<T> stored = numbers<T>(leading * fewer, 4);
  const Matrix given = matrixOf(stored, n, fewer, leading);
  check::Array<T> a(stored), u(leading * n), vt(leading * fewer), work(64);
  check::Array<double> s(fewer), real(64);
  check::Array<int> info(1);
  const auto product = [&](const std::vector<T> &left, bool turned) {
    const Matrix v = matrixOf(vt.get(), fewer, fewer, leading);
    return matrixOf(left, n, fewer, leading) * diagonal(s.get().data(), fewer) *
           (turned ? v : adjoint(v));
  };
  SOLVER(cusolverDnZgesvd(handle, 'O', 'A', n, fewer, a, leading, s, u, leading, vt,
                          leading, work, 64, real, info));
  CHECK_EQ(info.get()[0], 0);
  NEAR(T, product(a.get(), true), given);
  a.host = stored;
  a.put();
  SOLVER(cusolverDnZgesvd(handle, 'A', 'S', n, fewer, a, leading, s, u, leading, vt,
                          leading, work, 64, real, info));
  const Matrix all = matrixOf(u.get(), n, n, leading);
  NEAR(T, adjoint(all) * all, identity(n));
  NEAR(T, product(u.host, true), given);
  SOLVER_ERROR(cusolverDnZgesvd(handle, 'O', 'O', n, fewer, a, leading, s, u, leading, vt,
                                leading, work, 64, real, info),
               CUSOLVER_STATUS_INVALID_VALUE);
  double changed = -1;
  a.host = stored;
  a.put();
  SOLVER(cusolverDnXgesvdp(handle, nullptr, CUSOLVER_EIG_MODE_VECTOR, 1, n, fewer,
                           CUDA_C_64F, a, leading, CUDA_R_64F, s, CUDA_C_64F, u, leading,
                           CUDA_C_64F, vt, leading, CUDA_C_64F, nullptr, 0, nullptr, 0,
                           info, &changed));
  CHECK_TRUE(changed >= 0);
  NEAR(T, product(u.get(), false), given);
}

template <class T> static void testAll(cusolverDnHandle_t handle) {
  generalised<T>(handle);
  ranges<T>(handle);
  inverses<T>(handle);
}

int main() {
  Handle handle;
  testAll<double>(handle);
  if (!isSlow()) {
    testAll<float>(handle);
    testAll<cuComplex>(handle);
    testAll<cuDoubleComplex>(handle);
    sides(handle);
  }
  many(handle);
  return check::finish("ranges");
}
