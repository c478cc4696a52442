// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcublas
//
// cublas<t>gemm in all its types: every transposition, distances larger than columns,
// factors on both sides, sizes beside those of tiles, and calls that are wrong.

#include "Inputs/blas.h"

using namespace blas;

template <class T>
using Gemm = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,
                            int, int, const T *, const T *, int, const T *, int,
                            const T *, T *, int);

struct Size {
  int m, n, k;
};
constexpr Size sizes[] = {
    {5, 3, 7}, {66, 35, 33}, {64, 64, 16}, {32, 16, 16}, {1, 70, 2}};

template <class T>
static std::vector<T> expect(const Size &size, cublasOperation_t ta, cublasOperation_t tb,
                             T alpha, const std::vector<T> &a, int lda,
                             const std::vector<T> &b, int ldb, T beta, std::vector<T> c,
                             int ldc) {
  for (int j = 0; j < size.n; ++j)
    for (int i = 0; i < size.m; ++i) {
      Number<T> sum = 0;
      for (int k = 0; k < size.k; ++k)
        sum += element(a, lda, ta, i, k) * element(b, ldb, tb, k, j);
      T &to = c[i + size_t(j) * ldc];
      to = make<T>(plain(alpha) * sum + plain(beta) * plain(to));
    }
  return c;
}

template <class T>
static void checkOne(cublasHandle_t handle, Gemm<T> *gemm, const Size &size,
                     cublasOperation_t ta, cublasOperation_t tb, bool onDevice) {
  const int lda = (ta == CUBLAS_OP_N ? size.m : size.k) + 1,
            ldb = (tb == CUBLAS_OP_N ? size.k : size.n) + 2, ldc = size.m + 3;
  check::Array<T> a(numbers<T>(size_t(lda) * (ta == CUBLAS_OP_N ? size.k : size.m), 1));
  check::Array<T> b(numbers<T>(size_t(ldb) * (tb == CUBLAS_OP_N ? size.n : size.k), 2));
  check::Array<T> c(numbers<T>(size_t(ldc) * size.n, 3));
  const T alpha = make<T>(2, 1), beta = make<T>(-1, 2);
  const std::vector<T> expected =
      expect(size, ta, tb, alpha, a.host, lda, b.host, ldb, beta, c.host, ldc);
  check::Array<T> factors({alpha, beta});
  BLAS(cublasSetPointerMode(handle, onDevice ? CUBLAS_POINTER_MODE_DEVICE
                                             : CUBLAS_POINTER_MODE_HOST));
  BLAS(gemm(handle, ta, tb, size.m, size.n, size.k, onDevice ? factors : &alpha, a, lda,
            b, ldb, onDevice ? factors + 1 : &beta, c, ldc));
  compare(c.get(), expected);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

template <class T> static void checkType(cublasHandle_t handle, Gemm<T> *gemm) {
  bool onDevice = false;
  for (const Size &size : sizes)
    for (cublasOperation_t ta : operations)
      for (cublasOperation_t tb : operations)
        if (!skips())
          checkOne(handle, gemm, size, ta, tb, onDevice = !onDevice);
}

// What beta 0 and alpha 0 leave unread.
static void checkUnread(cublasHandle_t handle) {
  const float zero = 0, one = 1, nan = NAN;
  check::Array<float> a({nan, 2, 3, 4}), b({1, 0, 0, 1}), c({nan, nan, nan, nan});
  BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &zero, a, 2, b, 2, &zero, c,
                   2));
  compare(c.get(), {0, 0, 0, 0});
  a.fill(2);
  BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 0, &one, nullptr, 2, nullptr,
                   1, &one, a, 2));
  compare(a.get(), {2, 2, 2, 2});
}

static void checkErrors(cublasHandle_t handle) {
  const float one = 1;
  check::Array<float> a(16);
  const auto gemm = [&](cublasHandle_t h, int ta, int m, int n, int k, const float *alpha,
                        int lda, int ldb, int ldc) {
    return cublasSgemm(h, cublasOperation_t(ta), CUBLAS_OP_N, m, n, k, alpha, a, lda, a,
                       ldb, &one, a, ldc);
  };
  BLAS_ERROR(gemm(nullptr, 0, 1, 1, 1, &one, 1, 1, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  BLAS_ERROR(gemm(handle, 7, 1, 1, 1, &one, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(gemm(handle, 0, -1, 1, 1, &one, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(gemm(handle, 0, 1, -1, 1, &one, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(gemm(handle, 0, 1, 1, -1, &one, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(gemm(handle, 0, 1, 1, 1, nullptr, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(gemm(handle, 0, 2, 1, 1, &one, 1, 1, 2), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(gemm(handle, 1, 1, 1, 2, &one, 1, 2, 1), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(gemm(handle, 0, 1, 1, 2, &one, 1, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(gemm(handle, 0, 2, 1, 1, &one, 2, 1, 1), CUBLAS_STATUS_INVALID_VALUE);
  BLAS(gemm(handle, 0, 0, 1, 1, &one, 1, 1, 1));
}

int main() {
  {
    Handle handle;
    checkType<float>(handle, cublasSgemm);
    checkType<double>(handle, cublasDgemm);
    checkType<cuComplex>(handle, cublasCgemm);
    checkType<cuDoubleComplex>(handle, cublasZgemm);
    checkType<__half>(handle, cublasHgemm);
    checkUnread(handle);
    checkErrors(handle);
  }
  return check::finish("gemm");
}
