// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DSINGLE
// FLAGS: -DDOUBLE
//
// Clang's builtins for the functions of <math.h>: each gives what the function
// gives. CUDA Math API.

#include "Inputs/check.h"
#include <cmath>

#ifdef SINGLE
typedef float Real;
#define CALL(name) name##f
#else
typedef double Real;
#define CALL(name) name
#endif
#define BUILTIN(name) CALL(__builtin_##name)

// clang-format off
#define UNARY(X) \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) \
  X(cosh) X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) X(fabs) X(floor) \
  X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(rint) \
  X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define TO_INTEGER(X) X(ilogb) X(lrint) X(llrint) X(lround) X(llround)
#define BINARY(X) \
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) \
  X(pow) X(remainder)
#define SCALED(X) X(ldexp) X(scalbn) X(scalbln)
// clang-format on

struct Pair {
  double builtin, function;
};

__global__ void kernel(const Real *xs, Pair *out) {
  Real x = xs[threadIdx.x], y = xs[(threadIdx.x + 1) % blockDim.x];
  int n = 0;
  auto put = [&](double builtin, double function) {
    out[n++ * blockDim.x + threadIdx.x] = {builtin, function};
  };
#define X(name) put(BUILTIN(name)(x), CALL(name)(x));
  UNARY(X)
  TO_INTEGER(X)
#undef X
#define X(name) put(BUILTIN(name)(x, y), CALL(name)(x, y));
  BINARY(X)
#undef X
#define X(name) put(BUILTIN(name)(x, 3), CALL(name)(x, 3));
  SCALED(X)
#undef X
  put(BUILTIN(fma)(x, y, x), CALL(fma)(x, y, x));
  put(BUILTIN(roundeven)(x), CALL(rint)(x));
  put(BUILTIN(fmaximum_num)(x, y), CALL(fmax)(x, y));
  put(BUILTIN(fminimum_num)(x, y), CALL(fmin)(x, y));
  put(BUILTIN(nan)(""), CALL(nan)(""));
  put(BUILTIN(powi)(x, 3), (Real)(x * x * x));

  int exponents[2], quotients[2];
  put(BUILTIN(frexp)(x, &exponents[0]), CALL(frexp)(x, &exponents[1]));
  put(exponents[0], exponents[1]);
  put(BUILTIN(remquo)(x, y, &quotients[0]), CALL(remquo)(x, y, &quotients[1]));
  put(quotients[0], quotients[1]);
  Real parts[2], sines[2], cosines[2];
  put(BUILTIN(modf)(x, &parts[0]), CALL(modf)(x, &parts[1]));
  put(parts[0], parts[1]);
  BUILTIN(sincos)(x, &sines[0], &cosines[0]);
  CALL(sincos)(x, &sines[1], &cosines[1]);
  put(sines[0], sines[1]);
  put(cosines[0], cosines[1]);
}

static const char *const names[] = {
#define X(name) #name,
    UNARY(X) TO_INTEGER(X) BINARY(X) SCALED(X)
#undef X
        "fma",
    "roundeven",
    "fmaximum_num",
    "fminimum_num",
    "nan",
    "powi",
    "frexp",
    "frexp's exponent",
    "remquo",
    "remquo's quotient",
    "modf",
    "modf's part",
    "sincos's sine",
    "sincos's cosine"};

int main() {
  const int count = sizeof names / sizeof *names, threads = 8;
  const double inputs[threads] = {0.5,  -0.75, 1.5, 2.5,
                                  -3.5, 10.25, 0.0, 1e-3};
  Real *xs;
  Pair *out;
  CUDA(cudaMallocManaged(&xs, threads * sizeof *xs));
  CUDA(cudaMallocManaged(&out, count * threads * sizeof *out));
  for (int t = 0; t < threads; ++t)
    xs[t] = (Real)inputs[t];
  kernel<<<1, threads>>>(xs, out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < count * threads; ++i)
    if (!check::same(out[i].builtin, out[i].function)) {
      printf("__builtin_%s(%g)\n", names[i / threads], inputs[i % threads]);
      CHECK_AT(i, out[i].builtin, out[i].function);
    }
  return check::finish("math_builtins");
}
