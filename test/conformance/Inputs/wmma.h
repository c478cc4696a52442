// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma under test: one product from memory to memory, in all layouts, against the
// product in plain loops.

#ifndef CONFORMANCE_WMMA_H
#define CONFORMANCE_WMMA_H

#include "matrix.h"
#include <mma.h>

namespace wmma = nvcuda::wmma;
using matrix::u64;

template <class Sum, class T, class A, class B, class C, class D>
__device__ void multiplySums(D &d, const A &a, const B &b, const C &c, int option) {
  if constexpr (std::is_same<T, wmma::experimental::precision::b1>::value)
    wmma::bmma_sync(d, a, b, c,
                    option ? wmma::experimental::bmmaBitOpAND
                           : wmma::experimental::bmmaBitOpXOR);
  else if constexpr (std::is_same<Sum, int>::value) {
    if (option)
      wmma::mma_sync(d, a, b, c, true);
    else
      wmma::mma_sync(d, a, b, c);
  } else
    wmma::mma_sync(d, a, b, c);
}

template <int m, int n, int k, class T, class P, class LayoutA, class LayoutB, class C,
          class D>
__global__ void multiply(const P *pa, const P *pb, const C *pc, D *pd, unsigned ldA,
                         unsigned ldB, unsigned ldC, wmma::layout_t layout, int option) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> a;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> b;
  wmma::fragment<wmma::accumulator, m, n, k, C> c;
  wmma::fragment<wmma::accumulator, m, n, k, D> d;
  wmma::load_matrix_sync(a, pa, ldA);
  wmma::load_matrix_sync(b, pb, ldB);
  wmma::load_matrix_sync(c, pc, ldC, layout);
  multiplySums<D, T>(d, a, b, c, option);
  wmma::store_matrix_sync(pd, d, ldC, layout);
}

// A matrix as it lies in memory; whole bytes, with some space between rows or columns.
inline std::vector<unsigned char> layOut(const matrix::Matrix &from, bool byRows,
                                         unsigned &ld) {
  const int width = matrix::bitsOf(from.type);
  const int lines = byRows ? from.rows : from.columns;
  ld = (byRows ? from.columns : from.rows) + (width < 8 ? 0 : 16 * 8 / width);
  std::vector<unsigned char> bytes((size_t)lines * ld * width / 8);
  for (int i = 0; i < from.rows; ++i)
    for (int j = 0; j < from.columns; ++j) {
      size_t at = byRows ? (size_t)i * ld + j : (size_t)j * ld + i;
      for (int bit = 0; bit < width; ++bit)
        if (from.at(i, j) >> bit & 1)
          bytes[(at * width + bit) / 8] |= (unsigned char)(1u << (at * width + bit) % 8);
    }
  return bytes;
}

template <int m, int n, int k, class T, class P, class LayoutA, class LayoutB, class C,
          class D>
void testLayouts(matrix::Type type, matrix::Type typeC, matrix::Type typeD, int option) {
  const bool rowsA = std::is_same<LayoutA, wmma::row_major>::value;
  const bool rowsB = std::is_same<LayoutB, wmma::row_major>::value;
  const bool nvidia = matrix::isNvidia();
  unsigned state = 77 + m + 3 * k + option;
  for (int round = 0; round < 6; ++round) {
    const matrix::Fill how = round < 2   ? matrix::Small
                             : round < 4 ? matrix::Random
                                         : matrix::Extreme;
    if (how != matrix::Small && nvidia && matrix::isFloat(type))
      continue; // sums are its own
    matrix::Matrix a(type, m, k), b(type, k, n), c(typeC, m, n);
    matrix::fill(a, how, state), matrix::fill(b, how, state), matrix::fill(c, how, state);
    const bool isBits = type == matrix::B1;
    matrix::Matrix expected =
        matrix::product(a, b, c, typeD, !isBits && option, isBits && option);
    unsigned ldA, ldB, ldC, ldD;
    const bool rowsC = round % 2 == 0;
    check::Array<unsigned char> da(layOut(a, rowsA, ldA)), db(layOut(b, rowsB, ldB)),
        dc(layOut(c, rowsC, ldC));
    // C and D are as far apart in elements.
    ldD = ldC;
    check::Array<D> dd((size_t)(rowsC ? m : n) * ldD);
    multiply<m, n, k, T, P, LayoutA, LayoutB, C, D>
        <<<1, 32>>>((const P *)(unsigned char *)da, (const P *)(unsigned char *)db,
                    (const C *)(unsigned char *)dc, dd, ldA, ldB, ldC,
                    rowsC ? wmma::mem_row_major : wmma::mem_col_major, option);
    dd.get();
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        u64 found = 0;
        memcpy(&found, &dd.host[rowsC ? (size_t)i * ldD + j : (size_t)j * ldD + i],
               sizeof(D));
        CHECK_AT(round * 10000 + i * 100 + j, found, expected.at(i, j));
      }
  }
}

template <int m, int n, int k, class T, class P, class C, class D>
void testShape(matrix::Type type, matrix::Type typeC, matrix::Type typeD,
               int option = 0) {
  using Row = wmma::row_major;
  using Column = wmma::col_major;
  testLayouts<m, n, k, T, P, Row, Column, C, D>(type, typeC, typeD, option);
  testLayouts<m, n, k, T, P, Column, Row, C, D>(type, typeC, typeD, option);
  testLayouts<m, n, k, T, P, Row, Row, C, D>(type, typeC, typeD, option);
  testLayouts<m, n, k, T, P, Column, Column, C, D>(type, typeC, typeD, option);
}

#endif // CONFORMANCE_WMMA_H
