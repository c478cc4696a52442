// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: --expt-relaxed-constexpr -std=c++17
//
// --expt-relaxed-constexpr: constexpr functions of the host, the standard
// library's among them, called from device code.
// CUDA C++ Programming Guide: constexpr functions and function templates.

#include "Inputs/check.h"
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

constexpr int cube(int x) { return x * x * x; }
struct Ratio {
  int n, d;
  constexpr Ratio(int a, int b)
      : n(a / std::gcd(a, b)), d(b / std::gcd(a, b)) {}
  constexpr Ratio operator*(Ratio r) const { return {n * r.n, d * r.d}; }
};
constexpr std::array<int, 4> primes = {2, 3, 5, 7};

__global__ void kernel(int *out) {
  int t = threadIdx.x;
  Ratio r = Ratio(t + 1, 4) * Ratio(2, 3);
  constexpr int fixed = primes[2] + std::numeric_limits<short>::max();
  std::pair<int, int> p(t, 5);
  out[t] = cube(t) + std::max(t, 9) * 10 + std::min(3, t) + r.n * 100 + r.d +
           fixed + p.first * p.second + (int)std::numeric_limits<float>::digits;
}

int main() {
  check::Array<int> out(32);
  kernel<<<1, 32>>>(out);
  out.get();
  for (int t = 0; t < 32; ++t) {
    Ratio r = Ratio(t + 1, 4) * Ratio(2, 3);
    CHECK_AT(t, out.host[t],
             t * t * t + (t > 9 ? t : 9) * 10 + (t < 3 ? t : 3) + r.n * 100 +
                 r.d + 5 + 32767 + 5 * t + 24);
  }
  return check::finish("relaxed_constexpr");
}
