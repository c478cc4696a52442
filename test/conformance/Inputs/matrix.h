// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices of a warp under test: what elements are, where the PTX ISA puts them, and the
// product in plain loops.

#ifndef CONFORMANCE_MATRIX_H
#define CONFORMANCE_MATRIX_H

#include "check.h"
#include <cmath>
#include <cstdint>

namespace matrix {

typedef unsigned u32;
typedef unsigned long long u64;

enum Type { F16, BF16, TF32, F32, F64, S8, U8, S4, U4, B1, E4M3, E5M2, S32 };

inline int bitsOf(Type type) {
  switch (type) {
  case F16:
  case BF16:
    return 16;
  case TF32:
  case F32:
  case S32:
    return 32;
  case F64:
    return 64;
  case S4:
  case U4:
    return 4;
  case B1:
    return 1;
  default:
    return 8;
  }
}

inline bool isFloat(Type type) { return type <= F64 || type == E4M3 || type == E5M2; }

// A number with so many bits of exponent and fraction.
inline double decode(u64 bits, int exponentBits, int fractionBits, bool hasInfinity) {
  int exponent = (int)(bits >> fractionBits & ((1u << exponentBits) - 1));
  u64 fraction = bits & ((1ull << fractionBits) - 1);
  int bias = (1 << (exponentBits - 1)) - 1, top = (1 << exponentBits) - 1;
  double x;
  if (exponent == top && (hasInfinity || fraction == (1ull << fractionBits) - 1))
    x = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    x = std::ldexp((double)fraction, 1 - bias - fractionBits);
  else
    x = std::ldexp((double)(fraction | 1ull << fractionBits),
                   exponent - bias - fractionBits);
  return bits >> (exponentBits + fractionBits) & 1 ? -x : x;
}

inline double floatOf(Type type, u64 bits) {
  switch (type) {
  case F16:
    return decode(bits, 5, 10, true);
  case BF16:
    return decode(bits, 8, 7, true);
  case TF32:
    return decode((bits & 0xffffffff) >> 13, 8, 10, true);
  case F32:
    return decode(bits, 8, 23, true);
  case E4M3:
    return decode(bits, 4, 3, false);
  case E5M2:
    return decode(bits, 5, 2, true);
  default: {
    double x;
    memcpy(&x, &bits, 8);
    return x;
  }
  }
}

inline long long integerOf(Type type, u64 bits) {
  int width = bitsOf(type);
  if (type == S8 || type == S4 || type == S32)
    return (long long)(bits << (64 - width)) >> (64 - width);
  return (long long)bits;
}

// The nearest number of a type with infinities, ties to even.
inline u64 encode(double x, int exponentBits, int fractionBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  u64 sign = std::signbit(x) ? 1ull << (exponentBits + fractionBits) : 0;
  u64 infinity = ((1ull << exponentBits) - 1) << fractionBits;
  if (x != x)
    return sign | infinity | 1;
  double a = std::fabs(x);
  if (a == 0)
    return sign;
  int e = std::isinf(a) ? bias + 1 : std::ilogb(a);
  if (e > bias)
    return sign | infinity;
  if (e < 1 - bias)
    e = 1 - bias;
  double units = std::nearbyint(std::ldexp(a, fractionBits - e));
  u64 whole = (u64)units; // with the hidden bit
  u64 result = ((u64)(e + bias) << fractionBits) + whole - (1ull << fractionBits);
  return sign | (result > infinity ? infinity : result);
}

inline u64 ofFloat(Type type, double x) {
  switch (type) {
  case F16:
    return encode(x, 5, 10);
  case BF16:
    return encode(x, 8, 7);
  case TF32:
    return encode(x, 8, 10) << 13;
  case F32:
    return encode(x, 8, 23);
  case E4M3: // small ones only
    return encode(x, 4, 3);
  case E5M2:
    return encode(x, 5, 2);
  default: {
    u64 bits;
    memcpy(&bits, &x, 8);
    return bits;
  }
  }
}

// Bits of elements, row by row.
struct Matrix {
  Type type;
  int rows, columns;
  std::vector<u64> bits;
  Matrix(Type type, int rows, int columns)
      : type(type), rows(rows), columns(columns), bits(rows * columns) {}
  u64 &at(int row, int column) { return bits[row * columns + column]; }
  u64 at(int row, int column) const { return bits[row * columns + column]; }
};

enum Fill { Small, Random, Extreme };

// Small: integers whose sums are exact in any order.
inline void fill(Matrix &matrix, Fill how, unsigned &state) {
  const int width = bitsOf(matrix.type);
  const u64 all = width == 64 ? ~0ull : (1ull << width) - 1;
  for (u64 &element : matrix.bits) {
    u64 random = (u64)check::random(state) << 32;
    random |= check::random(state);
    element = random & all;
    if (!isFloat(matrix.type)) {
      if (how == Extreme)
        element = random & 1 ? all >> 1 : random & 2 ? all : (all >> 1) + 1;
    } else if (how == Small) {
      element = ofFloat(matrix.type, (int)(random % 9) - 4);
    } else if (how == Random) {
      // Of about one size: all digits count.
      double x = (double)(random >> 11) / (double)(1ull << 53) * 4 - 2;
      element = ofFloat(matrix.type, x);
    } else if (random % 4 == 0) {
      element = ofFloat(matrix.type, 0); // that not all sums are NaN
    }
  }
}

inline u64 canonical(Type type, u64 bits) {
  if (!isFloat(type) || floatOf(type, bits) == floatOf(type, bits))
    return bits;
  return type == F16 ? 0x7fff : type == F64 ? 0x7ff8000000000000ull : 0x7fffffff;
}

// A B + C by docs/spec/hetir-ops.md; `isAnd` of bits.
inline Matrix product(const Matrix &a, const Matrix &b, const Matrix &c, Type type,
                      bool saturates, bool isAnd) {
  Matrix d(type, c.rows, c.columns);
  for (int i = 0; i < c.rows; ++i)
    for (int j = 0; j < c.columns; ++j) {
      u64 result;
      if (type == F64) {
        double sum = floatOf(F64, c.at(i, j));
        for (int k = 0; k < a.columns; ++k)
          sum = std::fma(floatOf(F64, a.at(i, k)), floatOf(F64, b.at(k, j)), sum);
        result = ofFloat(F64, sum);
      } else if (isFloat(type)) {
        float sum = (float)floatOf(c.type, c.at(i, j));
        for (int k = 0; k < a.columns; ++k)
          sum = std::fma((float)floatOf(a.type, a.at(i, k)),
                         (float)floatOf(b.type, b.at(k, j)), sum);
        result = ofFloat(type, sum);
      } else {
        long long sum = integerOf(S32, c.at(i, j));
        for (int k = 0; k < a.columns; ++k) {
          long long x = integerOf(a.type, a.at(i, k)), y = integerOf(b.type, b.at(k, j));
          sum += a.type != B1 ? x * y : isAnd ? x & y : x ^ y;
        }
        if (saturates)
          sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        result = (u32)sum;
      }
      d.at(i, j) = canonical(type, result);
    }
  return d;
}

// The registers of a warp: W is a word of 32 or 64 bits.
template <class W> struct Registers {
  int count;
  std::vector<W> words; // register r of lane l: r * 32 + l
  explicit Registers(int count) : count(count), words(count * 32) {}
};

// "Matrix fragments for mma": where the element is that register r of lane l has at i.
struct Place {
  int row, column;
};
inline Place placeInA(int m, int per, int r, int l, int i) {
  return {l / 4 + 8 * (r % (m / 8)), 4 * per * (r / (m / 8)) + per * (l % 4) + i};
}
inline Place placeInB(int per, int r, int l, int i) {
  return {4 * per * r + per * (l % 4) + i, l / 4};
}
inline Place placeInC(int per, int r, int l, int i) {
  int e = per * r + i;
  return {l / 4 + 8 * (e / 2), 2 * (l % 4) + e % 2};
}

template <class W> int perRegister(Type type) {
  return (int)sizeof(W) * 8 / bitsOf(type);
}

template <class W, class F> Registers<W> distribute(const Matrix &matrix, F place) {
  const int per = perRegister<W>(matrix.type), width = bitsOf(matrix.type);
  Registers<W> all(matrix.rows * matrix.columns / 32 / per);
  for (int r = 0; r < all.count; ++r)
    for (int l = 0; l < 32; ++l)
      for (int i = 0; i < per; ++i) {
        Place at = place(per, r, l, i);
        all.words[r * 32 + l] |= (W)matrix.at(at.row, at.column) << (i * width);
      }
  return all;
}

// Whether floating-point sums are NVIDIA's own.
inline bool isNvidia() {
  cudaDeviceProp properties;
  CUDA(cudaGetDeviceProperties(&properties, 0));
  return strstr(properties.name, "NVIDIA") != nullptr;
}

inline bool isNear(Type type, u64 found, u64 expected, double size) {
  double x = floatOf(type, found), y = floatOf(type, expected);
  return (x != x && y != y) || x == y ||
         std::fabs(x - y) <= size * (type == F64   ? 1e-14
                                     : type == F16 ? 4e-3
                                                   : 1e-3);
}

// Runs one instruction: `kernel` takes a, b, c, d, with register r of lane l at r * 32 +
// l.
template <class W>
void test(void (*kernel)(const W *, const W *, const W *, W *), int m, int k, Type typeA,
          Type typeB, Type typeC, Type typeD, bool saturates = false,
          bool isAnd = false) {
  unsigned state = 12345 + m * 7 + k;
  const bool isExactAnywhere = !isFloat(typeA);
  const bool nvidia = isNvidia();
  for (int round = 0; round < 6; ++round) {
    const Fill how = round < 2 ? Small : round < 4 ? Random : Extreme;
    if (how == Extreme && nvidia && !isExactAnywhere)
      continue;
    Matrix a(typeA, m, k), b(typeB, k, 8), c(typeC, m, 8);
    fill(a, how, state), fill(b, how, state), fill(c, how, state);
    Matrix expected = product(a, b, c, typeD, saturates, isAnd);
    check::Array<W> da(distribute<W>(a, [&](int per, int r, int l,
                                            int i) { return placeInA(m, per, r, l, i); })
                           .words),
        db(distribute<W>(b, placeInB).words), dc(distribute<W>(c, placeInC).words),
        dd(distribute<W>(expected, placeInC).words.size());
    kernel<<<1, 32>>>(da, db, dc, dd);
    dd.get();
    const int per = perRegister<W>(typeD), width = bitsOf(typeD);
    for (int r = 0; r < (int)dd.size() / 32; ++r)
      for (int l = 0; l < 32; ++l)
        for (int i = 0; i < per; ++i) {
          Place at = placeInC(per, r, l, i);
          u64 mask = width == 64 ? ~0ull : (1ull << width) - 1;
          u64 found = (u64)dd.host[r * 32 + l] >> (i * width) & mask;
          if (nvidia && !isExactAnywhere && how == Random)
            CHECK_TRUE(isNear(typeD, found, expected.at(at.row, at.column), 4.0 * k));
          else
            CHECK_AT(round * 1000 + at.row * 8 + at.column, found,
                     expected.at(at.row, at.column));
        }
  }
}

} // namespace matrix

// Kernels of one instruction, by how many registers A, B, C and D take; L is the
// constraint of one.
#define MMA_KERNEL(name, W, outputs, inputs, registers, text)                            \
  __global__ void name(const W *pa, const W *pb, const W *pc, W *pd) {                   \
    const int l = threadIdx.x;                                                           \
    W a[8] = {}, b[4] = {}, c[4] = {}, d[4] = {};                                        \
    for (int i = 0; i < outputs##_A; ++i)                                                \
      a[i] = pa[i * 32 + l];                                                             \
    for (int i = 0; i < outputs##_B; ++i)                                                \
      b[i] = pb[i * 32 + l];                                                             \
    for (int i = 0; i < outputs##_C; ++i)                                                \
      c[i] = pc[i * 32 + l];                                                             \
    asm volatile(text registers : outputs##_OUT(inputs) : outputs##_IN(inputs));         \
    for (int i = 0; i < outputs##_D; ++i)                                                \
      pd[i * 32 + l] = d[i];                                                             \
  }

#define R1122_A 1
#define R1122_B 1
#define R1122_C 2
#define R1122_D 2
#define R1122_OUT(L) "=" L(d[0]), "=" L(d[1])
#define R1122_IN(L) L(a[0]), L(b[0]), L(c[0]), L(c[1])
#define R1122_TEXT " {%0, %1}, {%2}, {%3}, {%4, %5};"

#define R2144_A 2
#define R2144_B 1
#define R2144_C 4
#define R2144_D 4
#define R2144_OUT(L) "=" L(d[0]), "=" L(d[1]), "=" L(d[2]), "=" L(d[3])
#define R2144_IN(L) L(a[0]), L(a[1]), L(b[0]), L(c[0]), L(c[1]), L(c[2]), L(c[3])
#define R2144_TEXT " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"

#define R4244_A 4
#define R4244_B 2
#define R4244_C 4
#define R4244_D 4
#define R4244_OUT(L) "=" L(d[0]), "=" L(d[1]), "=" L(d[2]), "=" L(d[3])
#define R4244_IN(L)                                                                      \
  L(a[0]), L(a[1]), L(a[2]), L(a[3]), L(b[0]), L(b[1]), L(c[0]), L(c[1]), L(c[2]), L(c[3])
#define R4244_TEXT " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"

#define R8444_A 8
#define R8444_B 4
#define R8444_C 4
#define R8444_D 4
#define R8444_OUT(L) "=" L(d[0]), "=" L(d[1]), "=" L(d[2]), "=" L(d[3])
#define R8444_IN(L)                                                                      \
  L(a[0]), L(a[1]), L(a[2]), L(a[3]), L(a[4]), L(a[5]), L(a[6]), L(a[7]), L(b[0]),       \
      L(b[1]), L(b[2]), L(b[3]), L(c[0]), L(c[1]), L(c[2]), L(c[3])
#define R8444_TEXT                                                                       \
  " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15},"         \
  " {%16, %17, %18, %19};"

// C and D of halves.
#define R2122_A 2
#define R2122_B 1
#define R2122_C 2
#define R2122_D 2
#define R2122_OUT(L) "=" L(d[0]), "=" L(d[1])
#define R2122_IN(L) L(a[0]), L(a[1]), L(b[0]), L(c[0]), L(c[1])
#define R2122_TEXT " {%0, %1}, {%2, %3}, {%4}, {%5, %6};"

#define R4222_A 4
#define R4222_B 2
#define R4222_C 2
#define R4222_D 2
#define R4222_OUT(L) "=" L(d[0]), "=" L(d[1])
#define R4222_IN(L) L(a[0]), L(a[1]), L(a[2]), L(a[3]), L(b[0]), L(b[1]), L(c[0]), L(c[1])
#define R4222_TEXT " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"

#define MMA_WORDS(name, shape, text)                                                     \
  MMA_KERNEL(name, unsigned, shape, "r", shape##_TEXT, "mma.sync.aligned." text)
#define MMA_DOUBLES(name, shape, text)                                                   \
  MMA_KERNEL(name, unsigned long long, shape, "l", shape##_TEXT, "mma.sync.aligned." text)

#endif // CONFORMANCE_MATRIX_H
