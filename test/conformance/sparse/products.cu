// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusparse
//
// cuSPARSE's products of a sparse matrix and dense ones (SpMV, SpMM), and of dense ones
// where a sparse one has elements (SDDMM), in all formats and types.

#include "Inputs/sparse.h"

using namespace sparse;

template <class T> static Full<T> column(const std::vector<T> &values) {
  Full<T> a(static_cast<int>(values.size()), 1);
  for (size_t i = 0; i < values.size(); ++i)
    a.values[i] = plain(values[i]);
  return a;
}

/// alpha a + beta b
template <class T>
static Full<T> sum(Number<T> alpha, const Full<T> &a, Number<T> beta, const Full<T> &b) {
  Full<T> result = a;
  for (size_t i = 0; i < a.values.size(); ++i)
    result.values[i] = alpha * a.values[i] + beta * b.values[i];
  return result;
}

template <class T, class C = T, class I = int>
static void multiplyVector(cusparseHandle_t handle, Format format, int base,
                           cusparseOperation_t operation, int columns = 12) {
  if (skips() || format == Format::Ell)
    return;
  const Full<T> a = random<T>(18, columns, 3, columns > 100 ? 1 : 3);
  const Full<T> opA = apply(operation, a);
  Matrix<T, I> matrix(a, format, base);
  const auto x = numbers<T>(opA.columns, 5);
  const auto y = numbers<C>(opA.rows, 6);
  Vector<T> vectorX(x);
  Vector<C> vectorY(y);
  using F = std::conditional_t<sizeof(C) == 2, float, C>;
  const F alpha = make<F>(2), beta = make<F>(-3);
  size_t size = 0;
  const cudaDataType compute = typeOf<F>();
  SPARSE(cusparseSpMV_bufferSize(handle, operation, &alpha, matrix, vectorX, &beta,
                                 vectorY, compute, CUSPARSE_SPMV_ALG_DEFAULT, &size));
  check::Array<char> buffer(size + 1);
  if (base) // what is found once
    SPARSE(cusparseSpMV_preprocess(handle, operation, &alpha, matrix, vectorX, &beta,
                                   vectorY, compute, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  SPARSE(cusparseSpMV(handle, operation, &alpha, matrix, vectorX, &beta, vectorY, compute,
                      CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  const Full<T> product = multiply(opA, column(x));
  Full<C> expected(product.rows, 1);
  for (int i = 0; i < product.rows; ++i)
    expected.values[i] = Number<C>(2) * product.values[i] - Number<C>(3) * plain(y[i]);
  compare(column(vectorY.array.get()), expected);
}

template <class T>
static void multiplyMatrix(cusparseHandle_t handle, Format format,
                           cusparseOperation_t opA, cusparseOperation_t opB, bool rowsB,
                           bool rowsC) {
  if (skips() || format == Format::Sell)
    return;
  const Full<T> a = random<T>(12, 18, 8, 3), left = apply(opA, a);
  Full<T> b = random<T>(left.columns, 5, 9, 1), c = random<T>(left.rows, 5, 10, 1);
  if (opB != CUSPARSE_OPERATION_NON_TRANSPOSE)
    b = apply(CUSPARSE_OPERATION_TRANSPOSE, b);
  Matrix<T> matrix(a, format, 1);
  Dense<T> denseB(b, rowsB), denseC(c, rowsC);
  using F = std::conditional_t<sizeof(T) == 2, float, T>;
  const F alpha = make<F>(1), beta = make<F>(2);
  size_t size = 0;
  SPARSE(cusparseSpMM_bufferSize(handle, opA, opB, &alpha, matrix, denseB, &beta, denseC,
                                 typeOf<F>(), CUSPARSE_SPMM_ALG_DEFAULT, &size));
  check::Array<char> buffer(size + 1);
  SPARSE(cusparseSpMM(handle, opA, opB, &alpha, matrix, denseB, &beta, denseC,
                      typeOf<F>(), CUSPARSE_SPMM_ALG_DEFAULT, buffer));
  compare(denseC.get(), sum<T>(1, multiply(left, apply(opB, b)), 2, c));
}

template <class T>
static void sample(cusparseHandle_t handle, Format format, cusparseOperation_t opA,
                   cusparseOperation_t opB) {
  if (skips())
    return;
  const Full<T> c = random<T>(12, 18, 8, 3);
  Full<T> a = random<T>(12, 7, 9, 1), b = random<T>(7, 18, 10, 1);
  const Full<T> product = multiply(a, b);
  // What op() makes of them are these.
  if (opA != CUSPARSE_OPERATION_NON_TRANSPOSE)
    a = apply(opA, a);
  if (opB != CUSPARSE_OPERATION_NON_TRANSPOSE)
    b = apply(opB, b);
  Matrix<T> matrix(c, format);
  Dense<T> denseA(a, true), denseB(b, false);
  const T alpha = make<T>(2), beta = make<T>(1);
  size_t size = 0;
  SPARSE(cusparseSDDMM_bufferSize(handle, opA, opB, &alpha, denseA, denseB, &beta, matrix,
                                  typeOf<T>(), CUSPARSE_SDDMM_ALG_DEFAULT, &size));
  check::Array<char> buffer(size + 1);
  SPARSE(cusparseSDDMM(handle, opA, opB, &alpha, denseA, denseB, &beta, matrix,
                       typeOf<T>(), CUSPARSE_SDDMM_ALG_DEFAULT, buffer));
  Full<T> expected = c;
  for (size_t i = 0; i < c.values.size(); ++i)
    expected.values[i] = c.values[i] != Number<T>(0)
                             ? Number<T>(2) * product.values[i] + c.values[i]
                             : Number<T>(0);
  Dense<T> dense(Full<T>(12, 18), true);
  SPARSE(cusparseSparseToDense(handle, matrix, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                               buffer));
  Full<T> found = dense.get();
  for (size_t i = 0; i < c.values.size(); ++i)
    if (format != Format::Csr && c.values[i] == Number<T>(0))
      found.values[i] = 0; // of a block, which is computed as a whole
  compare(found, expected);
}

template <class T> static void testAll(cusparseHandle_t handle) {
  for (const Format format : formats)
    for (const cusparseOperation_t operation : operations) {
      multiplyVector<T>(handle, format, 0, operation);
      multiplyVector<T>(handle, format, 1, operation);
      for (const cusparseOperation_t opB : operations)
        multiplyMatrix<T>(handle, format, operation, opB,
                          opB == CUSPARSE_OPERATION_TRANSPOSE,
                          format != Format::Coo && format != Format::Csc);
    }
  for (const Format format : {Format::Csr, Format::Bsr, Format::BsrByColumns})
    for (const cusparseOperation_t operation : operations)
      sample<T>(handle, format, operation, operation);
}

static void testErrors(cusparseHandle_t handle) {
  Matrix<float> matrix(random<float>(6, 4, 1, 2), Format::Csr);
  Vector<float> x(numbers<float>(4, 1)), y(numbers<float>(6, 1)), shorter({1, 2, 3});
  Vector<cuComplex> complex(numbers<cuComplex>(6, 1));
  const float one = 1;
  const auto plainly = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const auto call = [&](cusparseDnVecDescr_t to, const float *alpha, cudaDataType type) {
    return cusparseSpMV(handle, plainly, alpha, matrix, x, &one, to, type,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  };
  SPARSE(call(y, &one, CUDA_R_32F));
  SPARSE_ERROR(call(shorter, &one, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
  SPARSE_ERROR(call(y, nullptr, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE);
  SPARSE_ERROR(call(complex, &one, CUDA_R_32F), CUSPARSE_STATUS_NOT_SUPPORTED);
  SPARSE_ERROR(call(y, &one, CUDA_R_4F_E2M1), CUSPARSE_STATUS_NOT_SUPPORTED);
}

/// Matrices one behind the other, and one dense matrix for all.
static void testBatches(cusparseHandle_t handle) {
  const Full<double> a[] = {random<double>(6, 8, 1, 2), random<double>(6, 8, 1, 2)};
  const Csr<double> csr(a[0]);
  std::vector<double> values = csr.values;
  for (const double value : csr.values)
    values.push_back(2 * value);
  check::Array<int> offsets(csr.offsets), indices(csr.indices);
  check::Array<double> stored(values), b(numbers<double>(8 * 3, 4)), c(2 * 6 * 3);
  cusparseSpMatDescr_t matrix;
  cusparseDnMatDescr_t denseB, denseC;
  SPARSE(cusparseCreateCsr(&matrix, 6, 8, csr.nnz(), offsets, indices, stored,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  SPARSE(cusparseCreateDnMat(&denseB, 8, 3, 8, b, CUDA_R_64F, CUSPARSE_ORDER_COL));
  SPARSE(cusparseCreateDnMat(&denseC, 6, 3, 6, c, CUDA_R_64F, CUSPARSE_ORDER_COL));
  // The structure is the same, its values follow each other.
  SPARSE(cusparseCsrSetStridedBatch(matrix, 2, 0, csr.nnz()));
  SPARSE(cusparseDnMatSetStridedBatch(denseC, 2, 18));
  check::Array<int> twice([&] {
    std::vector<int> both = csr.indices;
    both.insert(both.end(), csr.indices.begin(), csr.indices.end());
    return both;
  }());
  SPARSE(cusparseCsrSetPointers(matrix, offsets, twice, stored));
  const double one = 1, zero = 0;
  SPARSE(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                      CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, denseB, &zero,
                      denseC, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
  Full<double> right(8, 3);
  for (int i = 0; i < 24; ++i)
    right.at(i % 8, i / 8) = b.host[i];
  const Full<double> product = multiply(a[0], right);
  c.get();
  for (int i = 0; i < 36; ++i)
    CHECK_AT(i, c.host[i] + 0.0, (1 + i / 18) * product.at(i % 18 % 6, i % 18 / 6) + 0.0);
  SPARSE(cusparseDestroySpMat(matrix));
  SPARSE(cusparseDestroyDnMat(denseB));
  SPARSE(cusparseDestroyDnMat(denseC));
}

int main() {
  Handle handle;
  testAll<float>(handle);
  if (!isSlow()) {
    testAll<double>(handle);
    testAll<cuComplex>(handle);
    testAll<cuDoubleComplex>(handle);
  }
  for (const Format format : formats) {
    const auto plainly = CUSPARSE_OPERATION_NON_TRANSPOSE;
    multiplyVector<__half>(handle, format, 0, plainly);
    multiplyVector<__nv_bfloat16, float>(handle, format, 0, plainly);
    multiplyVector<int8_t, int>(handle, format, 0, plainly);
    multiplyVector<int8_t, float>(handle, format, 1, CUSPARSE_OPERATION_TRANSPOSE);
    multiplyVector<float, float, int64_t>(handle, format, 1, plainly);
    if (!isSlow())
      multiplyVector<double, double, int64_t>(handle, format, 0,
                                              CUSPARSE_OPERATION_TRANSPOSE);
    multiplyVector<float>(handle, format, 0, plainly, 600); // long rows
    multiplyMatrix<__half>(handle, format, plainly, plainly, false, true);
  }
  if (!isSlow())
    testBatches(handle);
  testErrors(handle);
  return check::finish("products");
}
