// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions on the host's processor. Numbers narrower than 32 bits are added in `float`
// and rounded once; integers wrap around.

#include "Reduction.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <type_traits>

namespace het::nccl {
namespace {

//===----------------------------------------------------------------------===//
// Types of elements: how one is stored, and in what it is computed
//===----------------------------------------------------------------------===//

template <class T> struct Plain {
  using Stored = T;
  using Computed = T;
  static T load(T value) { return value; }
  static T store(T value) { return value; }
};

float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

struct Bfloat {
  using Stored = uint16_t;
  using Computed = float;
  static float load(uint16_t bits) { return floatOf(uint32_t(bits) << 16); }
  static uint16_t store(float value) {
    const uint32_t bits = bitsOf(value);
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return static_cast<uint16_t>(value != value ? 0x7fff : rounded);
  }
};

/// In integers and branchless, so that a loop becomes vectors whatever the processor.
struct Half {
  using Stored = uint16_t;
  using Computed = float;
  static float load(uint16_t bits) {
    const uint32_t sign = uint32_t(bits & 0x8000) << 16, rest = bits & 0x7fff;
    // The exponent is of another bias; those of infinities stay the greatest.
    const float scaled = floatOf(rest << 13) * floatOf(0x77800000); // 2^112
    return floatOf(sign | (rest >= 0x7c00 ? 0x7f800000 | rest << 13 : bitsOf(scaled)));
  }
  static uint16_t store(float value) {
    const uint32_t bits = bitsOf(value), sign = bits & 0x80000000;
    const uint32_t rest = bits ^ sign;
    // Adding a number whose last place is that of a subnormal result rounds to it.
    const uint32_t small = bitsOf(floatOf(rest) + 0.5f) - bitsOf(0.5f);
    const uint32_t normal = (rest + 0xc8000fff + (rest >> 13 & 1)) >> 13;
    const uint32_t large = rest > 0x7f800000 ? 0x7fff : 0x7c00;
    const uint32_t result = rest < 0x38800000   ? small
                            : rest < 0x47800000 ? normal
                                                : large;
    return static_cast<uint16_t>(sign >> 16 | result);
  }
};

template <__nv_fp8_interpretation_t kind> struct Fp8 {
  using Stored = uint8_t;
  using Computed = float;
  static float load(uint8_t bits) {
    static const std::array<float, 256> values = [] {
      std::array<float, 256> made;
      for (unsigned i = 0; i < 256; ++i) {
        const __half_raw half =
            __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(i), kind);
        made[i] = Half::load(half.x);
      }
      return made;
    }();
    return values[bits];
  }
  static uint8_t store(float value) {
    return __nv_cvt_float_to_fp8(value, __NV_SATFINITE, kind);
  }
};

//===----------------------------------------------------------------------===//
// Operations of two elements
//===----------------------------------------------------------------------===//

/// Integers in which sums and products may wrap around.
template <class T, bool isInteger = std::is_integral<T>::value> struct Wrapping {
  using Type = T;
};
template <class T> struct Wrapping<T, true> {
  using Type =
      std::conditional_t<sizeof(T) < sizeof(unsigned), unsigned, std::make_unsigned_t<T>>;
};

struct Sum {
  template <class T> static T apply(T a, T b) {
    using W = typename Wrapping<T>::Type;
    return static_cast<T>(static_cast<W>(a) + static_cast<W>(b));
  }
};
struct Product {
  template <class T> static T apply(T a, T b) {
    using W = typename Wrapping<T>::Type;
    return static_cast<T>(static_cast<W>(a) * static_cast<W>(b));
  }
};
/// Numbers win over NaNs, as those of fmax and fmin do.
struct Maximum {
  template <class T> static T apply(T a, T b) { return a > b || b != b ? a : b; }
};
struct Minimum {
  template <class T> static T apply(T a, T b) { return a < b || b != b ? a : b; }
};

//===----------------------------------------------------------------------===//
// Loops: pieces of all inputs that fit the first cache
//===----------------------------------------------------------------------===//

constexpr size_t piece = 1024;

template <class Type, class Operation>
void reduceArrays(const std::vector<const void *> &inputs,
                  const std::vector<typename Type::Computed> &factors, bool isAverage,
                  size_t count, void *out) {
  using Stored = typename Type::Stored;
  using Computed = typename Type::Computed;
  Computed sums[piece];
  for (size_t first = 0; first < count; first += piece) {
    const size_t length = std::min(piece, count - first);
    for (size_t k = 0; k < inputs.size(); ++k) {
      const Stored *from = static_cast<const Stored *>(inputs[k]) + first;
      const Computed factor = factors.empty() ? Computed(1) : factors[k];
      if (k == 0 && factors.empty())
        for (size_t i = 0; i < length; ++i)
          sums[i] = Type::load(from[i]);
      else if (k == 0)
        for (size_t i = 0; i < length; ++i)
          sums[i] = Product::apply(Type::load(from[i]), factor);
      else if (factors.empty())
        for (size_t i = 0; i < length; ++i)
          sums[i] = Operation::apply(sums[i], Type::load(from[i]));
      else
        for (size_t i = 0; i < length; ++i)
          sums[i] =
              Operation::apply(sums[i], Product::apply(Type::load(from[i]), factor));
    }
    Stored *to = static_cast<Stored *>(out) + first;
    if constexpr (std::is_integral<Computed>::value) {
      // The number of ranks need not be one of the type's.
      using Wide = std::conditional_t<std::is_signed<Computed>::value, int64_t, uint64_t>;
      const Wide ranks = static_cast<Wide>(isAverage ? inputs.size() : 1);
      for (size_t i = 0; isAverage && i < length; ++i)
        sums[i] = static_cast<Computed>(static_cast<Wide>(sums[i]) / ranks);
    }
    for (size_t i = 0; i < length; ++i)
      to[i] = Type::store(sums[i]);
  }
}

template <class Type>
void reduceType(const Reduction &reduction, const std::vector<const void *> &inputs,
                const std::vector<Scalar> &scalars, size_t count, void *out) {
  using Computed = typename Type::Computed;
  constexpr bool isInteger = std::is_integral<Computed>::value;
  std::vector<Computed> factors;
  for (const Scalar &scalar : scalars) {
    typename Type::Stored bits;
    std::memcpy(&bits, scalar.bytes, sizeof(bits));
    factors.push_back(Type::load(bits));
  }
  // Averages of floating point numbers do not overflow where the sums would.
  if (reduction.op == ncclAvg && !isInteger)
    factors.assign(inputs.size(), Computed(1) / static_cast<Computed>(inputs.size()));
  switch (reduction.op) {
  case ncclProd:
    return reduceArrays<Type, Product>(inputs, factors, false, count, out);
  case ncclMax:
    return reduceArrays<Type, Maximum>(inputs, factors, false, count, out);
  case ncclMin:
    return reduceArrays<Type, Minimum>(inputs, factors, false, count, out);
  default:
    return reduceArrays<Type, Sum>(inputs, factors, reduction.op == ncclAvg && isInteger,
                                   count, out);
  }
}

} // namespace

void reduce(const Reduction &reduction, const std::vector<const void *> &inputs,
            const std::vector<Scalar> &factors, size_t count, void *out) {
  const auto by = [&](auto type) {
    reduceType<decltype(type)>(reduction, inputs, factors, count, out);
  };
  switch (reduction.type) {
  case ncclInt8:
    return by(Plain<int8_t>());
  case ncclUint8:
    return by(Plain<uint8_t>());
  case ncclInt32:
    return by(Plain<int32_t>());
  case ncclUint32:
    return by(Plain<uint32_t>());
  case ncclInt64:
    return by(Plain<int64_t>());
  case ncclUint64:
    return by(Plain<uint64_t>());
  case ncclFloat16:
    return by(Half());
  case ncclFloat32:
    return by(Plain<float>());
  case ncclFloat64:
    return by(Plain<double>());
  case ncclBfloat16:
    return by(Bfloat());
  case ncclFloat8e4m3:
    return by(Fp8<__NV_E4M3>());
  case ncclFloat8e5m2:
    return by(Fp8<__NV_E5M2>());
  default:
    return;
  }
}

} // namespace het::nccl
