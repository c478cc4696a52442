// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer, bit and video instructions of inline PTX against what the ISA says, for all
// pairs and triples of small, extreme and random operands.
// PTX ISA: Integer Arithmetic; Extended-Precision Integer Arithmetic; Logic and Shift;
// Video Instructions.

#include "Inputs/check.h"

typedef unsigned u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;

// References, as the ISA writes them: bit by bit.
template <class T> static T fieldOf(T x, u32 position, u32 length, bool isSigned) {
  const int width = sizeof(T) * 8, top = width - 1;
  const int start = position & 0xff, count = length & 0xff;
  bool sign = false;
  if (isSigned && count)
    sign = x >> (start + count - 1 < top ? start + count - 1 : top) & 1;
  T made = 0;
  for (int i = 0; i < width; ++i)
    made |= T(i < count && start + i < width ? x >> (start + i) & 1 : sign) << i;
  return made;
}
template <class T> static T insertOf(T from, T into, u32 position, u32 length) {
  const int width = sizeof(T) * 8;
  const int start = position & 0xff, count = length & 0xff;
  for (int i = 0; i < count && start + i < width; ++i)
    into = (into & ~(T(1) << (start + i))) | (from >> i & 1) << (start + i);
  return into;
}
static u32 permuteOf(u32 a, u32 b, u32 selector) {
  u32 made = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 nibble = selector >> i * 4 & 15;
    u32 byte = (u64(b) << 32 | a) >> (nibble & 7) * 8 & 0xff;
    if (nibble & 8)
      byte = byte & 0x80 ? 0xff : 0;
    made |= byte << i * 8;
  }
  return made;
}
static u32 highestOf(u32 x) {
  for (int i = 31; i >= 0; --i)
    if (x >> i & 1)
      return i;
  return ~0u;
}
static u32 highestSigned(u32 x) { return highestOf(s32(x) < 0 ? ~x : x); }
static u32 nthOf(u32 mask, u32 base, s32 offset) {
  s32 position = base, bit = offset;
  u32 found = ~0u;
  if (offset == 0)
    return base < 32 && mask >> base & 1 ? base : ~0u;
  s32 step = bit > 0 ? 1 : -1;
  bit = bit > 0 ? bit : -bit;
  if (base >= 32)
    return ~0u;
  for (; position >= 0 && position < 32 && bit; position += step)
    if (mask >> position & 1 && --bit == 0)
      found = position;
  return found;
}
static u32 extendOf(u32 x, u32 count, bool isSigned) {
  return count >= 32 ? x : fieldOf<u32>(x, 0, count, isSigned);
}
static u32 maskOf(u32 position, u32 length) {
  return insertOf<u32>(~0u, 0, position > 255 ? 255 : position,
                       length > 255 ? 255 : length);
}
static u32 reverseOf(u32 x) {
  u32 made = 0;
  for (int i = 0; i < 32; ++i)
    made |= (x >> i & 1) << (31 - i);
  return made;
}
static s32 saturate(s64 x) { return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x; }
static u32 saturateUnsigned(s64 x) { return x > s64(UINT32_MAX) ? UINT32_MAX : x < 0 ? 0 : x; }
static s64 s24(u32 x) { return s32(x << 8) >> 8; }
static u64 u24(u32 x) { return x & 0xffffff; }
/// Part `i` of a word, of so many bits.
static u32 partOf(u32 word, int bits, int i, bool isSigned) {
  word = word >> i * bits << (32 - bits);
  return isSigned ? u32(s32(word) >> (32 - bits)) : word >> (32 - bits);
}
/// c and the products of `count` parts of a with bytes of b, from `first` on.
static u32 dotOf(int count, int first, bool signedA, bool signedB, u32 a, u32 b, u32 c) {
  for (int i = 0; i < count; ++i)
    c += partOf(a, 32 / count, i, signedA) * partOf(b, 8, first + i, signedB);
  return c;
}
static u32 lop(u32 a, u32 b, u32 c, int table) {
  u32 made = 0;
  for (int i = 0; i < 32; ++i)
    made |= u32(table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
  return made;
}
static s32 largest(s32 x, s32 y) { return x > y ? x : y; }
static u64 magnitude(s64 x) { return x < 0 ? -x : x; }

#define B "%0, %1, %2;"
#define C "%0, %1, %2, %3;"
// text, reference in a, b, c (words)
#define WORDS(X)                                                                         \
  X("add.u32 " B, a + b)                                                                 \
  X("add.sat.s32 " B, saturate(s64(s32(a)) + s32(b)))                                    \
  X("sub.sat.s32 " B, saturate(s64(s32(a)) - s32(b)))                                    \
  X("sub.s32 " B, a - b)                                                                 \
  X("mul.lo.u32 " B, a *b)                                                               \
  X("mul.hi.u32 " B, u64(a) * b >> 32)                                                   \
  X("mul.hi.s32 " B, s64(s32(a)) * s32(b) >> 32)                                         \
  X("mad.lo.s32 " C, a *b + c)                                                           \
  X("mad.hi.u32 " C, (u64(a) * b >> 32) + c)                                             \
  X("mad.hi.s32 " C, (s64(s32(a)) * s32(b) >> 32) + c)                                   \
  X("mad.hi.sat.s32 " C, saturate((s64(s32(a)) * s32(b) >> 32) + s32(c)))                \
  X("mul24.lo.u32 " B, u24(a) * u24(b))                                                  \
  X("mul24.hi.u32 " B, u24(a) * u24(b) >> 16)                                            \
  X("mul24.lo.s32 " B, s24(a) * s24(b))                                                  \
  X("mul24.hi.s32 " B, s24(a) * s24(b) >> 16)                                            \
  X("mad24.lo.s32 " C, s24(a) * s24(b) + c)                                              \
  X("sad.u32 " C, c + (a > b ? a - b : b - a))                                           \
  X("sad.s32 " C, c + magnitude(s64(s32(a)) - s32(b)))                                   \
  X("min.u32 " B, a < b ? a : b)                                                         \
  X("max.u32 " B, a > b ? a : b)                                                         \
  X("min.s32 " B, s32(a) < s32(b) ? a : b)                                               \
  X("max.s32 " B, s32(a) > s32(b) ? a : b)                                               \
  X("max.relu.s32 " B, s32(a) < 0 && s32(b) < 0 ? 0 : s32(a) > s32(b) ? a : b)           \
  X("abs.s32 %0, %1;", magnitude(s32(a)))                                                \
  X("neg.s32 %0, %1;", -a)                                                               \
  X("popc.b32 %0, %1;", __builtin_popcount(a))                                           \
  X("clz.b32 %0, %1;", 31 - highestOf(a))                                                \
  X("brev.b32 %0, %1;", reverseOf(a))                                                    \
  X("bfind.u32 %0, %1;", highestOf(a))                                                   \
  X("bfind.s32 %0, %1;", highestSigned(a))                                               \
  X("bfind.shiftamt.u32 %0, %1;", a ? 31 - highestOf(a) : ~0u)                           \
  X("bfind.shiftamt.s32 %0, %1;",                                                        \
    highestSigned(a) == ~0u ? ~0u : 31 - highestSigned(a))                               \
  X("fns.b32 " C, nthOf(a, b, c))                                                        \
  X("bfe.u32 " C, fieldOf<u32>(a, b, c, false))                                          \
  X("bfe.s32 " C, fieldOf<u32>(a, b, c, true))                                           \
  X("bfi.b32 %0, %1, %1, %2, %3;", insertOf<u32>(a, a, b, c))                            \
  X("bfi.b32 %0, %1, %2, %3, 7;", insertOf<u32>(a, b, c, 7))                             \
  X("szext.clamp.s32 " B, extendOf(a, b, true))                                          \
  X("szext.wrap.u32 " B, extendOf(a, b & 31, false))                                     \
  X("bmsk.clamp.b32 " B, maskOf(a, b))                                                   \
  X("bmsk.wrap.b32 " B, maskOf(a & 31, b & 31))                                          \
  X("dp4a.s32.s32 " C, dotOf(4, 0, true, true, a, b, c))                                 \
  X("dp2a.lo.s32.s32 " C, dotOf(2, 0, true, true, a, b, c))                              \
  X("dp2a.hi.s32.s32 " C, dotOf(2, 2, true, true, a, b, c))                              \
  X("dp4a.s32.u32 " C, dotOf(4, 0, true, false, a, b, c))                                \
  X("dp2a.lo.s32.u32 " C, dotOf(2, 0, true, false, a, b, c))                             \
  X("dp2a.hi.s32.u32 " C, dotOf(2, 2, true, false, a, b, c))                             \
  X("dp4a.u32.s32 " C, dotOf(4, 0, false, true, a, b, c))                                \
  X("dp2a.lo.u32.s32 " C, dotOf(2, 0, false, true, a, b, c))                             \
  X("dp2a.hi.u32.s32 " C, dotOf(2, 2, false, true, a, b, c))                             \
  X("dp4a.u32.u32 " C, dotOf(4, 0, false, false, a, b, c))                               \
  X("dp2a.lo.u32.u32 " C, dotOf(2, 0, false, false, a, b, c))                            \
  X("dp2a.hi.u32.u32 " C, dotOf(2, 2, false, false, a, b, c))                            \
  X("and.b32 " B, a &b)                                                                  \
  X("or.b32 " B, a | b)                                                                  \
  X("xor.b32 " B, a ^ b)                                                                 \
  X("not.b32 %0, %1;", ~a)                                                               \
  X("cnot.b32 %0, %1;", a == 0)                                                          \
  X("lop3.b32 %0, %1, %2, %3, 0x96;", lop(a, b, c, 0x96))                                \
  X("lop3.b32 %0, %1, %2, %3, 0xE8;", lop(a, b, c, 0xE8))                                \
  X("lop3.b32 %0, %1, %2, %3, 0xC4;", lop(a, b, c, 0xC4))                                \
  X("shl.b32 " B, b > 31 ? 0 : a << b)                                                   \
  X("shr.u32 " B, b > 31 ? 0 : a >> b)                                                   \
  X("shr.s32 " B, s32(a) >> (b > 31 ? 31 : b))                                           \
  X("shf.l.wrap.b32 " C, (u64(b) << 32 | a) << (c & 31) >> 32)                           \
  X("shf.r.wrap.b32 " C, (u64(b) << 32 | a) >> (c & 31))                                 \
  X("shf.l.clamp.b32 " C, (u64(b) << 32 | a) << (c < 32 ? c : 32) >> 32)                 \
  X("shf.r.clamp.b32 " C, (u64(b) << 32 | a) >> (c < 32 ? c : 32))                       \
  X("prmt.b32 " C, permuteOf(a, b, c))                                                   \
  X("prmt.b32.f4e " C, permuteOf(a, b, 0x3210 + 0x1111 * (c & 3)))                       \
  X("prmt.b32.rc8 " C, permuteOf(a, b, 0x1111 * (c & 3)))                                \
  X("prmt.b32.rc16 " C, permuteOf(a, b, c & 1 ? 0x3232 : 0x1010))                        \
  X("vadd.u32.u32.u32.add " C, a + b + c)                                                \
  X("vadd.s32.s32.u32.sat " B, saturate(s64(s32(a)) + b))                                \
  X("vsub.u32.u32.u32.sat " B, saturateUnsigned(s64(a) - s64(b)))                        \
  X("vabsdiff.u32.u32.u32 " C, a > b ? a - b : b - a)                                    \
  X("vmin.s32.s32.s32.max " C, largest(s32(a) < s32(b) ? a : b, c))                      \
  X("vshl.u32.u32.u32.clamp.add " C, (b > 31 ? 0 : a << b) + c)                          \
  X("vshr.u32.u32.u32.wrap.add " C, (a >> (b & 31)) + c)                                 \
  X("{ add.cc.u32 %0, %1, %2; addc.u32 %0, %3, %1; }", c + a + (a + b < a))              \
  X("{ sub.cc.u32 %0, %1, %2; subc.u32 %0, %3, %1; }", c - a - (a < b))                  \
  X("{ .reg .u32 t; mad.lo.cc.u32 t, %1, %2, %3; madc.hi.u32 %0, %1, %2, 0; }",          \
    (u64(a) * b + c) >> 32)                                                              \
  X("{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.cc.u32 t, %2, %3; addc.u32 %0, 0, 0; }",  \
    (u64(b) + c + (a + b < a)) >> 32)                                                    \
  X("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.b32 %0, %2, %3, p; }", a < b ? b : c)   \
  X("{ .reg .pred p, q; setp.ge.s32 p|q, %1, %2; selp.u32 %0, 1, 2, q; }",               \
    s32(a) < s32(b) ? 1 : 2)                                                             \
  X("set.hi.u32.u32 " B, a > b ? ~0u : 0)                                                \
  X("slct.u32.s32 " C, s32(c) >= 0 ? a : b)                                              \
  X("{ .reg .u16 x, y; mov.b32 {x, y}, %1; mov.b32 %0, {y, x}; }", a << 16 | a >> 16)    \
  X("{ .reg .u16 x, y; mov.b32 {x, _}, %1; shr.s16 y, x, %2; cvt.s32.s16 %0, y; }",      \
    s32(short(a)) >> (b > 15 ? 15 : b))                                                  \
  X("cvt.s8.s32 %0, %1;", s32((signed char)a))                                           \
  X("cvt.sat.s8.s32 %0, %1;", s32(a) > 127 ? 127 : s32(a) < -128 ? -128 : s32(a))        \
  X("cvt.sat.u8.s32 %0, %1;", s32(a) > 255 ? 255 : s32(a) < 0 ? 0 : s32(a))

// text, reference in x, y (long words), c
#define LONGS(X)                                                                         \
  X("add.s64 " B, x + y)                                                                 \
  X("mul.lo.u64 " B, x *y)                                                               \
  X("mul.hi.u64 " B, (unsigned __int128)x * y >> 64)                                     \
  X("mul.hi.s64 " B, (__int128)s64(x) * s64(y) >> 64)                                    \
  X("bfe.u64 %0, %1, %3, 13;", fieldOf<u64>(x, c, 13, false))                            \
  X("bfe.s64 %0, %1, %3, 33;", fieldOf<u64>(x, c, 33, true))                             \
  X("bfi.b64 %0, %1, %2, %3, 40;", insertOf<u64>(x, y, c, 40))                           \
  X("shl.b64 %0, %1, %3;", c > 63 ? 0 : x << c)                                          \
  X("shr.s64 %0, %1, %3;", s64(x) >> (c > 63 ? 63 : c))                                  \
  X("min.s64 " B, s64(x) < s64(y) ? x : y)                                               \
  X("abs.s64 %0, %1;", s64(x) < 0 ? -x : x)                                              \
  X("{ .reg .u32 t, u; mov.b64 {t, u}, %1; mul.wide.u32 %0, t, u; }",                    \
    u64(u32(x)) * u32(x >> 32))                                                          \
  X("{ .reg .u32 t, u; mov.b64 {t, u}, %1; mad.wide.s32 %0, t, u, %2; }",                \
    s64(s32(x)) * s32(x >> 32) + y)                                                      \
  X("{ .reg .u32 t; popc.b64 t, %1; cvt.u64.u32 %0, t; }", __builtin_popcountll(x))      \
  X("{ .reg .u32 t; clz.b64 t, %1; cvt.u64.u32 %0, t; }", x ? __builtin_clzll(x) : 64)   \
  X("cvt.s64.s32 %0, %3;", s64(s32(c)))                                                  \
  X("add.cc.u64 %0, %1, %2; addc.u64 %0, %0, 0;", x + y + (x + y < x))

constexpr int words = 0
#define X(text, ...) +1
    WORDS(X);
constexpr int longs = 0 LONGS(X);
#undef X

__global__ void onWords(const u32 *in, int n, u32 *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n * n)
    return;
  const u32 a = in[i % n], b = in[i / n % n], c = in[i / n / n];
  u32 *own = out + (size_t)i * words;
  u32 r;
#define X(text, ...)                                                                     \
  asm volatile(text : "=&r"(r) : "r"(a), "r"(b), "r"(c));                                \
  *own++ = r;
  WORDS(X)
#undef X
}

__global__ void onLongs(const u64 *in, int n, u64 *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n)
    return;
  const u64 x = in[i % n], y = in[i / n];
  const u32 c = (u32)y & 127;
  u64 *own = out + (size_t)i * longs;
  u64 r;
#define X(text, ...)                                                                     \
  asm volatile(text : "=&l"(r) : "l"(x), "l"(y), "r"(c));                                \
  *own++ = r;
  LONGS(X)
#undef X
}

static void checkWords() {
  std::vector<u32> values = {0,  1,  2,  3,   4,   7,          8,          15,         16,
                             31, 32, 33, 100, 255, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0,
                             0xdeadbeef, 0x12345678, 0x00800000, 0xff800001};
  const int n = values.size(), count = n * n * n;
  check::Array<u32> in(values), out((size_t)count * words);
  onWords<<<(count + 127) / 128, 128>>>(in, n, out);
  out.get();
  for (int i = 0; i < count; ++i) {
    const u32 a = values[i % n], b = values[i / n % n], c = values[i / n / n];
    size_t at = (size_t)i * words;
#define X(text, ...) check::equal(text, __LINE__, i, out.host[at++], u32(__VA_ARGS__));
    WORDS(X)
#undef X
  }
}

static void checkLongs() {
  std::vector<u64> values = {0, 1, 2, 63, 64, ~0ull, 1ull << 63, ~0ull >> 1, 0xffffffff, 1ull << 32};
  for (int i = 0; i < 20; ++i)
    values.push_back(values.back() * 6364136223846793005ull + 1442695040888963407ull);
  const int n = values.size(), count = n * n;
  check::Array<u64> in(values), out((size_t)count * longs);
  onLongs<<<(count + 127) / 128, 128>>>(in, n, out);
  out.get();
  for (int i = 0; i < count; ++i) {
    const u64 x = values[i % n], y = values[i / n];
    const u32 c = (u32)y & 127;
    size_t at = (size_t)i * longs;
#define X(text, ...) check::equal(text, __LINE__, i, out.host[at++], u64(__VA_ARGS__));
    LONGS(X)
#undef X
  }
}

int main() {
  checkWords();
  checkLongs();
  return check::finish("integers");
}
