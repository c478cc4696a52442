// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusparse
//
// cuSPARSE's conversions: dense matrices, matrices of blocks, matrices without small
// elements.

#include "Inputs/sparse.h"
#include <algorithm>

using namespace sparse;

/// From a dense matrix to each format, and back.
template <class T> static void convertDense(cusparseHandle_t handle, bool byRows) {
  const Full<T> a = random<T>(12, 18, 6, 3);
  const int nnz = Csr<T>(a).nnz();
  for (const cusparseFormat_t format :
       {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
    if (skips())
      continue;
    Dense<T> dense(a, byRows), back(Full<T>(12, 18), !byRows);
    check::Array<int> offsets(19 + nnz), indices(nnz);
    check::Array<T> values(nnz);
    cusparseSpMatDescr_t matrix;
    const auto base = byRows ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    constexpr auto narrow = CUSPARSE_INDEX_32I;
    SPARSE(format == CUSPARSE_FORMAT_COO
               ? cusparseCreateCoo(&matrix, 12, 18, 0, nullptr, nullptr, nullptr, narrow,
                                   base, typeOf<T>())
               : (format == CUSPARSE_FORMAT_CSR ? cusparseCreateCsr : cusparseCreateCsc)(
                     &matrix, 12, 18, 0, offsets, nullptr, nullptr, narrow, narrow, base,
                     typeOf<T>()));
    size_t bytes = 0;
    constexpr auto alg = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
    SPARSE(cusparseDenseToSparse_bufferSize(handle, dense, matrix, alg, &bytes));
    check::Array<char> buffer(bytes);
    SPARSE(cusparseDenseToSparse_analysis(handle, dense, matrix, alg, buffer));
    int64_t rows = 0, columns = 0, found = 0;
    SPARSE(cusparseSpMatGetSize(matrix, &rows, &columns, &found));
    CHECK_EQ(found, int64_t(nnz));
    SPARSE((format == CUSPARSE_FORMAT_COO   ? cusparseCooSetPointers
            : format == CUSPARSE_FORMAT_CSR ? cusparseCsrSetPointers
                                            : cusparseCscSetPointers)(
        matrix, offsets, indices, values));
    SPARSE(cusparseDenseToSparse_convert(handle, dense, matrix, alg, buffer));
    SPARSE(cusparseSparseToDense(handle, matrix, back,
                                 CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer));
    compare(back.get(), a);
    SPARSE(cusparseDestroySpMat(matrix));
  }
}

/// To blocks and back: elements that are not there are stored as zeros.
static void convertBlocks(cusparseHandle_t handle, cusparseDirection_t direction) {
  constexpr int m = 13, n = 16, height = 3, width = 2, mb = 5, nb = 8;
  const Full<float> a = random<float>(m, n, 6, 4);
  const Csr<float> csr(a);
  check::Array<int> offsets(csr.offsets), indices(csr.indices), starts(mb + 1);
  check::Array<float> values(csr.values);
  cusparseMatDescr_t zero, one;
  SPARSE(cusparseCreateMatDescr(&zero));
  SPARSE(cusparseCreateMatDescr(&one));
  SPARSE(cusparseSetMatIndexBase(one, CUSPARSE_INDEX_BASE_ONE));
  int blocks = 0;
  SPARSE(cusparseXcsr2gebsrNnz(handle, direction, m, n, zero, offsets, indices, one,
                               starts, height, width, &blocks, nullptr));
  const int all = blocks * height * width;
  check::Array<int> columns(blocks), offsetsC(mb * height + 1), indicesC(all);
  check::Array<float> stored(all), valuesC(all);
  SPARSE(cusparseScsr2gebsr(handle, direction, m, n, zero, values, offsets, indices, one,
                            stored, starts, columns, height, width, nullptr));
  SPARSE(cusparseSgebsr2csr(handle, direction, mb, nb, one, stored, starts, columns,
                            height, width, zero, valuesC, offsetsC, indicesC));
  const Full<float> found =
      full<float>(mb * height, n, offsetsC.get(), indicesC.get(), valuesC.get());
  Full<float> expected(mb * height, n);
  std::copy(a.values.begin(), a.values.end(), expected.values.begin());
  compare(found, expected);
  SPARSE(cusparseDestroyMatDescr(zero));
  SPARSE(cusparseDestroyMatDescr(one));
}

/// Without zeros, and without what is not above a threshold.
static void dropElements(cusparseHandle_t handle) {
  const Full<float> a = random<float>(9, 14, 6, 2);
  std::vector<float> byColumns;
  for (int j = 0; j < 14; ++j)
    for (int i = 0; i < 9; ++i)
      byColumns.push_back(static_cast<float>(a.at(i, j)));
  check::Array<float> dense(byColumns);
  check::Array<int> each(14), offsets(10);
  cusparseMatDescr_t descr;
  SPARSE(cusparseCreateMatDescr(&descr));
  int total = 0;
  for (const auto direction : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN}) {
    SPARSE(cusparseSnnz(handle, direction, 9, 14, descr, dense, 9, each, &total));
    CHECK_EQ(total, Csr<float>(a).nnz());
    const Csr<float> csr(direction == CUSPARSE_DIRECTION_ROW
                             ? a
                             : apply(CUSPARSE_OPERATION_TRANSPOSE, a));
    for (size_t i = 0; i + 1 < csr.offsets.size(); ++i)
      CHECK_AT(static_cast<long long>(i), each.get()[i],
               csr.offsets[i + 1] - csr.offsets[i]);
  }
  Full<float> large = a;
  for (double &value : large.values)
    value = std::abs(value) > 2 ? value : 0;
  const float threshold = 2;
  int nnz = 0;
  SPARSE(cusparseSpruneDense2csrNnz(handle, 9, 14, dense, 9, &threshold, descr, offsets,
                                    &nnz, nullptr));
  check::Array<int> indices(nnz);
  check::Array<float> values(nnz);
  SPARSE(cusparseSpruneDense2csr(handle, 9, 14, dense, 9, &threshold, descr, values,
                                 offsets, indices, nullptr));
  compare(full<float>(9, 14, offsets.get(), indices.get(), values.get()), large);
  const Csr<float> csr(a);
  check::Array<int> offsetsA(csr.offsets), indicesA(csr.indices);
  check::Array<float> valuesA(csr.values);
  offsets.fill(0);
  SPARSE(cusparseSpruneCsr2csrNnz(handle, 9, 14, csr.nnz(), descr, valuesA, offsetsA,
                                  indicesA, &threshold, descr, offsets, &total, nullptr));
  CHECK_EQ(total, nnz);
  indices.fill(0);
  SPARSE(cusparseSpruneCsr2csr(handle, 9, 14, csr.nnz(), descr, valuesA, offsetsA,
                               indicesA, &threshold, descr, values, offsets, indices,
                               nullptr));
  compare(full<float>(9, 14, offsets.get(), indices.get(), values.get()), large);
  SPARSE(cusparseSnnz_compress(handle, 9, descr, valuesA, offsetsA, each, &total, 2.0f));
  CHECK_EQ(total, nnz);
  SPARSE(cusparseScsr2csr_compress(handle, 9, 14, descr, valuesA, indicesA, offsetsA,
                                   csr.nnz(), each, values, indices, offsets, 2.0f));
  compare(full<float>(9, 14, offsets.get(), indices.get(), values.get()), large);
  SPARSE(cusparseDestroyMatDescr(descr));
}

int main() {
  Handle handle;
  for (const int base : {0, 1}) {
    convertDense<float>(handle, base);
    convertDense<__half>(handle, base);
    if (!isSlow()) {
      convertDense<double>(handle, base);
      convertDense<cuComplex>(handle, base);
      convertDense<cuDoubleComplex>(handle, base);
    }
    convertBlocks(handle, cusparseDirection_t(base));
  }
  dropElements(handle);
  return check::finish("conversions");
}
