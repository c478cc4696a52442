// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of random bits, for devices and for the processor that calls.

#ifndef HET_LIBS_CURAND_UNITS_CUH
#define HET_LIBS_CURAND_UNITS_CUH

#define QUALIFIERS static __forceinline__ __host__ __device__
#include "../Kernels.h"
#include <curand_kernel.h>

#define HET_BOTH __host__ __device__ inline

namespace het::rand {

template <Kind kind> struct ValueOf {
  using type = unsigned;
};
template <> struct ValueOf<Kind::Uniform> {
  using type = float;
};
template <> struct ValueOf<Kind::Normal> : ValueOf<Kind::Uniform> {};
template <> struct ValueOf<Kind::LogNormal> : ValueOf<Kind::Uniform> {};
template <> struct ValueOf<Kind::UniformDouble> {
  using type = double;
};
template <> struct ValueOf<Kind::NormalDouble> : ValueOf<Kind::UniformDouble> {};
template <> struct ValueOf<Kind::LogNormalDouble> : ValueOf<Kind::UniformDouble> {};
template <Kind kind> using Value = typename ValueOf<kind>::type;

constexpr bool isNormal(Kind kind) {
  return kind == Kind::Normal || kind == Kind::NormalDouble;
}
constexpr bool isLogNormal(Kind kind) {
  return kind == Kind::LogNormal || kind == Kind::LogNormalDouble;
}

/// From a normal number to that of the mean and deviation wanted.
template <Kind kind> HET_BOTH Value<kind> scaled(float x, const Output &output) {
  if constexpr (kind == Kind::PoissonNormal)
    return scaled<kind>(static_cast<double>(x), output);
  const float y =
      x * static_cast<float>(output.deviation) + static_cast<float>(output.mean);
  return isLogNormal(kind) ? expf(y) : y;
}
template <Kind kind> HET_BOTH Value<kind> scaled(double x, const Output &output) {
  const double y = x * output.deviation + output.mean;
  if constexpr (kind == Kind::PoissonNormal)
    return y < -0.5 ? 0 : static_cast<unsigned>(y + 0.5);
  return static_cast<Value<kind>>(isLogNormal(kind) ? exp(y) : y);
}

/// The number of a discrete distribution for u from (0, 1].
HET_BOTH unsigned discrete(double u, const Histogram &histogram) {
  if (!histogram.aliases) { // the first sum that is not below u
    unsigned below = 0;
    for (unsigned count = histogram.length - 1; count > 0;) {
      const unsigned half = count / 2;
      const bool less = histogram.thresholds[below + half] < u;
      below += less ? half + 1 : 0;
      count = less ? count - half - 1 : half;
    }
    return histogram.shift + below;
  }
  unsigned place = static_cast<unsigned>(u * histogram.length);
  if (place >= histogram.length)
    place = histogram.length - 1;
  return histogram.shift +
         (u < histogram.thresholds[place] ? place : histogram.aliases[place]);
}

/// Runs body(number) for each number below `count`, a thread for each.
template <class Body> __global__ void runThreads(unsigned long long count, Body body) {
  const unsigned long long number =
      static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (number < count)
    body(number);
}

template <class Body>
cudaError_t run(unsigned long long count, const Place &place, const Body &body) {
  if (place.host) {
    for (unsigned long long number = 0; number < count; ++number)
      body(number);
    return cudaSuccess;
  }
  if (count == 0)
    return cudaSuccess;
  constexpr unsigned threads = 128;
  runThreads<<<static_cast<unsigned>((count + threads - 1) / threads), threads, 0,
               place.stream>>>(count, body);
  return cudaGetLastError();
}

/// Calls function(constant) with the constant for `kind`.
template <Kind kind> struct KindConstant {
  static constexpr Kind value = kind;
};
template <class Function> cudaError_t withKind(Kind kind, const Function &function) {
  switch (kind) {
  case Kind::Bits:
    return function(KindConstant<Kind::Bits>());
  case Kind::Uniform:
    return function(KindConstant<Kind::Uniform>());
  case Kind::UniformDouble:
    return function(KindConstant<Kind::UniformDouble>());
  case Kind::Normal:
    return function(KindConstant<Kind::Normal>());
  case Kind::NormalDouble:
    return function(KindConstant<Kind::NormalDouble>());
  case Kind::LogNormal:
    return function(KindConstant<Kind::LogNormal>());
  case Kind::LogNormalDouble:
    return function(KindConstant<Kind::LogNormalDouble>());
  case Kind::Poisson:
    return function(KindConstant<Kind::Poisson>());
  case Kind::PoissonNormal:
    return function(KindConstant<Kind::PoissonNormal>());
  }
  return cudaErrorInvalidValue;
}

} // namespace het::rand

#endif // HET_LIBS_CURAND_UNITS_CUH
