// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DSINGLE
// FLAGS: -DDOUBLE
//
// Functions of one argument at the values that are documented one by one:
// signed zeros, ones, infinities, poles, and outside of the domain; and NaN.
// CUDA Math API: Single and Double Precision Mathematical Functions.

#include "Inputs/check.h"
#include <cmath>

#ifdef SINGLE
typedef float Real;
#define CALL(name) name##f
#else
typedef double Real;
#define CALL(name) name
#endif

// clang-format off
#define FUNCTIONS(X) \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) \
  X(cosh) X(cospi) X(erf) X(erfc) X(erfcx) X(erfcinv) X(erfinv) X(exp) \
  X(exp10) X(exp2) X(expm1) X(fabs) X(floor) X(j0) X(j1) X(lgamma) X(log) \
  X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(normcdf) X(normcdfinv) \
  X(rcbrt) X(rint) X(round) X(rsqrt) X(sin) X(sinh) X(sinpi) X(sqrt) X(tan) \
  X(tanh) X(tgamma) X(trunc) X(y0) X(y1) X(cyl_bessel_i0) X(cyl_bessel_i1)
// clang-format on

enum Function {
#define X(name) name##_,
  FUNCTIONS(X)
#undef X
      Count
};
static const char *const names[] = {
#define X(name) #name,
    FUNCTIONS(X)
#undef X
};

const double inf = INFINITY, nan_ = NAN;
struct Row {
  int function;
  double x, want;
};
static const Row rows[] = {
    {acos_, 1.0, 0.0},
    {acos_, 1.5, nan_},
    {acos_, -1.5, nan_},
    {acos_, nan_, nan_},
    {acosh_, 1.0, 0.0},
    {acosh_, 0.5, nan_},
    {acosh_, inf, inf},
    {asin_, 0.0, 0.0},
    {asin_, -0.0, -0.0},
    {asin_, 2.0, nan_},
    {asinh_, 0.0, 0.0},
    {asinh_, -0.0, -0.0},
    {asinh_, inf, inf},
    {asinh_, -inf, -inf},
    {atan_, 0.0, 0.0},
    {atan_, -0.0, -0.0},
    {atanh_, 0.0, 0.0},
    {atanh_, -0.0, -0.0},
    {atanh_, 1.0, inf},
    {atanh_, -1.0, -inf},
    {atanh_, 1.5, nan_},
    {cbrt_, 0.0, 0.0},
    {cbrt_, -0.0, -0.0},
    {cbrt_, inf, inf},
    {cbrt_, -inf, -inf},
    {cbrt_, 27.0, 3.0},
    {ceil_, -0.0, -0.0},
    {ceil_, -0.5, -0.0},
    {ceil_, 2.25, 3.0},
    {ceil_, inf, inf},
    {cos_, 0.0, 1.0},
    {cos_, -0.0, 1.0},
    {cos_, inf, nan_},
    {cos_, -inf, nan_},
    {cosh_, 0.0, 1.0},
    {cosh_, inf, inf},
    {cosh_, -inf, inf},
    {cospi_, 0.0, 1.0},
    {cospi_, 1.0, -1.0},
    {cospi_, inf, nan_},
    {erf_, 0.0, 0.0},
    {erf_, -0.0, -0.0},
    {erf_, inf, 1.0},
    {erf_, -inf, -1.0},
    {erfc_, -inf, 2.0},
    {erfc_, inf, 0.0},
    {erfc_, 0.0, 1.0},
    {erfcx_, -inf, inf},
    {erfcx_, inf, 0.0},
    {erfcinv_, 0.0, inf},
    {erfcinv_, 2.0, -inf},
    {erfcinv_, -1.0, nan_},
    {erfcinv_, 3.0, nan_},
    {erfinv_, 0.0, 0.0},
    {erfinv_, -0.0, -0.0},
    {erfinv_, 1.0, inf},
    {erfinv_, -1.0, -inf},
    {erfinv_, 1.5, nan_},
    {exp_, 0.0, 1.0},
    {exp_, -0.0, 1.0},
    {exp_, -inf, 0.0},
    {exp_, inf, inf},
    {exp10_, 0.0, 1.0},
    {exp10_, -inf, 0.0},
    {exp10_, inf, inf},
    {exp2_, 0.0, 1.0},
    {exp2_, -inf, 0.0},
    {exp2_, inf, inf},
    {exp2_, 10.0, 1024.0},
    {expm1_, 0.0, 0.0},
    {expm1_, -0.0, -0.0},
    {expm1_, -inf, -1.0},
    {expm1_, inf, inf},
    {fabs_, -0.0, 0.0},
    {fabs_, -inf, inf},
    {floor_, -0.0, -0.0},
    {floor_, -0.5, -1.0},
    {floor_, 0.5, 0.0},
    {floor_, inf, inf},
    {j0_, inf, 0.0},
    {j0_, -inf, 0.0},
    {j1_, 0.0, 0.0},
    {j1_, -0.0, -0.0},
    {j1_, inf, 0.0},
    {lgamma_, 1.0, 0.0},
    {lgamma_, 2.0, 0.0},
    {lgamma_, 0.0, inf},
    {lgamma_, -3.0, inf},
    {lgamma_, -inf, inf},
    {lgamma_, inf, inf},
    {log_, 0.0, -inf},
    {log_, -0.0, -inf},
    {log_, 1.0, 0.0},
    {log_, -1.0, nan_},
    {log_, inf, inf},
    {log10_, 0.0, -inf},
    {log10_, 1.0, 0.0},
    {log10_, -1.0, nan_},
    {log10_, inf, inf},
    {log1p_, 0.0, 0.0},
    {log1p_, -0.0, -0.0},
    {log1p_, -1.0, -inf},
    {log1p_, -2.0, nan_},
    {log1p_, inf, inf},
    {log2_, 0.0, -inf},
    {log2_, 1.0, 0.0},
    {log2_, 1024.0, 10.0},
    {log2_, -1.0, nan_},
    {log2_, inf, inf},
    {logb_, 0.0, -inf},
    {logb_, -0.0, -inf},
    {logb_, inf, inf},
    {logb_, -inf, inf},
    {logb_, 10.0, 3.0},
    {nearbyint_, -0.0, -0.0},
    {nearbyint_, 2.5, 2.0},
    {nearbyint_, 3.5, 4.0},
    {nearbyint_, -0.25, -0.0},
    {normcdf_, inf, 1.0},
    {normcdf_, -inf, 0.0},
    {normcdf_, 0.0, 0.5},
    {normcdfinv_, 0.0, -inf},
    {normcdfinv_, 1.0, inf},
    {normcdfinv_, 2.0, nan_},
    {rcbrt_, 0.0, inf},
    {rcbrt_, -0.0, -inf},
    {rcbrt_, inf, 0.0},
    {rcbrt_, -inf, -0.0},
    {rint_, -0.0, -0.0},
    {rint_, 2.5, 2.0},
    {rint_, -3.5, -4.0},
    {rint_, inf, inf},
    {round_, 2.5, 3.0},
    {round_, -2.5, -3.0},
    {round_, -0.25, -0.0},
    {round_, 0.49999997, 0.0},
    {rsqrt_, 0.0, inf},
    {rsqrt_, -0.0, -inf},
    {rsqrt_, inf, 0.0},
    {rsqrt_, -1.0, nan_},
    {rsqrt_, 4.0, 0.5},
    {sin_, 0.0, 0.0},
    {sin_, -0.0, -0.0},
    {sin_, inf, nan_},
    {sinh_, 0.0, 0.0},
    {sinh_, -0.0, -0.0},
    {sinh_, inf, inf},
    {sinh_, -inf, -inf},
    {sinpi_, 0.0, 0.0},
    {sinpi_, -0.0, -0.0},
    {sinpi_, 0.5, 1.0},
    {sinpi_, 1.5, -1.0},
    {sinpi_, inf, nan_},
    {sqrt_, 0.0, 0.0},
    {sqrt_, -0.0, -0.0},
    {sqrt_, inf, inf},
    {sqrt_, -1.0, nan_},
    {tan_, 0.0, 0.0},
    {tan_, -0.0, -0.0},
    {tan_, inf, nan_},
    {tanh_, 0.0, 0.0},
    {tanh_, -0.0, -0.0},
    {tanh_, inf, 1.0},
    {tanh_, -inf, -1.0},
    {tgamma_, 0.0, inf},
    {tgamma_, -0.0, -inf},
    {tgamma_, -2.0, nan_},
    {tgamma_, -inf, nan_},
    {tgamma_, inf, inf},
    {tgamma_, 5.0, 24.0},
    {trunc_, -0.5, -0.0},
    {trunc_, 2.75, 2.0},
    {trunc_, -inf, -inf},
    {y0_, 0.0, -inf},
    {y0_, -1.0, nan_},
    {y0_, inf, 0.0},
    {y1_, 0.0, -inf},
    {y1_, -1.0, nan_},
    {y1_, inf, 0.0},
    {cyl_bessel_i0_, 0.0, 1.0},
    {cyl_bessel_i1_, 0.0, 0.0},
};

__global__ void kernel(const int *function, const Real *in, Real *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  Real x = in[at], r = 0;
  switch (function[at]) {
#define X(name)                                                                \
  case name##_:                                                                \
    r = CALL(name)(x);                                                         \
    break;
    FUNCTIONS(X)
#undef X
  }
  out[at] = r;
}

int main() {
  std::vector<Row> all(rows, rows + sizeof rows / sizeof *rows);
  for (int f = 0; f < Count; ++f)
    all.push_back({f, nan_, nan_});
  int n = (int)all.size();
  check::Array<int> function(n);
  check::Array<Real> in(n), out(n);
  for (int i = 0; i < n; ++i)
    function.host[i] = all[i].function, in.host[i] = (Real)all[i].x;
  function.put(), in.put();
  kernel<<<(n + 63) / 64, 64>>>(function, in, out, n);
  out.get();
  for (int i = 0; i < n; ++i) {
    std::string call = names[all[i].function];
    call += " of " + check::show((Real)all[i].x);
    check::equal(call.c_str(), __LINE__, -1, out.host[i], (Real)all[i].want);
  }
  return check::finish("special_values");
}
