// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma of integers of 4 bits and of single bits.
// CUDA C++ Programming Guide, "Sub-byte Operations".

#include "Inputs/wmma.h"

using namespace matrix;

int main() {
  using Row = wmma::row_major;
  using Column = wmma::col_major;
  namespace precision = wmma::experimental::precision;
  for (int option : {0, 1}) {
    testLayouts<8, 8, 32, precision::s4, void, Row, Column, int, int>(S4, S32, S32, option);
    testLayouts<8, 8, 32, precision::u4, void, Row, Column, int, int>(U4, S32, S32, option);
    testLayouts<8, 8, 128, precision::b1, void, Row, Column, int, int>(B1, S32, S32, option);
  }
  return check::finish("wmma_subbyte");
}
