// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Video instructions on half-words and bytes, with selected lanes, masks, saturation and
// sums, against the ISA's own description of them.
// PTX ISA: SIMD Video Instructions.

#include "Inputs/check.h"

#include <cstdint>

typedef unsigned u32;

/// What an instruction says: lanes of both sources from the lowest (as digits of a
/// hexadecimal number), lanes that are made, types, and what follows.
struct Form {
  int count;
  bool signedA, signedB, signedD;
  u32 selectA, selectB, mask;
  bool saturates, adds;
};

static int laneAt(u32 a, u32 b, int count, int index, bool isSigned) {
  const int width = 32 / count;
  const u32 bits = (index < count ? a : b) >> index % count * width & (count == 2 ? 0xffff : 0xff);
  if (!isSigned)
    return bits;
  return count == 2 ? int(int16_t(bits)) : int(int8_t(bits));
}

static u32 made(const Form &form, u32 a, u32 b, u32 c, int (*operation)(int, int)) {
  const int width = 32 / form.count;
  const int top = 1 << width;
  u32 sum = c, merged = 0;
  for (int i = 0; i < form.count; ++i) {
    const u32 field = u32(top - 1) << i * width;
    if (!(form.mask >> i & 1)) {
      merged |= c & field;
      continue;
    }
    const int x = laneAt(a, b, form.count, form.selectA >> i * 4 & 15, form.signedA);
    const int y = laneAt(a, b, form.count, form.selectB >> i * 4 & 15, form.signedB);
    int lane = operation(x, y);
    const int least = form.signedD ? -top / 2 : 0, most = form.signedD ? top / 2 - 1 : top - 1;
    if (form.saturates)
      lane = lane < least ? least : lane > most ? most : lane;
    sum += lane;
    merged |= u32(lane) << i * width & field;
  }
  return form.adds ? sum : merged;
}

static int add(int x, int y) { return x + y; }
static int sub(int x, int y) { return x - y; }
static int difference(int x, int y) { return x < y ? y - x : x - y; }
static int least(int x, int y) { return x < y ? x : y; }
static int most(int x, int y) { return x > y ? x : y; }
static int average(int x, int y) {
  const int sum = x + y;
  return sum >= 0 ? (sum + 1) / 2 : -((1 - sum) / 2);
}
static int equal(int x, int y) { return x == y; }
static int unequal(int x, int y) { return x != y; }
static int less(int x, int y) { return x < y; }
static int atMost(int x, int y) { return x <= y; }
static int more(int x, int y) { return x > y; }
static int atLeast(int x, int y) { return x >= y; }

#define ALL "%0, %1, %2, %3;"
#define U false
#define S true
// text, form, operation
#define FORMS(X)                                                                         \
  X("vadd2.u32.u32.u32 " ALL, {2, U, U, U, 0x10, 0x32, 3}, add)                          \
  X("vadd2.s32.s32.s32.sat " ALL, {2, S, S, S, 0x10, 0x32, 3, true}, add)                \
  X("vadd2.u32.s32.u32.sat " ALL, {2, S, U, U, 0x10, 0x32, 3, true}, add)                \
  X("vadd2.s32.u32.s32.add " ALL, {2, U, S, S, 0x10, 0x32, 3, false, true}, add)         \
  X("vadd2.u32.u32.u32 %0.h1, %1.h01, %2.h31, %3;", {2, U, U, U, 0x01, 0x31, 2}, add)    \
  X("vsub2.s32.s32.s32 " ALL, {2, S, S, S, 0x10, 0x32, 3}, sub)                          \
  X("vsub2.u32.u32.u32.sat " ALL, {2, U, U, U, 0x10, 0x32, 3, true}, sub)                \
  X("vsub2.s32.s32.s32.add %0.h0, %1, %2.h23, %3;",                                      \
    {2, S, S, S, 0x10, 0x23, 1, false, true}, sub)                                       \
  X("vavrg2.u32.u32.u32 " ALL, {2, U, U, U, 0x10, 0x32, 3}, average)                     \
  X("vavrg2.s32.s32.s32 " ALL, {2, S, S, S, 0x10, 0x32, 3}, average)                     \
  X("vabsdiff2.u32.s32.s32 " ALL, {2, S, S, U, 0x10, 0x32, 3}, difference)               \
  X("vabsdiff2.s32.s32.s32.sat " ALL, {2, S, S, S, 0x10, 0x32, 3, true}, difference)     \
  X("vabsdiff2.u32.u32.u32.add " ALL, {2, U, U, U, 0x10, 0x32, 3, false, true},          \
    difference)                                                                          \
  X("vmin2.s32.s32.s32 " ALL, {2, S, S, S, 0x10, 0x32, 3}, least)                        \
  X("vmax2.u32.u32.u32 %0.h10, %1.h33, %2.h00, %3;", {2, U, U, U, 0x33, 0x00, 3}, most)  \
  X("vset2.u32.u32.eq " ALL, {2, U, U, U, 0x10, 0x32, 3}, equal)                         \
  X("vset2.s32.s32.lt " ALL, {2, S, S, U, 0x10, 0x32, 3}, less)                          \
  X("vset2.s32.u32.ge.add " ALL, {2, S, U, U, 0x10, 0x32, 3, false, true}, atLeast)      \
  X("vadd4.u32.u32.u32 " ALL, {4, U, U, U, 0x3210, 0x7654, 15}, add)                     \
  X("vadd4.s32.s32.s32.sat " ALL, {4, S, S, S, 0x3210, 0x7654, 15, true}, add)           \
  X("vadd4.u32.u32.u32.add " ALL, {4, U, U, U, 0x3210, 0x7654, 15, false, true}, add)    \
  X("vadd4.u32.u32.u32 %0.b20, %1.b0123, %2.b7060, %3;",                                 \
    {4, U, U, U, 0x0123, 0x7060, 5}, add)                                                \
  X("vsub4.u32.u32.u32 " ALL, {4, U, U, U, 0x3210, 0x7654, 15}, sub)                     \
  X("vsub4.s32.u32.u32.sat %0.b321, %1, %2, %3;", {4, U, U, S, 0x3210, 0x7654, 14, true}, \
    sub)                                                                                 \
  X("vavrg4.u32.u32.u32 " ALL, {4, U, U, U, 0x3210, 0x7654, 15}, average)                \
  X("vavrg4.s32.s32.s32.add " ALL, {4, S, S, S, 0x3210, 0x7654, 15, false, true},        \
    average)                                                                             \
  X("vabsdiff4.u32.u32.u32 " ALL, {4, U, U, U, 0x3210, 0x7654, 15}, difference)          \
  X("vabsdiff4.u32.u32.u32.add " ALL, {4, U, U, U, 0x3210, 0x7654, 15, false, true},     \
    difference)                                                                          \
  X("vabsdiff4.s32.s32.s32.sat " ALL, {4, S, S, S, 0x3210, 0x7654, 15, true},            \
    difference)                                                                          \
  X("vmin4.u32.u32.u32 " ALL, {4, U, U, U, 0x3210, 0x7654, 15}, least)                   \
  X("vmax4.s32.s32.s32 " ALL, {4, S, S, S, 0x3210, 0x7654, 15}, most)                    \
  X("vset4.u32.u32.ne " ALL, {4, U, U, U, 0x3210, 0x7654, 15}, unequal)                  \
  X("vset4.s32.s32.le " ALL, {4, S, S, U, 0x3210, 0x7654, 15}, atMost)                   \
  X("vset4.u32.u32.gt.add %0.b3, %1.b4567, %2, %3;",                                     \
    {4, U, U, U, 0x4567, 0x7654, 8, false, true}, more)

constexpr int forms = 0
#define X(text, ...) +1
    FORMS(X);
#undef X

__global__ void all(const u32 *in, int n, u32 *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n)
    return;
  const u32 a = in[i % n], b = in[i / n], c = in[(i / n + i) % n];
  u32 *own = out + (size_t)i * forms;
  u32 r;
#define X(text, ...)                                                                     \
  asm(text : "=r"(r) : "r"(a), "r"(b), "r"(c));                                          \
  *own++ = r;
  FORMS(X)
#undef X
}

static void checkForm(const char *text, int line, int index, u32 got, u32 a, u32 b, u32 c, Form form,
                      int (*operation)(int, int)) {
  check::equal(text, line, index, got, made(form, a, b, c, operation));
}

int main() {
  std::vector<u32> values = {0,          ~0u,        0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f,
                             0x01ff00fe, 0x0001ffff, 0x8000ffff, 0xff7f8001};
  for (u32 x = 1; values.size() < 40; x = x * 1664525 + 1013904223)
    values.push_back(x ^ x >> 16);
  const int n = values.size(), count = n * n;
  check::Array<u32> in(values), out((size_t)count * forms);
  all<<<(count + 127) / 128, 128>>>(in, n, out);
  out.get();
  for (int i = 0; i < count; ++i) {
    const u32 a = values[i % n], b = values[i / n], c = values[(i / n + i) % n];
    size_t at = (size_t)i * forms;
#define X(text, ...) checkForm(text, __LINE__, i, out.host[at++], a, b, c, __VA_ARGS__);
    FORMS(X)
#undef X
  }
  return check::finish("video");
}
