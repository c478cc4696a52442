// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -O2 -lcufft
//
// Large transforms: the way back, sums, lengths, and transforms of a few ones, whose
// values are known.

#include "Inputs/fft.h"

using namespace fft;

template <class Complex>
static Numbers run(cufftHandle plan, const Numbers &values, int direction) {
  std::vector<Complex> stored(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    put(stored[i], values[i]);
  check::Array<Complex> in(stored), out(values.size());
  FFT(execute(plan, in, out, direction));
  Numbers result;
  for (const Complex &value : out.get())
    result.push_back(plain(value));
  return result;
}

static double length(const Numbers &values) {
  long double sum = 0; // whose own rounding is none
  for (Number value : values)
    sum += std::norm(value);
  return static_cast<double>(sum);
}

template <class Complex> static void verify(int n) {
  constexpr double epsilon = fft::epsilon<Complex>;
  Plan plan;
  FFT(cufftPlan1d(&plan.handle, n, typeOf<Complex, Complex>(), 1));
  const Numbers x = numbers(n, 1), y = numbers(n, 2);
  const Numbers ofX = run<Complex>(plan, x, CUFFT_FORWARD),
                ofY = run<Complex>(plan, y, CUFFT_FORWARD);
  Numbers sum(n), ofSum(n), back = run<Complex>(plan, ofX, CUFFT_INVERSE);
  for (int i = 0; i < n; ++i) {
    sum[i] = x[i] + 0.5 * y[i];
    ofSum[i] = ofX[i] + 0.5 * ofY[i];
    back[i] /= n;
  }
  NEAR(back, x, epsilon, n);
  NEAR(run<Complex>(plan, sum, CUFFT_FORWARD), ofSum, epsilon, n);
  const double ratio = length(ofX) / length(x) / n;
  CHECK_TRUE(std::fabs(ratio - 1) < epsilon * std::log2(n));
  const int places[] = {1, n / 3, n - 2};
  Numbers ones(n), waves(n);
  for (int place : places) {
    ones[place] += 1;
    for (int k = 0; k < n; ++k)
      waves[k] += std::conj(root(static_cast<long long>(place) * k, n));
  }
  NEAR(run<Complex>(plan, ones, CUFFT_FORWARD), waves, epsilon, n);
}

int main() {
  const Sizes large = {4096, 6561, 10007, 16384, 65536, 78125, 100003, 117649, 1 << 18},
              small = {4096};
  for (int n : isSlow() ? small : large) {
    verify<cufftComplex>(n);
    verify<cufftDoubleComplex>(n);
  }
  return check::finish("identities");
}
