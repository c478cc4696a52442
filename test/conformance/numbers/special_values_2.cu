// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DSINGLE
// FLAGS: -DDOUBLE
//
// Functions of two arguments at the values that are documented one by one:
// the table of pow, atan2 in the quadrants, NaN in hypot, fmin, fmax and pow.
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
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(rhypot) \
  X(nextafter) X(pow) X(remainder)
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

const double inf = INFINITY, nan_ = NAN, pi = (Real)3.14159265358979323846;
const double most =
    std::is_same<Real, float>::value ? 3.40282347e+38 : 1.7976931348623157e308;
struct Row {
  int function;
  double x, y, want;
};
static const Row rows[] = {
    {atan2_, 0.0, -0.0, pi},         {atan2_, -0.0, -0.0, -pi},
    {atan2_, 0.0, 0.0, 0.0},         {atan2_, -0.0, 0.0, -0.0},
    {atan2_, 0.0, -1.0, pi},         {atan2_, -0.0, 1.0, -0.0},
    {atan2_, -1.0, 0.0, -pi / 2},    {atan2_, 1.0, -0.0, pi / 2},
    {atan2_, inf, 1.0, pi / 2},      {atan2_, -inf, 1.0, -pi / 2},
    {atan2_, 1.0, -inf, pi},         {atan2_, -1.0, inf, -0.0},
    {atan2_, inf, -inf, 3 * pi / 4}, {atan2_, -inf, inf, -pi / 4},
    {atan2_, nan_, 1.0, nan_},       {copysign_, 1.0, -0.0, -1.0},
    {copysign_, inf, -1.0, -inf},    {fdim_, 3.0, 5.0, 0.0},
    {fdim_, 5.0, 3.0, 2.0},          {fdim_, nan_, 1.0, nan_},
    {fdim_, inf, inf, 0.0},          {fmax_, nan_, 2.0, 2.0},
    {fmax_, 2.0, nan_, 2.0},         {fmax_, nan_, nan_, nan_},
    {fmax_, -inf, 1.0, 1.0},         {fmax_, 3.0, -3.0, 3.0},
    {fmin_, nan_, 2.0, 2.0},         {fmin_, 2.0, nan_, 2.0},
    {fmin_, nan_, nan_, nan_},       {fmin_, -inf, 1.0, -inf},
    {fmod_, 0.0, 3.0, 0.0},          {fmod_, -0.0, 3.0, -0.0},
    {fmod_, inf, 3.0, nan_},         {fmod_, 3.0, 0.0, nan_},
    {fmod_, 3.0, inf, 3.0},          {fmod_, -5.5, 2.0, -1.5},
    {fmod_, 5.5, -2.0, 1.5},         {hypot_, inf, nan_, inf},
    {hypot_, nan_, -inf, inf},       {hypot_, 3.0, 4.0, 5.0},
    {hypot_, 0.0, -0.0, 0.0},        {hypot_, nan_, 1.0, nan_},
    {rhypot_, inf, nan_, 0.0},       {rhypot_, 0.0, 0.0, inf},
    {rhypot_, 3.0, 4.0, 0.2},        {nextafter_, 0.0, 0.0, 0.0},
    {nextafter_, 1.0, 1.0, 1.0},     {nextafter_, nan_, 1.0, nan_},
    {nextafter_, inf, 0.0, most},    {pow_, 0.0, -1.0, inf},
    {pow_, -0.0, -1.0, -inf},        {pow_, -0.0, -2.0, inf},
    {pow_, -0.0, 3.0, -0.0},         {pow_, -0.0, 2.0, 0.0},
    {pow_, -1.0, inf, 1.0},          {pow_, -1.0, -inf, 1.0},
    {pow_, 1.0, nan_, 1.0},          {pow_, nan_, 0.0, 1.0},
    {pow_, nan_, -0.0, 1.0},         {pow_, -2.0, 0.5, nan_},
    {pow_, 0.5, -inf, inf},          {pow_, 2.0, -inf, 0.0},
    {pow_, 0.5, inf, 0.0},           {pow_, 2.0, inf, inf},
    {pow_, -inf, -3.0, -0.0},        {pow_, -inf, -2.0, 0.0},
    {pow_, -inf, 3.0, -inf},         {pow_, -inf, 2.0, inf},
    {pow_, inf, -1.0, 0.0},          {pow_, inf, 1.0, inf},
    {pow_, 2.0, 10.0, 1024.0},       {pow_, -2.0, 3.0, -8.0},
    {pow_, nan_, 1.0, nan_},         {remainder_, 5.0, 2.0, 1.0},
    {remainder_, 7.0, 2.0, -1.0},    {remainder_, 3.0, 0.0, nan_},
    {remainder_, inf, 1.0, nan_},    {remainder_, 3.0, inf, 3.0},
    {remainder_, -4.0, 2.0, -0.0},
};

__global__ void kernel(const int *function, const Real *in, const Real *second,
                       Real *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  Real x = in[at], y = second[at], r = 0;
  switch (function[at]) {
#define X(name)                                                                \
  case name##_:                                                                \
    r = CALL(name)(x, y);                                                      \
    break;
    FUNCTIONS(X)
#undef X
  }
  out[at] = r;
}

int main() {
  std::vector<Row> all(rows, rows + sizeof rows / sizeof *rows);
  int n = (int)all.size();
  check::Array<int> function(n);
  check::Array<Real> in(n), second(n), out(n);
  for (int i = 0; i < n; ++i)
    function.host[i] = all[i].function, in.host[i] = (Real)all[i].x,
    second.host[i] = (Real)all[i].y;
  function.put(), in.put(), second.put();
  kernel<<<(n + 63) / 64, 64>>>(function, in, second, out, n);
  out.get();
  for (int i = 0; i < n; ++i) {
    std::string call = names[all[i].function];
    call += " of " + check::show((Real)all[i].x) + " and " +
            check::show((Real)all[i].y);
    check::equal(call.c_str(), __LINE__, -1, out.host[i], (Real)all[i].want);
  }
  return check::finish("special_values_2");
}
