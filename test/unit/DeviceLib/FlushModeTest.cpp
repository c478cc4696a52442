// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the host runs with MXCSR's FTZ and DAZ (FlushModeFunctions.def) give
// what they give without, once their operands and results are flushed. HET_MATH_STRIDE=1
// tries every float; the test tries one of some 4,000, and those next to where
// results get small.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>
#include <xmmintrin.h>

#define HET_FLUSHING_FUNCTION(name) extern "C" float __het_##name##_f32(float);
#include "../../../lib/Target/Host/Lowering/FlushModeFunctions.def"
extern "C" float __het_tan_approx_f32(float);
extern "C" float __het_pow_approx_f32(float, float);

namespace {

struct Function {
  const char *name;
  float (*call)(float);
};

const Function functions[] = {
#define HET_FLUSHING_FUNCTION(name) {#name, __het_##name##_f32},
#include "../../../lib/Target/Host/Lowering/FlushModeFunctions.def"
    {"tan, approximate", __het_tan_approx_f32}};

float floatOf(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

/// A result's bits, flushed; of every NaN the same.
uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof(bits));
  if ((bits & 0x7FFFFFFF) > 0x7F800000)
    return 0x7FFFFFFF;
  return bits & 0x7F800000 ? bits : bits & 0x80000000;
}

uint32_t flushed(uint32_t bits) { return bits & 0x7F800000 ? bits : bits & 0x80000000; }

/// Results for operands, computed under a control word.
template <typename Call>
std::vector<uint32_t> compute(unsigned control, const std::vector<uint32_t> &operands,
                              Call call) {
  std::vector<uint32_t> results;
  results.reserve(operands.size());
  const unsigned given = _mm_getcsr();
  _mm_setcsr(control);
  for (uint32_t operand : operands)
    results.push_back(bitsOf(call(floatOf(flushed(operand)))));
  _mm_setcsr(given);
  return results;
}

constexpr unsigned keeping = 0x1F80, flushing = 0x9FC0; // FTZ, DAZ

template <typename Call>
void expectSame(const char *name, const std::vector<uint32_t> &operands, Call call) {
  const std::vector<uint32_t> expected = compute(keeping, operands, call);
  const std::vector<uint32_t> found = compute(flushing, operands, call);
  for (size_t i = 0; i < operands.size(); ++i)
    ASSERT_EQ(found[i], expected[i]) << name << " of bits " << std::hex << operands[i];
}

TEST(FlushMode, FunctionsAreIndifferent) {
  const char *text = std::getenv("HET_MATH_STRIDE");
  const uint64_t stride = text ? std::strtoull(text, nullptr, 10) : 4093;
  ASSERT_GT(stride, 0U);
  constexpr uint64_t end = uint64_t(1) << 32, piece = uint64_t(1) << 16;
  for (const Function &function : functions)
    for (uint64_t begin = 0; begin < end; begin += piece * stride) {
      std::vector<uint32_t> operands;
      for (uint64_t bits = begin; bits < std::min(end, begin + piece * stride);
           bits += stride)
        operands.push_back(static_cast<uint32_t>(bits));
      expectSame(function.name, operands, function.call);
    }
}

/// Next to 2^n and its negative for all n, and where exponentials get small.
TEST(FlushMode, AtBorders) {
  std::vector<uint32_t> operands;
  for (uint32_t border = 0; border <= 0x7F800000; border += 0x00800000)
    for (int i = -40; i <= 40; ++i)
      for (uint32_t sign : {0U, 0x80000000U})
        operands.push_back(sign | ((border + i) & 0x7FFFFFFF));
  for (uint32_t border : {0xC2AEAC50U, 0xC2FC0000U, 0xC217B818U}) // exp, exp2, exp10
    for (int i = -2000; i <= 2000; ++i)
      operands.push_back(border + i);
  for (const Function &function : functions)
    expectSame(function.name, operands, function.call);
}

TEST(FlushMode, ApproximatePowers) {
  std::vector<uint32_t> operands;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 524287)
    operands.push_back(static_cast<uint32_t>(bits));
  for (float y : {0x1p-126f, -0x1.8p-120f, 0.1f, 1.0f, -3.0f, 40.0f})
    expectSame("pow", operands, [y](float x) { return __het_pow_approx_f32(x, y); });
}

} // namespace
