// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusparse
//
// cuSPARSE's products and sums of sparse matrices, transposed ones, and sorting.

#include "Inputs/sparse.h"
#include <algorithm>

using namespace sparse;

constexpr cusparseOperation_t plainly = CUSPARSE_OPERATION_NON_TRANSPOSE;

/// C = 2 A B by both ways; C begins with `base`.
template <class T> static void multiplySparse(cusparseHandle_t handle, int base) {
  const Full<T> a = random<T>(20, 15, 1, 4), b = random<T>(15, 18, 2, 4);
  Full<T> expected = multiply(a, b);
  for (Number<T> &value : expected.values)
    value *= Number<T>(2);
  Matrix<T> matA(a, Format::Csr, base), matB(b, Format::Csr);
  check::Array<int> offsets(21);
  cusparseSpMatDescr_t matC;
  cusparseSpGEMMDescr_t state;
  SPARSE(cusparseCreateCsr(&matC, 20, 18, 0, offsets, nullptr, nullptr,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           cusparseIndexBase_t(base), typeOf<T>()));
  const T two = make<T>(2), zero = make<T>(0);
  for (const bool reuse : {false, true}) {
    if (skips())
      continue;
    size_t bytes[3] = {};
    std::vector<std::unique_ptr<check::Array<char>>> rooms;
    const auto room = [&](size_t size) -> void * {
      rooms.push_back(std::make_unique<check::Array<char>>(size));
      return *rooms.back();
    };
    /// Each step is asked how much memory it wants, and gets it.
    const auto step = [&](const auto &call) {
      SPARSE(call(nullptr));
      SPARSE(call(room(bytes[0])));
    };
    SPARSE(cusparseSpGEMM_createDescr(&state));
    step([&](void *place) {
      return reuse ? cusparseSpGEMMreuse_workEstimation(
                         handle, plainly, plainly, matA, matB, matC,
                         CUSPARSE_SPGEMM_DEFAULT, state, &bytes[0], place)
                   : cusparseSpGEMM_workEstimation(
                         handle, plainly, plainly, &two, matA, matB, &zero, matC,
                         typeOf<T>(), CUSPARSE_SPGEMM_DEFAULT, state, &bytes[0], place);
    });
    step([&](void *place) {
      return reuse ? cusparseSpGEMMreuse_nnz(
                         handle, plainly, plainly, matA, matB, matC,
                         CUSPARSE_SPGEMM_DEFAULT, state, &bytes[0], place, &bytes[1],
                         place ? room(bytes[1]) : nullptr, &bytes[2],
                         place ? room(bytes[2]) : nullptr)
                   : cusparseSpGEMM_compute(handle, plainly, plainly, &two, matA, matB,
                                            &zero, matC, typeOf<T>(),
                                            CUSPARSE_SPGEMM_DEFAULT, state, &bytes[0],
                                            place);
    });
    int64_t rows = 0, columns = 0, nnz = 0, products = 0;
    SPARSE(cusparseSpMatGetSize(matC, &rows, &columns, &nnz));
    SPARSE(cusparseSpGEMM_getNumProducts(state, &products));
    CHECK_TRUE(products >= nnz && nnz > 0);
    check::Array<int> indices(nnz);
    check::Array<T> values(nnz);
    SPARSE(cusparseCsrSetPointers(matC, offsets, indices, values));
    if (reuse) {
      step([&](void *place) {
        return cusparseSpGEMMreuse_copy(handle, plainly, plainly, matA, matB, matC,
                                        CUSPARSE_SPGEMM_DEFAULT, state, &bytes[0], place);
      });
      for (int turn = 0; turn < 2; ++turn)
        SPARSE(cusparseSpGEMMreuse_compute(handle, plainly, plainly, &two, matA, matB,
                                           &zero, matC, typeOf<T>(),
                                           CUSPARSE_SPGEMM_DEFAULT, state));
    } else {
      SPARSE(cusparseSpGEMM_copy(handle, plainly, plainly, &two, matA, matB, &zero, matC,
                                 typeOf<T>(), CUSPARSE_SPGEMM_DEFAULT, state));
    }
    const std::vector<int> &starts = offsets.get(), &found = indices.get();
    compare(full<T>(20, 18, starts, found, values.get(), base), expected);
    for (int i = 0; i < 20; ++i)
      CHECK_TRUE(std::is_sorted(found.begin() + starts[i] - base,
                                found.begin() + starts[i + 1] - base));
    SPARSE(cusparseSpGEMM_destroyDescr(state));
  }
  SPARSE(cusparseDestroySpMat(matC));
}

static void addSparse(cusparseHandle_t handle) {
  const Full<double> a = random<double>(20, 15, 3, 3), b = random<double>(20, 15, 4, 3);
  const Csr<double> left(a, 1), right(b, 0);
  check::Array<int> offsetsA(left.offsets), indicesA(left.indices),
      offsetsB(right.offsets), indicesB(right.indices), offsetsC(21);
  check::Array<double> valuesA(left.values), valuesB(right.values);
  cusparseMatDescr_t one, zero;
  SPARSE(cusparseCreateMatDescr(&one));
  SPARSE(cusparseCreateMatDescr(&zero));
  SPARSE(cusparseSetMatIndexBase(one, CUSPARSE_INDEX_BASE_ONE));
  const double alpha = 2, beta = -1;
  size_t bytes = 0;
  int nnz = 0;
  SPARSE(cusparseDcsrgeam2_bufferSizeExt(
      handle, 20, 15, &alpha, one, left.nnz(), valuesA, offsetsA, indicesA, &beta, zero,
      right.nnz(), valuesB, offsetsB, indicesB, one, nullptr, offsetsC, nullptr, &bytes));
  check::Array<char> buffer(bytes);
  SPARSE(cusparseXcsrgeam2Nnz(handle, 20, 15, one, left.nnz(), offsetsA, indicesA, zero,
                              right.nnz(), offsetsB, indicesB, one, offsetsC, &nnz,
                              buffer));
  check::Array<int> indicesC(nnz);
  check::Array<double> valuesC(nnz);
  SPARSE(cusparseDcsrgeam2(handle, 20, 15, &alpha, one, left.nnz(), valuesA, offsetsA,
                           indicesA, &beta, zero, right.nnz(), valuesB, offsetsB,
                           indicesB, one, valuesC, offsetsC, indicesC, buffer));
  Full<double> expected(20, 15);
  for (size_t i = 0; i < expected.values.size(); ++i)
    expected.values[i] = 2 * a.values[i] - b.values[i];
  compare(
      full<double>(20, 15, offsetsC.get(), indicesC.get(), valuesC.get(), 1), expected);
  SPARSE(cusparseDestroyMatDescr(one));
  SPARSE(cusparseDestroyMatDescr(zero));
}

static void transposeMatrix(cusparseHandle_t handle) {
  // More columns than a digit has values.
  const Full<float> a = random<float>(11, 700, 5, 9);
  const Csr<float> csr(a, 1), expected(apply(CUSPARSE_OPERATION_TRANSPOSE, a), 1);
  check::Array<int> offsets(csr.offsets), indices(csr.indices), starts(701),
      rows(csr.nnz());
  check::Array<float> values(csr.values), turned(csr.nnz());
  size_t bytes = 0;
  SPARSE(cusparseCsr2cscEx2_bufferSize(handle, 11, 700, csr.nnz(), values, offsets,
                                       indices, turned, starts, rows, CUDA_R_32F,
                                       CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ONE,
                                       CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes));
  check::Array<char> buffer(bytes);
  SPARSE(cusparseCsr2cscEx2(handle, 11, 700, csr.nnz(), values, offsets, indices, turned,
                            starts, rows, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC,
                            CUSPARSE_INDEX_BASE_ONE, CUSPARSE_CSR2CSC_ALG_DEFAULT,
                            buffer));
  CHECK_TRUE(starts.get() == expected.offsets);
  CHECK_TRUE(rows.get() == expected.indices);
  compare(turned.get(), expected.values);
  // Rows of compressed rows, and back.
  check::Array<int> list(csr.nnz()), again(12);
  SPARSE(cusparseXcsr2coo(handle, offsets, csr.nnz(), 11, list, CUSPARSE_INDEX_BASE_ONE));
  SPARSE(cusparseXcoo2csr(handle, list, csr.nnz(), 11, again, CUSPARSE_INDEX_BASE_ONE));
  CHECK_TRUE(again.get() == csr.offsets);
  for (int i = 0; i < 11; ++i)
    for (int k = csr.offsets[i]; k < csr.offsets[i + 1]; ++k)
      CHECK_AT(k, list.get()[k - 1], i + 1);
}

static void sortElements(cusparseHandle_t handle, bool byRow) {
  const Csr<float> csr(random<float>(30, 40, 5, 3));
  std::vector<int> order(csr.nnz()), rows, columns, expectedRows;
  unsigned state = 7;
  for (int i = 0; i < 30; ++i)
    expectedRows.insert(expectedRows.end(), csr.offsets[i + 1] - csr.offsets[i], i);
  for (int i = 0; i < csr.nnz(); ++i)
    order[i] = i;
  for (int i = csr.nnz() - 1; i > 0; --i)
    std::swap(order[i], order[check::random(state) % (i + 1)]);
  for (int i : order) {
    rows.push_back(expectedRows[i]);
    columns.push_back(csr.indices[i]);
  }
  check::Array<int> deviceRows(rows), deviceColumns(columns), p(csr.nnz());
  SPARSE(cusparseCreateIdentityPermutation(handle, csr.nnz(), p));
  size_t bytes = 0;
  SPARSE(cusparseXcoosort_bufferSizeExt(handle, 30, 40, csr.nnz(), deviceRows,
                                        deviceColumns, &bytes));
  check::Array<char> buffer(bytes);
  SPARSE((byRow ? cusparseXcoosortByRow : cusparseXcoosortByColumn)(
      handle, 30, 40, csr.nnz(), deviceRows, deviceColumns, p, buffer));
  const auto &foundRows = deviceRows.get(), &foundColumns = deviceColumns.get();
  for (int i = 0; i < csr.nnz(); ++i) {
    CHECK_AT(i, rows[p.get()[i]], foundRows[i]);
    CHECK_AT(i, columns[p.get()[i]], foundColumns[i]);
    const auto key = [&](int k) {
      return byRow ? std::make_pair(foundRows[k], foundColumns[k])
                   : std::make_pair(foundColumns[k], foundRows[k]);
    };
    CHECK_TRUE(!i || key(i - 1) < key(i));
  }
}

/// Rows of compressed rows, backwards, are sorted.
static void sortRows(cusparseHandle_t handle) {
  const Csr<float> csr(random<float>(30, 40, 5, 3), 1);
  std::vector<int> reversed = csr.indices;
  for (int i = 0; i < 30; ++i)
    std::reverse(reversed.begin() + csr.offsets[i] - 1,
                 reversed.begin() + csr.offsets[i + 1] - 1);
  check::Array<int> offsets(csr.offsets), indices(reversed), p(csr.nnz());
  cusparseMatDescr_t descr;
  SPARSE(cusparseCreateMatDescr(&descr));
  SPARSE(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));
  SPARSE(cusparseCreateIdentityPermutation(handle, csr.nnz(), p));
  SPARSE(cusparseXcsrsort(handle, 30, 40, csr.nnz(), descr, offsets, indices, p,
                          nullptr));
  CHECK_TRUE(indices.get() == csr.indices);
  for (int i = 0; i < csr.nnz(); ++i)
    CHECK_AT(i, reversed[p.get()[i]], csr.indices[i]);
  SPARSE(cusparseDestroyMatDescr(descr));
}

int main() {
  Handle handle;
  for (const int base : {0, 1}) {
    multiplySparse<float>(handle, base);
    sortElements(handle, base);
    if (!isSlow()) {
      multiplySparse<double>(handle, base);
      multiplySparse<__half>(handle, base); // added up in float
      multiplySparse<cuComplex>(handle, base);
      multiplySparse<cuDoubleComplex>(handle, base);
    }
  }
  if (!isSlow())
    addSparse(handle);
  transposeMatrix(handle);
  sortRows(handle);
  return check::finish("structure");
}
