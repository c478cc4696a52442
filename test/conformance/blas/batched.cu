// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcublas
//
// Many small matrices at once, at places in an array and at equal distances; products of
// mixed types; equations by LU factors, and inverses.

#include "Inputs/blas_matrix.h"

using namespace blas;

constexpr int batch = 3;

/// Places of matrices that lie one after another.
template <class T> struct Places {
  check::Array<T *> array;
  Places(T *first, size_t distance, int count = batch) : array(count) {
    for (int i = 0; i < count; ++i)
      array.host[i] = first + i * distance;
    array.put();
  }
  operator T **() { return array; }
};

template <class T, class Out>
std::vector<Out> expectMany(int m, int n, int k, const std::vector<T> &a,
                            const std::vector<T> &b, std::vector<Out> c, double alpha,
                            double beta) {
  for (int one = 0; one < batch; ++one) {
    const std::vector<T> first(a.begin() + one * m * k, a.end()),
        second(b.begin() + one * k * n, b.end());
    const auto p = product(dense(first, m, k, m), dense(second, k, n, k));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        Out &to = c[one * m * n + i + size_t(j) * m];
        to = make<Out>(alpha * p(i, j) + beta * plain(to));
      }
  }
  return c;
}

static void checkProducts(cublasHandle_t handle) {
  constexpr int m = 40, n = 9, k = 21;
  const double alpha = 2, beta = -1;
  check::Array<double> a(numbers<double>(batch * m * k, 1)),
      b(numbers<double>(batch * k * n, 2)), c(numbers<double>(batch * m * n, 3)),
      d(c.host);
  const std::vector<double> expected =
      expectMany(m, n, k, a.host, b.host, c.host, alpha, beta);
  BLAS(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, m,
                                 m * k, b, k, k * n, &beta, c, m, m * n, batch));
  compare(c.get(), expected);
  Places<double> as(a, m * k), bs(b, k * n), ds(d, m * n);
  BLAS(cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, as, m, bs, k,
                          &beta, ds, m, batch));
  compare(d.get(), expected);
}

/// cublasGemmStridedBatchedEx and its kin, whose sums are of another type.
template <class T, class Out, class S>
static void checkMixed(cublasHandle_t handle, cudaDataType in, cudaDataType out,
                       cublasComputeType_t compute) {
  if (skips())
    return;
  constexpr int m = 20, n = 35, k = 17;
  check::Array<T> a(numbers<T>(batch * m * k, 1, 3)), b(numbers<T>(batch * k * n, 2, 3));
  check::Array<Out> c(numbers<Out>(batch * m * n, 3)), d(c.host), e(c.host);
  const S alpha = make<S>(1), beta = make<S>(2);
  std::vector<Out> expected = expectMany(m, n, k, a.host, b.host, c.host, 1, 2);
  BLAS(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a,
                                  in, m, m * k, b, in, k, k * n, &beta, c, out, m, m * n,
                                  batch, compute, CUBLAS_GEMM_DEFAULT));
  compare(c.get(), expected);
  Places<T> as(a, m * k), bs(b, k * n);
  Places<Out> ds(d, m * n);
  BLAS(cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha,
                           (const void **)(T **)as, in, m, (const void **)(T **)bs, in, k,
                           &beta, (void **)(Out **)ds, out, m, batch, compute,
                           CUBLAS_GEMM_DEFAULT_TENSOR_OP));
  compare(d.get(), expected);
  std::copy(e.host.begin() + m * n, e.host.end(), expected.begin() + m * n);
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, in, m, b, in, k,
                    &beta, e, out, m, compute, CUBLAS_GEMM_ALGO3));
  compare(e.get(), expected);
}

static void checkVectors(cublasHandle_t handle) {
  constexpr int m = 40, n = 33;
  const float alpha = 1, beta = 0;
  check::Array<__half> a(numbers<__half>(batch * m * n, 1)),
      x(numbers<__half>(batch * m, 2));
  check::Array<float> y(batch * n);
  std::vector<float> expected(batch * n);
  for (int one = 0; one < batch; ++one)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        expected[one * n + j] += static_cast<float>(
            plain(a.host[one * m * n + i + j * m]) * plain(x.host[one * m + i]));
  BLAS(cublasHSSgemvStridedBatched(handle, CUBLAS_OP_T, m, n, &alpha, a, m, m * n, x, 1,
                                   m, &beta, y, 1, n, batch));
  compare(y.get(), expected);
  Places<__half> as(a, m * n), xs(x, m);
  Places<float> ys(y, n);
  y.fill(7);
  BLAS(cublasHSSgemvBatched(handle, CUBLAS_OP_T, m, n, &alpha, as, m, xs, 1, &beta, ys, 1,
                            batch));
  compare(y.get(), expected);
}

/// A matrix that is a product of triangles with rows exchanged: elimination stays exact.
template <class T> static std::vector<T> factored(int n, unsigned seed) {
  const std::vector<T> values = divisible<T>(n, n, seed);
  Dense<T> lower = meaning(Kind::UnitTriangle, true, n, values, n),
           upper = meaning(Kind::Triangle, false, n, values, n);
  // Nothing below a diagonal is greater than it.
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      if (i > j)
        lower(i, j) = (i - j) == 2 ? 0.5 : 0;
      if (i < j)
        upper(i, j) = (j - i) == 3 ? 1 : 0;
      if (i == j)
        upper(i, j) = 4;
    }
  const Dense<T> p = product(lower, upper);
  std::vector<T> result(size_t(n) * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      result[(i ^ 1) + size_t(j) * n] = make<T>(p(i, j));
  return result;
}

template <class T, class Getrf, class Getrs, class Getri, class Matinv, class Gemm>
static void checkEquations(cublasHandle_t handle, Getrf getrf, Getrs getrs, Getri getri,
                           Matinv matinv, Gemm gemm) {
  constexpr int n = 20, columns = 3;
  std::vector<T> all;
  for (int one = 0; one < batch; ++one) {
    const std::vector<T> matrix = factored<T>(n, one + 1);
    all.insert(all.end(), matrix.begin(), matrix.end());
  }
  check::Array<T> a(all), factors(all), inverse(all.size()), other(all.size());
  check::Array<T> x(numbers<T>(batch * n * columns, 5)), b(x.size());
  Places<T> as(a, n * n), fs(factors, n * n), is(inverse, n * n), os(other, n * n),
      bs(b, n * columns);
  check::Array<int> pivots(batch * n), info(batch);
  BLAS(getrf(handle, n, fs, n, pivots, info, batch));
  compare(info.get(), {0, 0, 0});
  CHECK_EQ(pivots.get()[0], 2);
  CHECK_EQ(pivots.host[1], 2);
  for (cublasOperation_t trans : operations) {
    b.host.clear();
    for (int one = 0; one < batch; ++one) {
      const std::vector<T> matrix(all.begin() + one * n * n, all.end()),
          right(x.host.begin() + one * n * columns, x.host.end());
      const Dense<T> p =
          product(turned(dense(matrix, n, n, n), trans), dense(right, n, columns, n));
      for (const Number<T> &value : p.values)
        b.host.push_back(make<T>(value));
    }
    b.put();
    int wrong = -1;
    BLAS(getrs(handle, trans, n, columns, fs, n, pivots, bs, n, &wrong, batch));
    CHECK_EQ(wrong, 0);
    compare(b.get(), x.host);
  }
  BLAS(getri(handle, n, fs, n, pivots, is, n, info, batch));
  BLAS(matinv(handle, n, as, n, os, n, info, batch));
  compare(other.get(), inverse.get());
  const T one = make<T>(1), zero = make<T>(0);
  BLAS(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, as, n, is, n, &zero, os, n,
            batch));
  std::vector<T> identity(all.size(), zero);
  for (size_t i = 0; i < identity.size(); ++i)
    if (i % (n * n) % (n + 1) == 0)
      identity[i] = one;
  compare(other.get(), identity);
}

static void checkSingular(cublasHandle_t handle) {
  check::Array<float> a({1, 2, 2, 4, 3, 1, 0, 5});
  Places<float> as(a, 4, 2);
  check::Array<int> pivots(4), info(2);
  BLAS(cublasSgetrfBatched(handle, 2, as, 2, pivots, info, 2));
  compare(info.get(), {2, 0});
  const float one = 1;
  check::Array<float> b({3, 1, 5, 2});
  Places<float> bs(b, 2, 2);
  a.host = {2, 4, 9, 1, 1, 1, 9, 1};
  a.put();
  BLAS(cublasStrsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                          CUBLAS_DIAG_NON_UNIT, 2, 1, &one, as, 2, bs, 2, 2));
  compare(b.get(), {1.5, -5, 5, -3});
}

static void checkErrors(cublasHandle_t handle) {
  check::Array<float> a(16);
  Places<float> as(a, 4);
  check::Array<int> info(batch);
  const float one = 1;
  int wrong = 0;
  BLAS_ERROR(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a,
                                       2, 4, a, 2, 4, &one, a, 2, 4, -1),
             CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasSgetrfBatched(handle, 4, as, 3, nullptr, info, batch),
             CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasSgetrsBatched(handle, CUBLAS_OP_N, 4, 1, as, 4, nullptr, as, 3, &wrong,
                                 batch),
             CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(wrong, -8);
  BLAS_ERROR(cublasSmatinvBatched(handle, 33, as, 33, as, 33, info, batch),
             CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, CUDA_R_32F,
                          2, a, CUDA_R_16F, 2, &one, a, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F,
                          CUBLAS_GEMM_DEFAULT),
             CUBLAS_STATUS_NOT_SUPPORTED);
  BLAS_ERROR(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, CUDA_R_32F,
                          2, a, CUDA_R_32F, 2, &one, a, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F,
                          cublasGemmAlgo_t(50)),
             CUBLAS_STATUS_INVALID_VALUE);
}

int main() {
  {
    Handle handle;
    checkProducts(handle);
    checkMixed<__half, __half, __half>(handle, CUDA_R_16F, CUDA_R_16F,
                                       CUBLAS_COMPUTE_16F);
    checkMixed<__half, float, float>(handle, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    checkMixed<__nv_bfloat16, float, float>(handle, CUDA_R_16BF, CUDA_R_32F,
                                            CUBLAS_COMPUTE_32F_FAST_16BF);
    checkMixed<int8_t, int, int>(handle, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
    checkMixed<int8_t, float, float>(handle, CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    checkMixed<float, float, float>(handle, CUDA_R_32F, CUDA_R_32F,
                                    CUBLAS_COMPUTE_32F_FAST_TF32);
    checkVectors(handle);
    checkEquations<float>(handle, cublasSgetrfBatched, cublasSgetrsBatched,
                          cublasSgetriBatched, cublasSmatinvBatched, cublasSgemmBatched);
    checkEquations<cuDoubleComplex>(handle, cublasZgetrfBatched, cublasZgetrsBatched,
                                    cublasZgetriBatched, cublasZmatinvBatched,
                                    cublasZgemmBatched);
    checkSingular(handle);
    checkErrors(handle);
  }
  return check::finish("batched");
}
