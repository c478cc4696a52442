// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs about cuSPARSE share: sparse matrices of small whole numbers, so that
// every sum is exact, in all formats.

#ifndef CONFORMANCE_SPARSE_H
#define CONFORMANCE_SPARSE_H

#include "blas.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cusparse.h>
#include <memory>

#define SPARSE(...) CHECK_EQ(__VA_ARGS__, CUSPARSE_STATUS_SUCCESS)
#define SPARSE_ERROR(call, status) CHECK_EQ(call, status)

namespace sparse {

using blas::compare;
using blas::make;
using blas::Number;
using blas::numbers;
using blas::plain;
using blas::skips;

template <class T> constexpr cudaDataType typeOf() {
  return std::is_same<T, float>::value             ? CUDA_R_32F
         : std::is_same<T, double>::value          ? CUDA_R_64F
         : std::is_same<T, cuComplex>::value       ? CUDA_C_32F
         : std::is_same<T, cuDoubleComplex>::value ? CUDA_C_64F
         : std::is_same<T, __half>::value          ? CUDA_R_16F
         : std::is_same<T, __nv_bfloat16>::value   ? CUDA_R_16BF
         : std::is_same<T, int8_t>::value          ? CUDA_R_8I
                                                   : CUDA_R_32I;
}

/// There, one type of numbers stands for all, since each has kernels of its own.
using check::isSlow;

/// A matrix by rows, with zeros where it has no elements.
template <class T> struct Full {
  int rows, columns;
  std::vector<Number<T>> values;
  Full(int rows, int columns)
      : rows(rows), columns(columns), values(size_t(rows) * columns) {}
  Number<T> &at(int i, int j) { return values[size_t(i) * columns + j]; }
  const Number<T> &at(int i, int j) const { return values[size_t(i) * columns + j]; }
};

template <class T> Full<T> apply(cusparseOperation_t operation, const Full<T> &a) {
  if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE)
    return a;
  Full<T> result(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j)
      result.at(j, i) =
          operation == CUSPARSE_OPERATION_TRANSPOSE ? a.at(i, j) : blas::conj(a.at(i, j));
  return result;
}

template <class T> Full<T> multiply(const Full<T> &a, const Full<T> &b) {
  Full<T> c(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int k = 0; k < a.columns; ++k)
      for (int j = 0; j < b.columns; ++j)
        c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}

/// About one of `every` elements is there; some rows are empty.
template <class T> Full<T> random(int rows, int columns, unsigned seed, unsigned every) {
  Full<T> a(rows, columns);
  const auto values = numbers<T>(a.values.size(), seed);
  unsigned state = seed * 747796405u + 1;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if (check::random(state) % every == 0 && i % 7 != 3)
        a.at(i, j) = plain(values[size_t(i) * columns + j]);
  return a;
}

template <class T> bool isThere(const Full<T> &a, int i, int j) {
  return a.at(i, j) != Number<T>(0);
}

/// Compressed rows; by `transposed` columns.
template <class T, class I = int> struct Csr {
  std::vector<I> offsets, indices;
  std::vector<T> values;
  explicit Csr(const Full<T> &a, int base = 0) {
    offsets.push_back(base);
    for (int i = 0; i < a.rows; ++i) {
      for (int j = 0; j < a.columns; ++j)
        if (isThere(a, i, j)) {
          indices.push_back(static_cast<I>(j + base));
          values.push_back(make<T>(a.at(i, j)));
        }
      offsets.push_back(static_cast<I>(indices.size() + base));
    }
  }
  int nnz() const { return static_cast<int>(values.size()); }
};

/// The dense matrix that arrays of compressed rows describe.
template <class T, class I>
Full<T> full(int rows, int columns, const std::vector<I> &offsets,
             const std::vector<I> &indices, const std::vector<T> &values, int base = 0) {
  Full<T> a(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (I k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
      a.at(i, static_cast<int>(indices[k]) - base) += plain(values[k]);
  return a;
}

template <class T> void compare(const Full<T> &found, const Full<T> &expected) {
  CHECK_EQ(found.rows, expected.rows);
  for (size_t i = 0; i < std::min(found.values.size(), expected.values.size()); ++i)
    CHECK_AT(static_cast<long long>(i), make<T>(found.values[i] + Number<T>(0)),
             make<T>(expected.values[i] + Number<T>(0)));
}

struct Handle {
  cusparseHandle_t handle = nullptr;
  Handle() { SPARSE(cusparseCreate(&handle)); }
  Handle(const Handle &) = delete;
  ~Handle() { SPARSE(cusparseDestroy(handle)); }
  operator cusparseHandle_t() const { return handle; }
};

enum class Format { Csr, Csc, Coo, Bsr, BsrByColumns, Sell, Ell };
constexpr Format formats[] = {Format::Csr, Format::Csc,          Format::Coo,
                              Format::Bsr, Format::BsrByColumns, Format::Sell,
                              Format::Ell};

/// A matrix on the device in a format, with indices of type I that begin with `base`.
template <class T, class I = int> class Matrix {
public:
  cusparseSpMatDescr_t descr = nullptr;

  Matrix(const Full<T> &a, Format format, int base = 0) {
    switch (format) {
    case Format::Csr:
    case Format::Csc:
      makeCompressed(a, format == Format::Csc, base);
      break;
    case Format::Coo:
      makeCoo(a, base);
      break;
    case Format::Sell:
      makeSell(a, base);
      break;
    case Format::Ell:
      makeEll(a, base);
      break;
    default:
      makeBsr(a, format == Format::BsrByColumns, base);
    }
  }
  Matrix(const Matrix &) = delete;
  ~Matrix() { SPARSE(cusparseDestroySpMat(descr)); }
  operator cusparseSpMatDescr_t() const { return descr; }
  std::vector<T> values() { return arrays.values->get(); }

private:
  static constexpr cusparseIndexType_t indexType =
      sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
  struct {
    std::unique_ptr<check::Array<I>> offsets, indices;
    std::unique_ptr<check::Array<T>> values;
  } arrays;

  void put(const std::vector<I> &offsets, const std::vector<I> &indices,
           const std::vector<T> &values) {
    arrays.offsets.reset(new check::Array<I>(offsets));
    arrays.indices.reset(new check::Array<I>(indices));
    arrays.values.reset(new check::Array<T>(values));
  }
  I *offsets() { return *arrays.offsets; }
  I *indices() { return *arrays.indices; }
  T *numbers() { return *arrays.values; }

  void makeCompressed(const Full<T> &a, bool byColumns, int base) {
    const Csr<T, I> csr(byColumns ? apply(CUSPARSE_OPERATION_TRANSPOSE, a) : a, base);
    put(csr.offsets, csr.indices, csr.values);
    const auto create = byColumns ? cusparseCreateCsc : cusparseCreateCsr;
    SPARSE(create(&descr, a.rows, a.columns, csr.nnz(), offsets(), indices(), numbers(),
                  indexType, indexType, cusparseIndexBase_t(base), typeOf<T>()));
  }
  void makeCoo(const Full<T> &a, int base) {
    const Csr<T, I> csr(a, base);
    std::vector<I> rows;
    for (int i = 0; i < a.rows; ++i)
      rows.insert(rows.end(), csr.offsets[i + 1] - csr.offsets[i], I(i + base));
    put(rows, csr.indices, csr.values);
    SPARSE(cusparseCreateCoo(&descr, a.rows, a.columns, csr.nnz(), offsets(), indices(),
                             numbers(), indexType, cusparseIndexBase_t(base),
                             typeOf<T>()));
  }
  /// Blocks of two rows and three columns, which the sizes must divide by.
  void makeBsr(const Full<T> &a, bool byColumns, int base) {
    constexpr int height = 2, width = 3;
    std::vector<I> starts = {I(base)}, columns;
    std::vector<T> stored;
    for (int i = 0; i < a.rows; i += height) {
      for (int j = 0; j < a.columns; j += width) {
        std::vector<T> block;
        bool any = false;
        for (int k = 0; k < height * width; ++k) {
          const int row = byColumns ? k % height : k / width,
                    column = byColumns ? k / height : k % width;
          block.push_back(make<T>(a.at(i + row, j + column)));
          any |= isThere(a, i + row, j + column);
        }
        if (!any)
          continue;
        columns.push_back(I(j / width + base));
        stored.insert(stored.end(), block.begin(), block.end());
      }
      starts.push_back(I(columns.size() + base));
    }
    put(starts, columns, stored);
    SPARSE(cusparseCreateBsr(&descr, a.rows / height, a.columns / width, columns.size(),
                             height, width, offsets(), indices(), numbers(), indexType,
                             indexType, cusparseIndexBase_t(base), typeOf<T>(),
                             byColumns ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW));
  }
  /// Slices of four rows, padded.
  void makeSell(const Full<T> &a, int base) {
    constexpr int slice = 4;
    const Csr<T, I> csr(a);
    std::vector<I> starts = {I(base)}, columns;
    std::vector<T> stored;
    const auto length = [&](int row) {
      return row < a.rows ? csr.offsets[row + 1] - csr.offsets[row] : I(0);
    };
    for (int i = 0; i < a.rows; i += slice) {
      I width = 0;
      for (int row = i; row < i + slice; ++row)
        width = std::max(width, length(row));
      for (I k = 0; k < width; ++k)
        for (int row = i; row < i + slice; ++row) {
          const bool in = k < length(row);
          columns.push_back(in ? csr.indices[csr.offsets[row] + k] + I(base) : I(-1));
          stored.push_back(in ? csr.values[csr.offsets[row] + k] : make<T>(0));
        }
      starts.push_back(I(columns.size() + base));
    }
    put(starts, columns, stored);
    SPARSE(cusparseCreateSlicedEll(&descr, a.rows, a.columns, csr.nnz(), columns.size(),
                                   slice, offsets(), indices(), numbers(), indexType,
                                   indexType, cusparseIndexBase_t(base), typeOf<T>()));
  }
  /// Blocks of two, as many in each row of blocks as there can be; some are none.
  void makeEll(const Full<T> &a, int base) {
    constexpr int block = 2;
    std::vector<I> columns;
    std::vector<T> stored(a.values.size());
    for (int i = 0; i < a.rows; i += block) {
      int count = 0;
      for (int j = 0; j < a.columns; j += block) {
        bool any = false;
        for (int k = 0; k < block * block; ++k)
          any |= isThere(a, i + k / block, j + k % block);
        if (!any)
          continue;
        columns.push_back(I(j / block + base));
        for (int k = 0; k < block * block; ++k)
          stored[size_t(i + k / block) * a.columns + count * block + k % block] =
              make<T>(a.at(i + k / block, j + k % block));
        ++count;
      }
      for (; count < a.columns / block; ++count)
        columns.push_back(I(-1));
    }
    put({}, columns, stored);
    SPARSE(cusparseCreateBlockedEll(&descr, a.rows, a.columns, block, a.columns,
                                    indices(), numbers(), indexType,
                                    cusparseIndexBase_t(base), typeOf<T>()));
  }
};

/// A dense matrix on the device, by rows or by columns, padded.
template <class T> class Dense {
  check::Array<T> array;
  int rows, columns, leading;
  bool byRows;

public:
  cusparseDnMatDescr_t descr = nullptr;
  Dense(const Full<T> &a, bool byRows)
      : array(size_t((byRows ? a.columns : a.rows) + 2) * (byRows ? a.rows : a.columns)),
        rows(a.rows), columns(a.columns), leading((byRows ? a.columns : a.rows) + 2),
        byRows(byRows) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        array.host[place(i, j)] = make<T>(a.at(i, j));
    array.put();
    SPARSE(cusparseCreateDnMat(&descr, rows, columns, leading, array, typeOf<T>(),
                               byRows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  }
  Dense(const Dense &) = delete;
  ~Dense() { SPARSE(cusparseDestroyDnMat(descr)); }
  operator cusparseDnMatDescr_t() const { return descr; }
  size_t place(int i, int j) const {
    return byRows ? size_t(i) * leading + j : i + size_t(j) * leading;
  }
  Full<T> get() {
    array.get();
    Full<T> a(rows, columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        a.at(i, j) = plain(array.host[place(i, j)]);
    return a;
  }
};

/// A dense vector on the device.
template <class T> class Vector {
public:
  check::Array<T> array;
  cusparseDnVecDescr_t descr = nullptr;
  explicit Vector(const std::vector<T> &values) : array(values) {
    SPARSE(cusparseCreateDnVec(&descr, values.size(), array, typeOf<T>()));
  }
  ~Vector() { SPARSE(cusparseDestroyDnVec(descr)); }
  operator cusparseDnVecDescr_t() const { return descr; }
};

constexpr cusparseOperation_t operations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE,
                                              CUSPARSE_OPERATION_TRANSPOSE,
                                              CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

} // namespace sparse

#endif // CONFORMANCE_SPARSE_H
