// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusparse
//
// cuSPARSE's solutions for triangles (SpSV, SpSM) and incomplete factors (csrilu02,
// csric02). Diagonals are powers of two, so that all is exact.

#include "Inputs/sparse.h"

using namespace sparse;

constexpr int size = 36;

/// Elements on both sides of a diagonal of powers of two, near it in most rows, so that
/// some levels are long and some are short.
template <class T> static Full<T> triangles() {
  Full<T> a = random<T>(size, size, 4, 9);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      if (i == j)
        a.at(i, j) = i % 3 ? 2 : 1;
      else if (std::abs(i - j) == 1 && i < 12)
        a.at(i, j) = 1;
  return a;
}

/// One triangle of it.
template <class T> static Full<T> part(const Full<T> &a, bool lower, bool unit) {
  Full<T> result(a.rows, a.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j)
      result.at(i, j) = i == j                ? (unit ? Number<T>(1) : a.at(i, j))
                        : (j < i) == lower ? a.at(i, j)
                                              : Number<T>(0);
  return result;
}

template <class T>
static void setAttributes(cusparseSpMatDescr_t matrix, bool lower, bool unit) {
  cusparseFillMode_t fill = lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
  cusparseDiagType_t diag = unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
  SPARSE(cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  SPARSE(cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag));
}

template <class T>
static void solveVector(cusparseHandle_t handle, Format format, int base,
                        cusparseOperation_t operation, bool lower, bool unit) {
  if (skips())
    return;
  const Full<T> a = triangles<T>(), op = apply(operation, part(a, lower, unit));
  Full<T> x(size, 1);
  const auto values = numbers<T>(size, 3, 1);
  for (int i = 0; i < size; ++i)
    x.values[i] = plain(values[i]);
  const Full<T> product = multiply(op, x);
  std::vector<T> right;
  for (const Number<T> &value : product.values)
    right.push_back(make<T>(value * Number<T>(0.5)));
  Matrix<T> matrix(a, format, base);
  setAttributes<T>(matrix, lower, unit);
  Vector<T> b(right), y(std::vector<T>(size, make<T>(7)));
  const T two = make<T>(2);
  cusparseSpSVDescr_t state;
  size_t bytes = 0;
  SPARSE(cusparseSpSV_createDescr(&state));
  SPARSE(cusparseSpSV_bufferSize(handle, operation, &two, matrix, b, y, typeOf<T>(),
                                 CUSPARSE_SPSV_ALG_DEFAULT, state, &bytes));
  check::Array<char> buffer(bytes + 1);
  SPARSE_ERROR(cusparseSpSV_solve(handle, operation, &two, matrix, b, y, typeOf<T>(),
                                  CUSPARSE_SPSV_ALG_DEFAULT, state),
               CUSPARSE_STATUS_INVALID_VALUE); // not analysed
  SPARSE(cusparseSpSV_analysis(handle, operation, &two, matrix, b, y, typeOf<T>(),
                               CUSPARSE_SPSV_ALG_DEFAULT, state, buffer));
  SPARSE(cusparseSpSV_solve(handle, operation, &two, matrix, b, y, typeOf<T>(),
                            CUSPARSE_SPSV_ALG_DEFAULT, state));
  compare(y.array.get(), values);
  // All values doubled: half of the solution.
  if (format == Format::Csr && !unit) {
    std::vector<T> doubled;
    for (const T value : matrix.values())
      doubled.push_back(make<T>(plain(value) * Number<T>(2)));
    {
      check::Array<T> fresh(doubled);
      SPARSE(cusparseSpSV_updateMatrix(handle, state, fresh,
                                       CUSPARSE_SPSV_UPDATE_GENERAL));
      CUDA(cudaMemset(fresh, 0, doubled.size() * sizeof(T)));
    }
    SPARSE(cusparseSpSV_solve(handle, operation, &two, matrix, b, y, typeOf<T>(),
                              CUSPARSE_SPSV_ALG_DEFAULT, state));
    std::vector<T> half;
    for (const T value : values)
      half.push_back(make<T>(plain(value) * Number<T>(0.5)));
    compare(y.array.get(), half);
  }
  SPARSE(cusparseSpSV_destroyDescr(state));
}

template <class T>
static void solveMatrix(cusparseHandle_t handle, Format format, cusparseOperation_t opA,
                        cusparseOperation_t opB, bool lower, bool byRows) {
  if (skips())
    return;
  const Full<T> a = triangles<T>(), op = apply(opA, part(a, lower, false));
  Full<T> x(size, 5);
  const auto values = numbers<T>(x.values.size(), 8, 1);
  for (size_t i = 0; i < values.size(); ++i)
    x.values[i] = plain(values[i]);
  Full<T> b = multiply(op, x);
  if (opB != CUSPARSE_OPERATION_NON_TRANSPOSE)
    b = apply(opB, b);
  Matrix<T> matrix(a, format);
  setAttributes<T>(matrix, lower, false);
  Dense<T> right(b, byRows), solution(Full<T>(size, 5), !byRows);
  const T one = make<T>(1);
  cusparseSpSMDescr_t state;
  size_t bytes = 0;
  SPARSE(cusparseSpSM_createDescr(&state));
  SPARSE(cusparseSpSM_bufferSize(handle, opA, opB, &one, matrix, right, solution,
                                 typeOf<T>(), CUSPARSE_SPSM_ALG_DEFAULT, state, &bytes));
  check::Array<char> buffer(bytes + 1);
  SPARSE(cusparseSpSM_analysis(handle, opA, opB, &one, matrix, right, solution,
                               typeOf<T>(), CUSPARSE_SPSM_ALG_DEFAULT, state, buffer));
  for (int turn = 0; turn < 2; ++turn)
    SPARSE(cusparseSpSM_solve(handle, opA, opB, &one, matrix, right, solution,
                              typeOf<T>(), CUSPARSE_SPSM_ALG_DEFAULT, state));
  compare(solution.get(), x);
  SPARSE(cusparseSpSM_destroyDescr(state));
}

/// The product of a lower triangle with 1 on its diagonal and an upper one, both of a
/// tridiagonal pattern, which factors without fill.
template <class T> static void factorLU(cusparseHandle_t handle, int base) {
  if (skips())
    return;
  Full<T> l(size, size), u(size, size);
  for (int i = 0; i < size; ++i) {
    l.at(i, i) = 1;
    u.at(i, i) = i % 2 ? 2 : 4;
    if (i + 1 < size) {
      l.at(i + 1, i) = i % 3 ? 1 : -2;
      u.at(i, i + 1) = i % 5 ? 3 : -1;
    }
  }
  const Full<T> a = multiply(l, u);
  const Csr<T> csr(a, base);
  check::Array<int> offsets(csr.offsets), indices(csr.indices);
  check::Array<T> values(csr.values);
  cusparseMatDescr_t descr;
  csrilu02Info_t info;
  SPARSE(cusparseCreateMatDescr(&descr));
  SPARSE(cusparseSetMatIndexBase(descr, cusparseIndexBase_t(base)));
  SPARSE(cusparseCreateCsrilu02Info(&info));
  int zero = 0, bytes = 0;
  if constexpr (std::is_same<T, double>::value) {
    SPARSE(cusparseDcsrilu02_bufferSize(handle, size, csr.nnz(), descr, values, offsets,
                                        indices, info, &bytes));
    SPARSE(cusparseDcsrilu02_analysis(handle, size, csr.nnz(), descr, values, offsets,
                                      indices, info, CUSPARSE_SOLVE_POLICY_USE_LEVEL,
                                      nullptr));
    SPARSE(cusparseXcsrilu02_zeroPivot(handle, info, &zero));
    SPARSE(cusparseDcsrilu02(handle, size, csr.nnz(), descr, values, offsets, indices,
                             info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
  } else {
    SPARSE(cusparseCcsrilu02_bufferSize(handle, size, csr.nnz(), descr, values, offsets,
                                        indices, info, &bytes));
    SPARSE(cusparseCcsrilu02_analysis(handle, size, csr.nnz(), descr, values, offsets,
                                      indices, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL,
                                      nullptr));
    SPARSE(cusparseCcsrilu02(handle, size, csr.nnz(), descr, values, offsets, indices,
                             info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
  }
  CHECK_TRUE(bytes > 0);
  SPARSE(cusparseXcsrilu02_zeroPivot(handle, info, &zero));
  CHECK_EQ(zero, -1);
  Full<T> expected = u;
  for (int i = 1; i < size; ++i)
    expected.at(i, i - 1) = l.at(i, i - 1);
  compare(full<T>(size, size, csr.offsets, csr.indices, values.get(), base), expected);
  SPARSE(cusparseDestroyCsrilu02Info(info));
  SPARSE(cusparseDestroyMatDescr(descr));
}

/// L L^T, where L has a pattern that its product keeps below the diagonal.
static void factorCholesky(cusparseHandle_t handle) {
  Full<double> l(size, size);
  for (int i = 0; i < size; ++i) {
    l.at(i, i) = i % 2 ? 2 : 4;
    if (i + 1 < size)
      l.at(i + 1, i) = i % 3 ? 1 : -2;
  }
  const Full<double> a = multiply(l, apply(CUSPARSE_OPERATION_TRANSPOSE, l));
  const Csr<double> csr(a);
  check::Array<int> offsets(csr.offsets), indices(csr.indices);
  check::Array<double> values(csr.values);
  cusparseMatDescr_t descr;
  csric02Info_t info;
  SPARSE(cusparseCreateMatDescr(&descr));
  SPARSE(cusparseCreateCsric02Info(&info));
  int zero = 0;
  SPARSE(cusparseDcsric02_analysis(handle, size, csr.nnz(), descr, values, offsets,
                                   indices, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL,
                                   nullptr));
  SPARSE(cusparseDcsric02(handle, size, csr.nnz(), descr, values, offsets, indices, info,
                          CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
  SPARSE(cusparseXcsric02_zeroPivot(handle, info, &zero));
  Full<double> found =
      full<double>(size, size, csr.offsets, csr.indices, values.get(), 0);
  for (int i = 0; i + 1 < size; ++i)
    found.at(i, i + 1) = 0; // as it was
  compare(found, l);
  SPARSE(cusparseDestroyCsric02Info(info));
  SPARSE(cusparseDestroyMatDescr(descr));
}

/// Zeros on the diagonal: one that is not stored, and one that appears.
static void findZeros(cusparseHandle_t handle) {
  const std::vector<double> matrices[] = {{1, 1, 1, 0}, {1, 1, 1, 1}};
  for (int which = 0; which < 2; ++which) {
    Full<double> a(2, 2);
    a.values = matrices[which];
    const Csr<double> csr(a, 1);
    check::Array<int> offsets(csr.offsets), indices(csr.indices);
    check::Array<double> values(csr.values);
    cusparseMatDescr_t descr;
    csrilu02Info_t info;
    int zero = 0;
    SPARSE(cusparseCreateMatDescr(&descr));
    SPARSE(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));
    SPARSE(cusparseCreateCsrilu02Info(&info));
    SPARSE(cusparseDcsrilu02_analysis(handle, 2, csr.nnz(), descr, values, offsets,
                                      indices, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL,
                                      nullptr));
    SPARSE_ERROR(cusparseXcsrilu02_zeroPivot(handle, info, &zero),
                 which ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT);
    SPARSE(cusparseDcsrilu02(handle, 2, csr.nnz(), descr, values, offsets, indices, info,
                             CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
    SPARSE_ERROR(cusparseXcsrilu02_zeroPivot(handle, info, &zero),
                 CUSPARSE_STATUS_ZERO_PIVOT);
    CHECK_EQ(zero, 2);
    SPARSE(cusparseDestroyCsrilu02Info(info));
    SPARSE(cusparseDestroyMatDescr(descr));
  }
}

template <class T> static void testAll(cusparseHandle_t handle) {
  for (const Format format : {Format::Csr, Format::Csc, Format::Coo, Format::Sell})
    for (const cusparseOperation_t operation : operations)
      for (const bool lower : {false, true}) {
        solveVector<T>(handle, format, lower, operation, lower, false);
        solveVector<T>(handle, format, 0, operation, lower, true);
        solveMatrix<T>(handle, format, operation, operations[lower], lower, lower);
      }
}

int main() {
  Handle handle;
  testAll<float>(handle);
  if (!isSlow()) {
    testAll<double>(handle);
    testAll<cuComplex>(handle);
    testAll<cuDoubleComplex>(handle);
  }
  factorLU<double>(handle, 0);
  if (!isSlow())
    factorLU<cuComplex>(handle, 1);
  factorCholesky(handle);
  findZeros(handle);
  return check::finish("triangles");
}
