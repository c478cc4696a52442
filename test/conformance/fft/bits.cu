// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -O2 -lcufft
//
// The bits of results, which are the same on every device: sums over those that the host
// computed.

#include "Inputs/fft.h"
#include <cstdint>

using namespace fft;

template <class T> static uint64_t sumOf(const std::vector<T> &values) {
  uint64_t sum = 0xcbf29ce484222325;
  const unsigned char *bytes = reinterpret_cast<const unsigned char *>(values.data());
  for (size_t i = 0; i < values.size() * sizeof(T); ++i)
    sum = (sum ^ bytes[i]) * 0x100000001b3;
  return sum;
}

template <class In, class Out> static void verify(Sizes n, int batch, uint64_t expected) {
  if (isSlow() && product(n) > 1500)
    return;
  const Numbers values = numbers(product(n) * batch, 5);
  std::vector<In> stored(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    put(stored[i], values[i]); // of which a transform to real numbers reads half
  check::Array<In> in(stored);
  check::Array<Out> out(values.size());
  Plan plan;
  FFT(cufftPlanMany(&plan.handle, static_cast<int>(n.size()), n.data(), nullptr, 1, 0,
                    nullptr, 1, 0, typeOf<In, Out>(), batch));
  FFT(execute(plan, in, out, CUFFT_FORWARD));
  CHECK_AT(product(n), sumOf(out.get()), expected);
}

int main() {
  setenv("HET_LIBRARIES", "portable", 1); // other back ends have bits of their own
  verify<cufftComplex, cufftComplex>({64}, 20, 0x179ec28f93078943);
  verify<cufftDoubleComplex, cufftDoubleComplex>({64}, 10, 0x89ad9f8a3440a8bc);
  verify<cufftComplex, cufftComplex>({1001}, 1, 0xc865eac5376cb0d3); // 7, 11 and 13
  verify<cufftDoubleComplex, cufftDoubleComplex>({225}, 3, 0xeb3abd7d5147d019); // 3 and 5
  verify<cufftComplex, cufftComplex>({101}, 2,
                                     0xa9684ab03daed0b4); // Bluestein's algorithm
  verify<cufftComplex, cufftComplex>({9, 8, 20}, 1, 0x9c746a8b03c26233);
  verify<cufftComplex, cufftComplex>({8192}, 1, 0x6d0f17d24c12eee0); // two passes
  verify<cufftDoubleComplex, cufftDoubleComplex>({100000}, 1, 0xf223965677044cf2);
  verify<cufftComplex, cufftComplex>({20011}, 1, 0xfe201f797ee7d7d7);
  verify<float, cufftComplex>({320}, 3, 0x5aebf4d48b0f49af);
  verify<cufftDoubleComplex, double>({6, 40}, 1, 0xeb13038517fc8e74);
  verify<cufftComplex, float>({10000}, 1, 0x66f13d2aa3755fc5);
  return check::finish("bits");
}
