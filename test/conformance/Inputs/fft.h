// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs about cuFFT share: transforms by their definition in double, and how far
// results may be from them.

#ifndef CONFORMANCE_FFT_H
#define CONFORMANCE_FFT_H

#include "check.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cufftXt.h>

#define FFT(...) CHECK_EQ(__VA_ARGS__, CUFFT_SUCCESS)
#define FFT_ERROR(call, status) CHECK_EQ(call, status)

namespace fft {

using Number = std::complex<double>;
using Numbers = std::vector<Number>;
using Sizes = std::vector<int>;

/// exp(2 pi i k / n)
inline Number root(long long k, long long n) {
  const long double angle =
      2 * 3.14159265358979323846264338327950288L * (k % n) / static_cast<long double>(n);
  return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

inline long long product(const Sizes &n) {
  long long all = 1;
  for (int size : n)
    all *= size;
  return all;
}

/// Transforms, one after another, by the sums that define them, axis by axis.
inline Numbers transform(Numbers a, const Sizes &n, int direction) {
  size_t step = 1;
  for (size_t axis = n.size(); axis-- > 0; step *= n[axis]) {
    const size_t size = n[axis];
    Numbers roots, line(size);
    for (size_t k = 0; k < size; ++k)
      roots.push_back(root(static_cast<long long>(k), static_cast<long long>(size)));
    for (size_t first = 0; first < a.size(); ++first) {
      if (first / step % size)
        continue;
      for (size_t k = 0; k < size; ++k) {
        line[k] = 0;
        for (size_t j = 0; j < size; ++j) {
          const Number w = roots[j * k % size];
          line[k] += a[first + j * step] * (direction < 0 ? std::conj(w) : w);
        }
      }
      for (size_t k = 0; k < size; ++k)
        a[first + k * step] = line[k];
    }
  }
  return a;
}

/// Random numbers from -1 to 1, which float holds; real ones if asked.
inline Numbers numbers(size_t count, unsigned seed, bool real = false) {
  unsigned state = seed * 2654435761u + 1;
  const auto one = [&] {
    return static_cast<double>(static_cast<int>(check::random(state) >> 8) - (1 << 23)) /
           (1 << 23);
  };
  Numbers values(count);
  for (Number &value : values) {
    const double re = one();
    value = Number(re, real ? 0 : one());
  }
  return values;
}

/// The types of cuFFT's interface.
inline void put(float &to, Number value) { to = static_cast<float>(value.real()); }
inline void put(double &to, Number value) { to = value.real(); }
inline void put(cufftComplex &to, Number value) {
  to = {static_cast<float>(value.real()), static_cast<float>(value.imag())};
}
inline void put(cufftDoubleComplex &to, Number value) {
  to = {value.real(), value.imag()};
}
inline Number plain(double a) { return a; }
inline Number plain(cufftComplex a) { return {a.x, a.y}; }
inline Number plain(cufftDoubleComplex a) { return {a.x, a.y}; }

template <class T> struct PartOf {
  using type = T;
};
template <> struct PartOf<cufftComplex> {
  using type = float;
};
template <> struct PartOf<cufftDoubleComplex> {
  using type = double;
};
template <class T>
constexpr double epsilon =
    std::is_same<typename PartOf<T>::type, float>::value ? 0x1p-23 : 0x1p-52;
template <class T> constexpr bool isReal = std::is_floating_point<T>::value;

/// The distance of two lists, as part of the length of the second.
inline double distance(const Numbers &a, const Numbers &b) {
  double difference = 0, length = 0;
  CHECK_EQ(a.size(), b.size());
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    difference += std::norm(a[i] - b[i]);
    length += std::norm(b[i]);
  }
  return length > 0 ? std::sqrt(difference / length) : std::sqrt(difference);
}

/// Whether results of transforms of `points` have errors that roundings explain.
inline void near(int line, const Numbers &found, const Numbers &expected, double epsilon,
                 double points) {
  const double error = distance(found, expected),
               bound = epsilon * std::max(1.0, std::log2(points));
  if (!(error <= bound) && ++check::failures() <= 10)
    printf("line %d: %g points: found an error of %g, expected at most %g\n", line,
           points, error, bound);
}
#define NEAR(...) ::fft::near(__LINE__, __VA_ARGS__)

/// One name for the calls of all types.
inline cufftResult execute(cufftHandle plan, cufftComplex *in, cufftComplex *out,
                           int direction) {
  return cufftExecC2C(plan, in, out, direction);
}
inline cufftResult execute(cufftHandle plan, float *in, cufftComplex *out, int) {
  return cufftExecR2C(plan, in, out);
}
inline cufftResult execute(cufftHandle plan, cufftComplex *in, float *out, int) {
  return cufftExecC2R(plan, in, out);
}
inline cufftResult execute(cufftHandle plan, cufftDoubleComplex *in,
                           cufftDoubleComplex *out, int direction) {
  return cufftExecZ2Z(plan, in, out, direction);
}
inline cufftResult execute(cufftHandle plan, double *in, cufftDoubleComplex *out, int) {
  return cufftExecD2Z(plan, in, out);
}
inline cufftResult execute(cufftHandle plan, cufftDoubleComplex *in, double *out, int) {
  return cufftExecZ2D(plan, in, out);
}

template <class In, class Out> constexpr cufftType typeOf() {
  constexpr bool single = epsilon<In> == 0x1p-23;
  if (isReal<In>)
    return single ? CUFFT_R2C : CUFFT_D2Z;
  if (isReal<Out>)
    return single ? CUFFT_C2R : CUFFT_Z2D;
  return single ? CUFFT_C2C : CUFFT_Z2Z;
}

using check::isSlow;
/// Whether a case is left out: on such devices all but every 23rd are.
inline bool skips() {
  static int count = 0;
  return isSlow() && count++ % 23;
}

/// A plan for the length of a scope.
struct Plan {
  cufftHandle handle = 0;
  Plan() = default;
  Plan(const Plan &) = delete;
  ~Plan() {
    if (handle)
      FFT(cufftDestroy(handle));
  }
  operator cufftHandle() const { return handle; }
};

} // namespace fft

#endif // CONFORMANCE_FFT_H
