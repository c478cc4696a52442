// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcublas
//
// cuBLAS's functions of a matrix and vectors: general, band, symmetric, Hermitian and
// triangular matrices, full and packed, and what vectors add to them.

#include "Inputs/blas_matrix.h"

using namespace blas;

constexpr int n = 37, leading = n + 2, k = 4, bandLeading = 2 * k + 2;
constexpr cublasFillMode_t parts[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasDiagType_t diagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};

/// y = alpha A x + beta y, where y lies backwards at every second place.
template <class T, class Call> static void checkProduct(const Dense<T> &a, Call call) {
  if (skips())
    return;
  const T alpha = make<T>(2, 1), beta = make<T>(-1, 3);
  check::Array<T> x(numbers<T>(a.columns, 1)), y(numbers<T>(2 * a.rows, 2));
  std::vector<T> expected = y.host;
  for (int i = 0; i < a.rows; ++i) {
    Number<T> sum = 0;
    for (int j = 0; j < a.columns; ++j)
      sum += a(i, j) * plain(x.host[j]);
    T &to = expected[2 * (a.rows - 1 - i)];
    to = make<T>(plain(alpha) * sum + plain(beta) * plain(to));
  }
  BLAS(call(&alpha, x, 1, &beta, y, -2));
  compare(y.get(), expected);
}

/// x = A x, and then the equations whose solution that was.
template <class T, class Multiply, class Solve>
static void checkTriangle(const Dense<T> &a, Multiply multiply, Solve solve) {
  if (skips())
    return;
  check::Array<T> x(numbers<T>(n, 3, 2));
  std::vector<T> expected(n);
  for (int i = 0; i < n; ++i) {
    Number<T> sum = 0;
    for (int j = 0; j < n; ++j)
      sum += a(i, j) * plain(x.host[j]);
    expected[i] = make<T>(sum);
  }
  const std::vector<T> before = x.host;
  BLAS(multiply(x));
  compare(x.get(), expected);
  BLAS(solve(x));
  compare(x.get(), before);
}

#define CALL(f, ...)                                                                     \
  [&](auto alpha, auto &x, int incx, auto beta, auto &y, int incy) {                     \
    return f(handle, __VA_ARGS__, x, incx, beta, y, incy);                               \
  }

template <class T, class Gemv, class Gbmv>
static void checkGeneral(cublasHandle_t handle, Gemv gemv, Gbmv gbmv) {
  constexpr int m = n + 5, lda = m + 1;
  for (cublasOperation_t trans : operations) {
    check::Array<T> a(numbers<T>(size_t(lda) * n, 4));
    checkProduct(turned(dense(a.host, m, n, lda), trans),
                 CALL(gemv, trans, m, n, alpha, a, lda));
    std::vector<T> full = a.host;
    check::Array<T> stored(band(full, m, n, lda, k, k - 1, bandLeading));
    checkProduct(turned(dense(full, m, n, lda), trans),
                 CALL(gbmv, trans, m, n, k, k - 1, alpha, stored, bandLeading));
  }
}

template <class T, class Full, class Band, class Packed>
static void checkMirrored(cublasHandle_t handle, Kind kind, Full full, Band banded,
                          Packed packedOne) {
  for (cublasFillMode_t part : parts) {
    const bool lower = part == CUBLAS_FILL_MODE_LOWER;
    check::Array<T> a(numbers<T>(size_t(leading) * n, 5));
    const Dense<T> whole = meaning(kind, lower, n, a.host, leading);
    checkProduct(whole, CALL(full, part, n, alpha, a, leading));
    check::Array<T> triangle(packed(lower, n, a.host, leading));
    checkProduct(whole, CALL(packedOne, part, n, alpha, triangle));
    std::vector<T> cut = a.host;
    check::Array<T> stored(
        band(cut, n, n, leading, lower ? k : 0, lower ? 0 : k, bandLeading));
    checkProduct(meaning(kind, lower, n, cut, leading),
                 CALL(banded, part, n, k, alpha, stored, bandLeading));
  }
}

template <class T, class Trmv, class Trsv, class Tpmv, class Tpsv, class Tbmv, class Tbsv>
static void checkTriangles(cublasHandle_t handle, Trmv trmv, Trsv trsv, Tpmv tpmv,
                           Tpsv tpsv, Tbmv tbmv, Tbsv tbsv) {
  for (cublasFillMode_t part : parts)
    for (cublasOperation_t trans : operations)
      for (cublasDiagType_t diagonal : diagonals) {
        const bool lower = part == CUBLAS_FILL_MODE_LOWER;
        const Kind kind =
            diagonal == CUBLAS_DIAG_UNIT ? Kind::UnitTriangle : Kind::Triangle;
        std::vector<T> cut = divisible<T>(n, leading, 6);
        check::Array<T> stored(
            band(cut, n, n, leading, lower ? 2 : 0, lower ? 0 : 2, bandLeading));
        const Dense<T> a = turned(meaning(kind, lower, n, cut, leading), trans);
        check::Array<T> full(cut), triangle(packed(lower, n, cut, leading));
        checkTriangle(
            a,
            [&](T *x) {
              return trmv(handle, part, trans, diagonal, n, full, leading, x, 1);
            },
            [&](T *x) {
              return trsv(handle, part, trans, diagonal, n, full, leading, x, 1);
            });
        checkTriangle(
            a,
            [&](T *x) { return tpmv(handle, part, trans, diagonal, n, triangle, x, 1); },
            [&](T *x) { return tpsv(handle, part, trans, diagonal, n, triangle, x, 1); });
        checkTriangle(
            a,
            [&](T *x) {
              return tbmv(handle, part, trans, diagonal, n, 2, stored, bandLeading, x, 1);
            },
            [&](T *x) {
              return tbsv(handle, part, trans, diagonal, n, 2, stored, bandLeading, x, 1);
            });
      }
}

/// A += what `change` says of x and y, in one part or all of A.
template <class T, class Change, class Call>
static void checkUpdate(int part, Change change, Call call) {
  if (skips())
    return;
  check::Array<T> x(numbers<T>(n, 7)), y(numbers<T>(n, 8));
  check::Array<T> a(numbers<T>(size_t(leading) * n, 9));
  std::vector<T> expected = a.host;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (part < 0 || (part == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j)) {
        T &to = expected[i + size_t(j) * leading];
        to = make<T>(plain(to) + change(plain(x.host[i]), plain(x.host[j]),
                                        plain(y.host[i]), plain(y.host[j]), i == j,
                                        plain(to)));
      }
  BLAS(call(x, y, a));
  compare(a.get(), expected);
}

template <class T, class Ger, class Syr, class Syr2>
static void checkUpdates(cublasHandle_t handle, Ger ger, Syr syr, Syr2 syr2) {
  using N = Number<T>;
  const T alpha = make<T>(2, -1);
  const N a = plain(alpha);
  checkUpdate<T>(
      -1, [&](N x, N, N, N y, bool, N) { return a * x * y; },
      [&](T *x, T *y, T *to) {
        return ger(handle, n, n, &alpha, x, 1, y, 1, to, leading);
      });
  for (cublasFillMode_t part : parts) {
    checkUpdate<T>(
        part, [&](N x, N other, N, N, bool, N) { return a * x * other; },
        [&](T *x, T *, T *to) {
          return syr(handle, part, n, &alpha, x, 1, to, leading);
        });
    checkUpdate<T>(
        part, [&](N xi, N xj, N yi, N yj, bool, N) { return a * xi * yj + a * yi * xj; },
        [&](T *x, T *y, T *to) {
          return syr2(handle, part, n, &alpha, x, 1, y, 1, to, leading);
        });
  }
}

static void checkHermitianUpdates(cublasHandle_t handle) {
  using T = cuDoubleComplex;
  using N = std::complex<double>;
  const T alpha = make<T>(2, -1);
  const double factor = 3;
  const N a = plain(alpha), imaginary(0, 1);
  for (cublasFillMode_t part : parts) {
    checkUpdate<T>(
        part,
        [&](N x, N other, N, N, bool same, N to) {
          return factor * x * std::conj(other) - (same ? imaginary * to.imag() : N(0));
        },
        [&](T *x, T *, T *to) {
          return cublasZher(handle, part, n, &factor, x, 1, to, leading);
        });
    checkUpdate<T>(
        part,
        [&](N xi, N xj, N yi, N yj, bool same, N to) {
          return a * xi * std::conj(yj) + std::conj(a) * yi * std::conj(xj) -
                 (same ? imaginary * to.imag() : N(0));
        },
        [&](T *x, T *y, T *to) {
          return cublasZher2(handle, part, n, &alpha, x, 1, y, 1, to, leading);
        });
  }
  checkUpdate<T>(
      -1, [&](N x, N, N, N y, bool, N) { return a * x * std::conj(y); },
      [&](T *x, T *y, T *to) {
        return cublasZgerc(handle, n, n, &alpha, x, 1, y, 1, to, leading);
      });
}

// A packed triangle gets what a full one gets.
static void checkPackedUpdates(cublasHandle_t handle) {
  const float alpha = 2;
  for (cublasFillMode_t part : parts) {
    const bool lower = part == CUBLAS_FILL_MODE_LOWER;
    check::Array<float> x(numbers<float>(n, 1)), y(numbers<float>(n, 2));
    check::Array<float> full(numbers<float>(size_t(n) * n, 3));
    check::Array<float> triangle(packed(lower, n, full.host, n));
    BLAS(cublasSsyr(handle, part, n, &alpha, x, 1, full, n));
    BLAS(cublasSsyr2(handle, part, n, &alpha, x, 1, y, 1, full, n));
    BLAS(cublasSspr(handle, part, n, &alpha, x, 1, triangle));
    BLAS(cublasSspr2(handle, part, n, &alpha, x, 1, y, 1, triangle));
    compare(triangle.get(), packed(lower, n, full.get(), n));
    check::Array<float> again(full.size());
    BLAS(cublasStpttr(handle, part, n, triangle, again, n));
    check::Array<float> back(triangle.size());
    BLAS(cublasStrttp(handle, part, n, again, n, back));
    compare(back.get(), triangle.host);
  }
}

static void checkErrors(cublasHandle_t handle) {
  check::Array<float> a(16);
  const float one = 1;
  BLAS_ERROR(cublasSgemv(nullptr, CUBLAS_OP_N, 2, 2, &one, a, 2, a, 1, &one, a, 1),
             CUBLAS_STATUS_NOT_INITIALIZED);
  BLAS_ERROR(cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, a, 1, a, 1, &one, a, 1),
             CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, a, 2, a, 0, &one, a, 1),
             CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasSgbmv(handle, CUBLAS_OP_N, 4, 4, 1, 1, &one, a, 2, a, 1, &one, a, 1),
             CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasSsymv(handle, CUBLAS_FILL_MODE_FULL, 2, &one, a, 2, a, 1, &one, a, 1),
             CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasSger(handle, 2, -1, &one, a, 1, a, 1, a, 2),
             CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasStrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, cublasDiagType_t(9),
                         2, a, 2, a, 1),
             CUBLAS_STATUS_INVALID_VALUE);
}

int main() {
  {
    Handle handle;
    checkGeneral<float>(handle, cublasSgemv, cublasSgbmv);
    checkGeneral<double>(handle, cublasDgemv, cublasDgbmv);
    checkGeneral<cuComplex>(handle, cublasCgemv, cublasCgbmv);
    checkGeneral<cuDoubleComplex>(handle, cublasZgemv, cublasZgbmv);
    checkMirrored<float>(handle, Kind::Symmetric, cublasSsymv, cublasSsbmv, cublasSspmv);
    checkMirrored<double>(handle, Kind::Symmetric, cublasDsymv, cublasDsbmv, cublasDspmv);
    checkMirrored<cuComplex>(handle, Kind::Hermitian, cublasChemv, cublasChbmv,
                             cublasChpmv);
    checkMirrored<cuDoubleComplex>(handle, Kind::Hermitian, cublasZhemv, cublasZhbmv,
                                   cublasZhpmv);
    checkTriangles<float>(handle, cublasStrmv, cublasStrsv, cublasStpmv, cublasStpsv,
                          cublasStbmv, cublasStbsv);
    checkTriangles<cuDoubleComplex>(handle, cublasZtrmv, cublasZtrsv, cublasZtpmv,
                                    cublasZtpsv, cublasZtbmv, cublasZtbsv);
    checkUpdates<float>(handle, cublasSger, cublasSsyr, cublasSsyr2);
    checkUpdates<double>(handle, cublasDger, cublasDsyr, cublasDsyr2);
    checkUpdates<cuComplex>(handle, cublasCgeru, cublasCsyr, cublasCsyr2);
    checkHermitianUpdates(handle);
    checkPackedUpdates(handle);
    checkErrors(handle);
  }
  return check::finish("level2");
}
