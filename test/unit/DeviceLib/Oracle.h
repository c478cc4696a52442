// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a result is from the truth: MPFR evaluates each function at 160 bits, and the
// distance is given in units in the last place (ULP) of the exact result's own format.
// Beyond MPFR's own functions there are the few that CUDA adds (normcdf, erfinv, …).
#ifndef HET_TEST_DEVICELIB_ORACLE_H
#define HET_TEST_DEVICELIB_ORACLE_H

#include <mpfr.h>

namespace het::test {

/// A number of 160 bits that cleans up after itself.
class Wide {
public:
  Wide() { mpfr_init2(value, 160); }
  explicit Wide(double x) : Wide() { mpfr_set_d(value, x, MPFR_RNDN); }
  Wide(const Wide &) = delete;
  Wide &operator=(const Wide &) = delete;
  ~Wide() { mpfr_clear(value); }
  operator mpfr_ptr() { return value; }

private:
  mpfr_t value;
};

enum class Format { binary32, binary64 };

/// |result - exact| in ULP; 0 where both are NaN or the same infinity, and infinite
/// where one is special and the other is not. An infinite result of a finite value counts
/// as the power of two above the largest number.
double distanceInUlp(double result, mpfr_ptr exact, Format format);

/// The functions that MPFR lacks.
void erfcx(mpfr_ptr out, mpfr_ptr x);
void normcdf(mpfr_ptr out, mpfr_ptr x);
void erfinv(mpfr_ptr out, mpfr_ptr x);
void erfcinv(mpfr_ptr out, mpfr_ptr x);
void normcdfinv(mpfr_ptr out, mpfr_ptr x);
void besselI(mpfr_ptr out, int order, mpfr_ptr x);

} // namespace het::test

#endif
