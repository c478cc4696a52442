// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device library's functions of one and two numbers: how to call them, what is
// exact, where they are tested, and the largest error that CUDA documents for its own
// (CUDA C++ Programming Guide, "Mathematical Functions").
#ifndef HET_TEST_DEVICELIB_MATHTABLE_H
#define HET_TEST_DEVICELIB_MATHTABLE_H

#include "Oracle.h"
#include <functional>
#include <string>
#include <vector>

namespace het::test {

struct MathFunction {
  std::string name;
  unsigned operands;
  float (*single)(float, float);
  double (*twice)(double, double);
  void (*exact)(mpfr_ptr out, mpfr_ptr x, mpfr_ptr y);
  double limitSingle, limitDouble;
  /// Operands outside are not sampled: results there have no documented bound.
  double low, high;
  /// Operands in here neither.
  double gapLow = 0, gapHigh = 0;
};

const std::vector<MathFunction> &mathFunctions();

} // namespace het::test

#endif
