// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcublas
//
// cuBLAS's functions of matrices beside gemm: symmetric, Hermitian and triangular ones,
// products of which a triangle is computed, equations, sums, scaling by a diagonal.

#include "Inputs/blas_matrix.h"

using namespace blas;

constexpr int m = 37, n = 20, k = 19, room = 70;
constexpr cublasFillMode_t parts[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasSideMode_t sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
constexpr cublasDiagType_t diagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};

/// Room for any matrix here, with columns `room` apart.
template <class T> struct Stored {
  check::Array<T> array;
  explicit Stored(unsigned seed) : array(numbers<T>(room * room, seed)) {}
  explicit Stored(const std::vector<T> &values) : array(values) {}
  operator T *() { return array; }
  Dense<T> read(int rows, int columns) const {
    return dense(array.host, rows, columns, room);
  }
};

/// alpha P + beta C, in one part or all of C.
template <class T>
std::vector<T> blend(Number<T> alpha, const Dense<T> &p, Number<T> beta, std::vector<T> c,
                     int part = -1, bool hermitian = false) {
  for (int j = 0; j < p.columns; ++j)
    for (int i = 0; i < p.rows; ++i)
      if (part < 0 || (part == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j)) {
        T &to = c[i + size_t(j) * room];
        const Number<T> value = alpha * p(i, j) + beta * plain(to);
        to = make<T>(hermitian && i == j ? Number<T>(real(value)) : value);
      }
  return c;
}

template <class T, class Symm>
static void checkSymm(cublasHandle_t handle, Kind kind, Symm symm) {
  const T alpha = make<T>(2, 1), beta = make<T>(-1, 1);
  for (cublasSideMode_t side : sides)
    for (cublasFillMode_t part : parts) {
      if (skips())
        continue;
      const bool left = side == CUBLAS_SIDE_LEFT;
      Stored<T> a(1), b(2), c(3);
      const Dense<T> whole =
          meaning(kind, part == CUBLAS_FILL_MODE_LOWER, left ? m : n, a.array.host, room);
      const Dense<T> other = b.read(m, n);
      const std::vector<T> expected =
          blend(plain(alpha), left ? product(whole, other) : product(other, whole),
                plain(beta), c.array.host);
      BLAS(symm(handle, side, part, m, n, &alpha, a, room, b, room, &beta, c, room));
      compare(c.array.get(), expected);
    }
}

/// syrk, syr2k and syrkx; with real factors where the result is Hermitian.
template <class T, class S, class Syrk, class Syr2k, class Syrkx>
static void checkRank(cublasHandle_t handle, bool hermitian, Syrk syrk, Syr2k syr2k,
                      Syrkx syrkx) {
  const T alpha = make<T>(2, 1);
  const S first = make<S>(3, 1), beta = make<S>(-1, 2);
  const cublasOperation_t turn = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  for (cublasFillMode_t part : parts)
    for (cublasOperation_t trans : {CUBLAS_OP_N, turn}) {
      if (skips())
        continue;
      const bool straight = trans == CUBLAS_OP_N;
      Stored<T> a(4), b(5), c(6), d(7), e(8);
      const Dense<T> left = turned(a.read(straight ? n : k, straight ? k : n), trans),
                     right = turned(b.read(straight ? n : k, straight ? k : n), trans);
      const Number<T> factor = plain(alpha), kept(plain(beta));
      std::vector<T> expected =
          blend(Number<T>(plain(first)), product(left, turned(left, turn)), kept,
                c.array.host, part, hermitian);
      BLAS(syrk(handle, part, trans, n, k, &first, a, room, &beta, c, room));
      compare(c.array.get(), expected);
      const Dense<T> mixed = product(left, turned(right, turn));
      expected = blend(factor, mixed, kept, d.array.host, part, hermitian);
      BLAS(syrkx(handle, part, trans, n, k, &alpha, a, room, b, room, &beta, d, room));
      compare(d.array.get(), expected);
      expected = blend(factor, mixed, kept, e.array.host, part, hermitian);
      expected =
          blend(hermitian ? conj(factor) : factor, product(right, turned(left, turn)),
                Number<T>(1), expected, part, hermitian);
      BLAS(syr2k(handle, part, trans, n, k, &alpha, a, room, b, room, &beta, e, room));
      compare(e.array.get(), expected);
    }
}

template <class T, class Trmm, class Trsm>
static void checkTriangle(cublasHandle_t handle, Trmm trmm, Trsm trsm) {
  const T two = make<T>(2), half = make<T>(1);
  for (cublasSideMode_t side : sides)
    for (cublasFillMode_t part : parts)
      for (cublasOperation_t trans : operations)
        for (cublasDiagType_t diagonal : diagonals) {
          if (skips())
            continue;
          const bool left = side == CUBLAS_SIDE_LEFT;
          const int order = left ? m : n;
          // A band keeps the numbers small.
          std::vector<T> values = divisible<T>(room, room, 9);
          for (int j = 0; j < room; ++j)
            for (int i = 0; i < room; ++i)
              if (std::abs(i - j) > 3 && (i + j) % 31)
                values[i + size_t(j) * room] = make<T>(0);
          Stored<T> a(values), b(10), c(11);
          const Dense<T> triangle = turned(
              meaning(diagonal == CUBLAS_DIAG_UNIT ? Kind::UnitTriangle : Kind::Triangle,
                      part == CUBLAS_FILL_MODE_LOWER, order, a.array.host, room),
              trans);
          const Dense<T> given = b.read(m, n);
          const Dense<T> result =
              left ? product(triangle, given) : product(given, triangle);
          std::vector<T> expected =
              blend(Number<T>(2), result, Number<T>(0), c.array.host);
          BLAS(trmm(handle, side, part, trans, diagonal, m, n, &two, a, room, b, room, c,
                    room));
          compare(c.array.get(), expected);
          const std::vector<T> before = b.array.host;
          BLAS(trmm(handle, side, part, trans, diagonal, m, n, &half, a, room, b, room, b,
                    room));
          compare(b.array.get(), blend(Number<T>(1), result, Number<T>(0), before));
          BLAS(trsm(handle, side, part, trans, diagonal, m, n, &two, a, room, b, room));
          compare(b.array.get(), blend(Number<T>(2), given, Number<T>(0), before));
        }
}

template <class T, class Geam, class Dgmm>
static void checkElements(cublasHandle_t handle, Geam geam, Dgmm dgmm) {
  const T alpha = make<T>(2, 1), beta = make<T>(-3, 1), zero = make<T>(0);
  for (cublasOperation_t ta : operations)
    for (cublasOperation_t tb : operations) {
      if (skips())
        continue;
      Stored<T> a(12), b(13), c(14);
      const Dense<T> first = turned(ta ? a.read(n, m) : a.read(m, n), ta),
                     second = turned(tb ? b.read(n, m) : b.read(m, n), tb);
      std::vector<T> expected = blend(plain(alpha), first, Number<T>(0), c.array.host);
      BLAS(geam(handle, ta, tb, m, n, &alpha, a, room, &zero, nullptr, room, c, room));
      compare(c.array.get(), expected);
      expected = blend(plain(beta), second, Number<T>(1), expected);
      BLAS(geam(handle, ta, tb, m, n, &alpha, a, room, &beta, b, room, c, room));
      compare(c.array.get(), expected);
    }
  for (cublasSideMode_t side : sides) {
    Stored<T> a(15), x(16), c(17);
    Dense<T> scaled = a.read(m, n);
    const int length = side == CUBLAS_SIDE_LEFT ? m : n;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        scaled(i, j) *=
            plain(x.array.host[2 * (length - 1 - (side == CUBLAS_SIDE_LEFT ? i : j))]);
    const std::vector<T> expected =
        blend(Number<T>(1), scaled, Number<T>(0), c.array.host);
    BLAS(dgmm(handle, side, m, n, a, room, x, -2, c, room));
    compare(c.array.get(), expected);
  }
}

static void checkErrors(cublasHandle_t handle) {
  check::Array<float> a(16);
  check::Array<cuComplex> z(16);
  const float one = 1;
  const cuComplex unit = {1, 0};
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  const auto bad = CUBLAS_STATUS_INVALID_VALUE;
  BLAS_ERROR(
      cublasSsymm(handle, cublasSideMode_t(3), lower, 2, 2, &one, a, 2, a, 2, &one, a, 2),
      bad);
  BLAS_ERROR(
      cublasSsymm(handle, CUBLAS_SIDE_RIGHT, lower, 2, 4, &one, a, 3, a, 2, &one, a, 2),
      bad);
  BLAS_ERROR(cublasSsyrk(handle, lower, CUBLAS_OP_T, 2, 4, &one, a, 2, &one, a, 2), bad);
  BLAS_ERROR(cublasCherk(handle, lower, CUBLAS_OP_T, 2, 2, &one, z, 2, &one, z, 2), bad);
  BLAS_ERROR(cublasCsyrk(handle, lower, CUBLAS_OP_C, 2, 2, &unit, z, 2, &unit, z, 2),
             bad);
  BLAS_ERROR(cublasStrsm(handle, CUBLAS_SIDE_LEFT, lower, CUBLAS_OP_N, CUBLAS_DIAG_UNIT,
                         4, 1, &one, a, 3, a, 4),
             bad);
  BLAS_ERROR(cublasStrmm(handle, CUBLAS_SIDE_LEFT, lower, CUBLAS_OP_N, CUBLAS_DIAG_UNIT,
                         4, 1, &one, a, 4, a, 4, a, 3),
             bad);
  BLAS_ERROR(
      cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &one, a, 2, &one, a, 2, a, 2),
      bad);
  BLAS_ERROR(cublasSdgmm(nullptr, CUBLAS_SIDE_LEFT, 2, 2, a, 2, a, 1, a, 2),
             CUBLAS_STATUS_NOT_INITIALIZED);
}

int main() {
  {
    Handle handle;
    checkSymm<float>(handle, Kind::Symmetric, cublasSsymm);
    checkSymm<double>(handle, Kind::Symmetric, cublasDsymm);
    checkSymm<cuComplex>(handle, Kind::Hermitian, cublasChemm);
    checkSymm<cuDoubleComplex>(handle, Kind::Symmetric, cublasZsymm);
    checkRank<float, float>(handle, false, cublasSsyrk, cublasSsyr2k, cublasSsyrkx);
    checkRank<double, double>(handle, false, cublasDsyrk, cublasDsyr2k, cublasDsyrkx);
    checkRank<cuComplex, cuComplex>(handle, false, cublasCsyrk, cublasCsyr2k,
                                    cublasCsyrkx);
    checkRank<cuDoubleComplex, double>(handle, true, cublasZherk, cublasZher2k,
                                       cublasZherkx);
    checkTriangle<float>(handle, cublasStrmm, cublasStrsm);
    checkTriangle<cuDoubleComplex>(handle, cublasZtrmm, cublasZtrsm);
    checkElements<float>(handle, cublasSgeam, cublasSdgmm);
    checkElements<cuDoubleComplex>(handle, cublasZgeam, cublasZdgmm);
    checkErrors(handle);
  }
  return check::finish("level3");
}
