// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions on the bytes of words: those that stay within a word against those of
// vectors, for every pair of bytes in each place, among others.

#include <cstdint>
#include <gtest/gtest.h>
#include <random>

extern "C" {
#define HET_BYTES_1(name)                                                                \
  uint32_t __het_##name##_i32(uint32_t), __het_##name##_word_i32(uint32_t);
#define HET_BYTES_2(name)                                                                \
  uint32_t __het_##name##_i32(uint32_t, uint32_t),                                       \
      __het_##name##_word_i32(uint32_t, uint32_t);
#include "../../../runtime/include/__het/byte_functions.def"
}

namespace {

template <class Check> void forAllPairs(Check check) {
  std::mt19937 random(5);
  for (uint32_t a = 0; a < 256; ++a)
    for (uint32_t b = 0; b < 256; ++b)
      for (unsigned place = 0; place < 32; place += 8) {
        const uint32_t others = ~(0xffu << place);
        check((random() & others) | a << place, (random() & others) | b << place);
      }
}

TEST(Bytes, WordsAndVectorsAgree) {
#define HET_BYTES_1(name)                                                                \
  forAllPairs([](uint32_t x, uint32_t) {                                                 \
    ASSERT_EQ(__het_##name##_word_i32(x), __het_##name##_i32(x))                         \
        << #name << " of " << x;                                                         \
  });
#define HET_BYTES_2(name)                                                                \
  forAllPairs([](uint32_t x, uint32_t y) {                                               \
    ASSERT_EQ(__het_##name##_word_i32(x, y), __het_##name##_i32(x, y))                   \
        << #name << " of " << x << ", " << y;                                            \
  });
#include "../../../runtime/include/__het/byte_functions.def"
}

} // namespace
