// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -ftz=true
//
// What -ftz and .ftz make of results next to the least normal number: they are zeros where
// they are below it once they are rounded to a float's 24 bits (a half's 11) with any
// exponent, though IEEE 754 rounds the largest of these to that number.
// PTX ISA: .ftz. What is tiny was measured on an H200.

#include "Inputs/floats.h"

#include <cmath>
#include <cstring>
#include <cuda_fp16.h>

struct Numbers {
  float a, b, c, e;
  double d;
};

struct Results {
  float product, sum, narrowed, inwards, assembled, narrowedUp, reciprocalUp;
};

__global__ void kernel(const Numbers *numbers, Results *results, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const Numbers own = numbers[i];
  Results made;
  made.product = own.a * own.b;
  made.sum = fmaf(own.a, own.b, own.c);
  made.narrowed = (float)own.d;
  asm("mul.rz.ftz.f32 %0, %1, %2;" : "=f"(made.inwards) : "f"(own.a), "f"(own.b));
  asm("fma.rn.ftz.f32 %0, %1, %2, %3;"
      : "=f"(made.assembled)
      : "f"(own.a), "f"(own.b), "f"(own.c));
  asm("cvt.rp.ftz.f32.f64 %0, %1;" : "=f"(made.narrowedUp) : "d"(own.d));
  asm("rcp.rp.ftz.f32 %0, %1;" : "=f"(made.reciprocalUp) : "f"(own.e));
  results[i] = made;
}

__global__ void halves(const unsigned short *in, unsigned short *out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  asm("mul.rn.ftz.f16 %0, %1, %2;" : "=h"(out[2 * i]) : "h"(in[2 * i]), "h"(in[2 * i + 1]));
  asm("fma.rn.ftz.f16 %0, %1, %2, %1;"
      : "=h"(out[2 * i + 1])
      : "h"(in[2 * i]), "h"(in[2 * i + 1]));
}

/// A float of a number that a double holds, flushed.
static float flushed(double exact) {
  const float wide = (float)std::ldexp(exact, 40); // its rounding knows no end
  return std::fabs(wide) < std::ldexp(1.0, 40 - 126) ? std::copysign(0.0f, (float)exact)
                                                     : (float)exact;
}

/// The same, rounded upwards; of a quotient double has enough digits.
static float upwards(double exact) {
  const double scaled = std::ldexp(exact, 40);
  float wide = (float)scaled;
  if (wide < scaled)
    wide = std::nextafter(wide, INFINITY);
  return std::fabs(wide) < std::ldexp(1.0, 40 - 126) ? std::copysign(0.0f, wide)
                                                     : (float)std::ldexp((double)wide, -40);
}

static double operand(float x) {
  return std::fabs(x) < std::ldexp(1.0, -126) ? std::copysign(0.0f, x) : x;
}

static unsigned short halfBits(double exact) {
  if (std::fabs(exact) < 0x1.ffep-15)
    return std::signbit(exact) ? 0x8000 : 0;
  const _Float16 half = (_Float16)exact;
  unsigned short bits;
  memcpy(&bits, &half, 2);
  return bits;
}

static unsigned bitsOf(float x) {
  unsigned bits;
  memcpy(&bits, &x, 4);
  return bits;
}

static double halfOf(unsigned short bits) {
  _Float16 half;
  memcpy(&half, &bits, 2);
  return bits & 0x7c00 ? (double)half : std::copysign(0.0, (double)half);
}

static unsigned next(unsigned &seed) {
  seed = seed * 1664525 + 1013904223;
  return seed >> 8;
}

static void checkFloats(unsigned &seed) {
  const int count = 20000;
  check::Array<Numbers> numbers(count);
  check::Array<Results> results(count);
  for (Numbers &own : numbers.host) {
    own.a = std::ldexp(1.0f + next(seed) * 0x1p-24f, -(int)(next(seed) % 60) - 20);
    const double near = std::ldexp(1 - (next(seed) % 4096) * 0x1p-34, -126);
    own.b = (float)(near / own.a) * (next(seed) & 1 ? 1 : -1);
    own.c = next(seed) % 3 ? 0 : std::ldexp((float)(next(seed) % 64), -149);
    if (next(seed) % 3 == 0)
      own.c = std::ldexp(1.0f + (next(seed) & 0x7fffff) * 0x1p-23f, -126);
    own.d = near * (next(seed) & 1 ? 1 : -1);
    own.e = std::ldexp(1.0f + (next(seed) % 8) * 0x1p-23f, 126);
  }
  numbers.put();
  kernel<<<(count + 127) / 128, 128>>>(numbers, results, count);
  results.get();
  for (int i = 0; i < count; ++i) {
    const Numbers &own = numbers.host[i];
    const Results &made = results.host[i];
    const double product = (double)own.a * own.b, sum = product + operand(own.c);
    CHECK_AT(i, bitsOf(made.product), bitsOf(flushed(product)));
    CHECK_AT(i, bitsOf(made.sum), bitsOf(flushed(sum)));
    CHECK_AT(i, bitsOf(made.narrowed), bitsOf(flushed(own.d)));
    CHECK_AT(i, bitsOf(made.assembled), bitsOf(flushed(sum)));
    CHECK_AT(i, std::fabs(made.inwards) < 0x1p-126f, std::fabs(product) < 0x1p-126);
    CHECK_AT(i, bitsOf(made.narrowedUp), bitsOf(upwards(own.d)));
    CHECK_AT(i, bitsOf(made.reciprocalUp), bitsOf(upwards(1.0 / own.e)));
  }
}

static void checkHalves(unsigned &seed) {
  const int count = 4096;
  check::Array<unsigned short> in(2 * count), out(2 * count);
  for (int i = 0; i < count; ++i) {
    const double a = std::ldexp(1 + (next(seed) % 1024) / 1024.0, -(int)(next(seed) % 7) - 1);
    in.host[2 * i] = halfBits(a);
    in.host[2 * i + 1] = halfBits(std::ldexp(1 - (next(seed) % 64) * 0x1p-15, -14) / a);
    if (i % 5 == 0)
      in.host[2 * i] = next(seed) & 0x83ff; // subnormal
  }
  in.put();
  halves<<<count / 128, 128>>>(in, out, count);
  out.get();
  for (int i = 0; i < count; ++i) {
    const double a = halfOf(in.host[2 * i]), b = halfOf(in.host[2 * i + 1]);
    CHECK_AT(i, out.host[2 * i], halfBits(a * b));
    CHECK_AT(i, out.host[2 * i + 1], halfBits(a * b + a));
  }
}

int main() {
  unsigned seed = 7;
  checkFloats(seed);
  checkHalves(seed);
  return check::finish("flush_near_least");
}
