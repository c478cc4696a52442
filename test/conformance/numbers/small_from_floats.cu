// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DHALF
// FLAGS: -DBFLOAT
//
// Conversions from float and double to half precision and bfloat16, in the four
// directions of rounding, and back.
// CUDA Math API: Half and Bfloat16 Precision Conversion.

#include "Inputs/small_float.h"
using small::Bits;

__global__ void kernel(const float *f, const double *d, Bits *out, float *back,
                       int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  Bits *o = out + at * 8;
  o[0] = AS_BITS(NAMED(__float2, _rn)(f[at]));
  o[1] = AS_BITS(NAMED(__float2, _rz)(f[at]));
  o[2] = AS_BITS(NAMED(__float2, _ru)(f[at]));
  o[3] = AS_BITS(NAMED(__float2, _rd)(f[at]));
  o[4] = AS_BITS(NAMED(__float2, )(f[at]));
  o[5] = AS_BITS(NAMED(__double2, )(d[at]));
  o[6] = AS_BITS(Small(f[at]));
  o[7] = AS_BITS(Small(d[at]));
  back[at] = NAMED(__, 2float)(AS_SMALL(o[0]));
}

int main() {
  std::vector<double> values;
  for (Bits b : small::samples(701)) { // each, its ties, and beside them
    double x = small::value(b), y = small::value((Bits)(b + 1));
    double tie = std::isinf(y) || y != y ? x * 1.001 : (x + y) / 2;
    for (double v :
         {x, tie, std::nextafter(tie, 1e300), std::nextafter(tie, -1e300),
          (double)std::nextafter((float)tie, 1e38f),
          (double)std::nextafter((float)tie, -1e38f)})
      values.push_back(v);
  }
  for (float f : floats::singles(10))
    values.push_back(f);
  for (double d : floats::doubles(10))
    values.push_back(d);
  int n = (int)values.size();
  std::vector<float> narrow(values.begin(), values.end());
  check::Array<float> f(narrow), back(n);
  check::Array<double> d(values);
  check::Array<Bits> out(n * 8);
  kernel<<<(n + 127) / 128, 128>>>(f, d, out, back, n);
  out.get(), back.get();
  const floats::Mode modes[8] = {floats::Nearest, floats::Zero, floats::Up,
                                 floats::Down};
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 8; ++k) {
      double exact = k == 5 || k == 7 ? values[i] : narrow[i];
      CHECK_SMALL(i * 10 + k, out.host[i * 8 + k],
                  small::round(exact, k < 4 ? modes[k] : floats::Nearest));
    }
    CHECK_AT(i, back.host[i], (float)small::value(small::round(narrow[i])));
  }
  return check::finish("small_from_floats");
}
