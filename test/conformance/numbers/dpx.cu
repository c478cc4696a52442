// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DPX functions on words and halfwords, on device and host, against arithmetic
// that says what they do. CUDA Math API: SIMD Intrinsics; CUDA C++ Programming
// Guide: DPX.

#include "Inputs/check.h"

#include <algorithm>

// clang-format off
#define THREE(X) \
  X(__vimax3_s32) X(__vimin3_s32) X(__viaddmax_s32) X(__viaddmin_s32) \
  X(__vimax3_s32_relu) X(__vimin3_s32_relu) X(__viaddmax_s32_relu) \
  X(__viaddmin_s32_relu) X(__vimax3_s16x2) X(__vimin3_s16x2) \
  X(__viaddmax_s16x2) X(__viaddmin_s16x2) X(__vimax3_s16x2_relu) \
  X(__vimin3_s16x2_relu) X(__viaddmax_s16x2_relu) X(__viaddmin_s16x2_relu) \
  X(__vimax3_u32) X(__vimin3_u32) X(__viaddmax_u32) X(__viaddmin_u32) \
  X(__vimax3_u16x2) X(__vimin3_u16x2) X(__viaddmax_u16x2) X(__viaddmin_u16x2)
#define TWO(X) \
  X(__vimax_s32_relu) X(__vimin_s32_relu) X(__vimax_s16x2_relu) \
  X(__vimin_s16x2_relu)
#define WORDS(X) \
  X(__vibmax_s32) X(__vibmin_s32) X(__vibmax_u32) X(__vibmin_u32)
#define HALVES(X) \
  X(__vibmax_s16x2) X(__vibmin_s16x2) X(__vibmax_u16x2) X(__vibmin_u16x2)
// clang-format on

static const char *const names[] = {
#define X(name) #name,
    THREE(X) TWO(X) WORDS(X) HALVES(X)
#undef X
};
constexpr int functions = sizeof names / sizeof *names;

struct Result {
  unsigned value, predicates; ///< The high half's is bit 1.
};

__host__ __device__ void evaluate(unsigned a, unsigned b, unsigned c,
                                  Result *out) {
  bool high = false, low = false;
#define X(name) *out++ = {(unsigned)name(a, b, c), 0};
  THREE(X)
#undef X
#define X(name) *out++ = {(unsigned)name(a, b), 0};
  TWO(X)
#undef X
#define X(name)                                                                \
  *out = {(unsigned)name(a, b, &low), 0};                                      \
  out++->predicates = low;
  WORDS(X)
#undef X
#define X(name)                                                                \
  *out = {name(a, b, &high, &low), 0};                                         \
  out++->predicates = 2 * high + low;
  HALVES(X)
#undef X
}

// A part of a word as a number, and what the name of a function asks for.
static long long part(unsigned word, int shift, int bits, bool isSigned) {
  long long value = word >> shift & ((1ll << bits) - 1);
  return isSigned && value >> (bits - 1) ? value - (1ll << bits) : value;
}

static Result reference(const std::string &name, unsigned a, unsigned b,
                        unsigned c) {
  auto has = [&](const char *word) {
    return name.find(word) != std::string::npos;
  };
  bool isSigned = has("_s"), isMax = has("max"), predicated = has("vib");
  int bits = has("16x2") ? 16 : 32;
  Result result = {0, 0};
  for (int shift = 0; shift < 32; shift += bits) {
    long long x = part(a, shift, bits, isSigned),
              y = part(b, shift, bits, isSigned),
              z = part(c, shift, bits, isSigned), picked;
    auto pick = [&](long long p, long long q) {
      return isMax ? std::max(p, q) : std::min(p, q);
    };
    if (has("viadd"))
      picked = pick(part((unsigned)(x + y), 0, bits, isSigned), z);
    else
      picked = has("3_") ? pick(pick(x, y), z) : pick(x, y);
    if (has("relu"))
      picked = std::max(picked, 0ll);
    result.value |= ((unsigned)picked & (unsigned)((1ll << bits) - 1)) << shift;
    if (predicated && picked == x)
      result.predicates |= shift ? 2 : 1;
  }
  return result;
}

const unsigned inputs[] = {0,          1,          0xffffffffu, 0x7fffffffu,
                           0x80000000u, 0x7fff8000u, 0x8000ffffu, 0x00017fffu,
                           0xffff0001u, 0x12348765u};
constexpr int count = sizeof inputs / sizeof *inputs;

__global__ void kernel(const unsigned *values, Result *out) {
  int a = blockIdx.x, b = blockIdx.y, c = threadIdx.x;
  evaluate(values[a], values[b], values[c],
           out + ((a * count + b) * count + c) * functions);
}

int main() {
  unsigned *values;
  Result *out, onHost[functions];
  CUDA(cudaMallocManaged(&values, sizeof inputs));
  CUDA(cudaMallocManaged(&out, count * count * count * functions * sizeof *out));
  std::copy_n(inputs, count, values);
  kernel<<<dim3(count, count), count>>>(values, out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < count * count * count; ++i) {
    unsigned a = inputs[i / count / count], b = inputs[i / count % count],
             c = inputs[i % count];
    evaluate(a, b, c, onHost);
    for (int f = 0; f < functions; ++f) {
      Result want = reference(names[f], a, b, c);
      if (!check::same(out[i * functions + f], want) ||
          !check::same(onHost[f], want))
        printf("%s(%x, %x, %x)\n", names[f], a, b, c);
      CHECK_AT(f, out[i * functions + f].value, want.value);
      CHECK_AT(f, out[i * functions + f].predicates, want.predicates);
      CHECK_AT(f, onHost[f].value, want.value);
      CHECK_AT(f, onHost[f].predicates, want.predicates);
    }
  }
  return check::finish("dpx");
}
