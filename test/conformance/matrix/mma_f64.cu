// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync of f64: all shapes, against the product in plain
// loops, with small, random and extreme operands.
// PTX ISA: Warp-level Matrix Instructions, mma.

#include "Inputs/matrix.h"

using namespace matrix;

MMA_DOUBLES(m8k4, R1122, "m8n8k4.row.col.f64.f64.f64.f64")
MMA_DOUBLES(k4, R2144, "m16n8k4.row.col.f64.f64.f64.f64")
MMA_DOUBLES(k8, R4244, "m16n8k8.row.col.f64.f64.f64.f64")
MMA_DOUBLES(k16, R8444, "m16n8k16.row.col.rn.f64.f64.f64.f64")

int main() {
  test(m8k4, 8, 4, F64, F64, F64, F64);
  test(k4, 16, 4, F64, F64, F64, F64);
  test(k8, 16, 8, F64, F64, F64, F64);
  test(k16, 16, 16, F64, F64, F64, F64);
  return check::finish("mma_f64");
}
