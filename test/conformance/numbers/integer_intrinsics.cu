// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer intrinsics: __popc, __clz, __ffs, __brev, __mulhi, __mul24, __sad,
// __hadd, __rhadd, __byte_perm, __funnelshift_*, __dp4a, __dp2a, min, max, abs.
// CUDA Math API: Integer Intrinsics.

#include "Inputs/check.h"
typedef unsigned long long u64;
enum { Fields = 40 };

__global__ void kernel(const u64 *in, u64 *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  u64 x = in[at * 3], y = in[at * 3 + 1], z = in[at * 3 + 2],
      *o = out + at * Fields;
  unsigned a = (unsigned)x, b = (unsigned)y, c = (unsigned)z;
  int sa = (int)a, sb = (int)b, sc = (int)c, k = 0;
  o[k++] = __popc(a);
  o[k++] = __popcll((long long)x);
  o[k++] = __clz(sa);
  o[k++] = __clzll((long long)x);
  o[k++] = __ffs(sa);
  o[k++] = __ffsll((long long)x);
  o[k++] = __brev(a);
  o[k++] = __brevll(x);
  o[k++] = (unsigned)__mulhi(sa, sb);
  o[k++] = __umulhi(a, b);
  o[k++] = (u64)__mul64hi((long long)x, (long long)y);
  o[k++] = __umul64hi(x, y);
  o[k++] = (unsigned)__mul24(sa, sb);
  o[k++] = __umul24(a, b);
  o[k++] = __sad(sa, sb, c);
  o[k++] = __usad(a, b, c);
  o[k++] = (unsigned)__hadd(sa, sb);
  o[k++] = __uhadd(a, b);
  o[k++] = (unsigned)__rhadd(sa, sb);
  o[k++] = __urhadd(a, b);
  o[k++] = __byte_perm(a, b, c); // bit 3 of each selector says nothing
  o[k++] = __funnelshift_l(a, b, c);
  o[k++] = __funnelshift_lc(a, b, c);
  o[k++] = __funnelshift_r(a, b, c);
  o[k++] = __funnelshift_rc(a, b, c);
  o[k++] = (unsigned)__dp4a(sa, sb, sc);
  o[k++] = __dp4a(a, b, c);
  o[k++] = (unsigned)__dp2a_lo(sa, sb, sc);
  o[k++] = (unsigned)__dp2a_hi(sa, sb, sc);
  o[k++] = __dp2a_lo(a, b, c);
  o[k++] = __dp2a_hi(a, b, c);
  o[k++] = (unsigned)min(sa, sb);
  o[k++] = max(a, b);
  o[k++] = (u64)llmin((long long)x, (long long)y);
  o[k++] = ullmax(x, y);
  o[k++] = (unsigned)abs(sa);
  o[k++] = (u64)llabs((long long)x);
  o[k++] = __fns(a, c % 32, (int)(b % 9) - 4);
}

static u64 reverse(u64 x, int bits) {
  u64 r = 0;
  for (int i = 0; i < bits; ++i)
    r |= (x >> i & 1) << (bits - 1 - i);
  return r;
}
static int lowest(u64 x) {
  for (int i = 0; i < 64; ++i)
    if (x >> i & 1)
      return i + 1;
  return 0;
}
static int leading(u64 x, int bits) {
  int n = 0;
  while (n < bits && !(x >> (bits - 1 - n) & 1))
    ++n;
  return n;
}
static int count(u64 x) {
  int n = 0;
  for (; x; x &= x - 1)
    ++n;
  return n;
}
static unsigned permute(unsigned a, unsigned b, unsigned s) {
  u64 bytes = (u64)b << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i)
    r |= (unsigned)(bytes >> (s >> i * 4 & 7) * 8 & 0xff) << i * 8;
  return r;
}
// The n-th set bit of the mask from `base`, upwards or downwards.
static unsigned nth(unsigned mask, unsigned base, int n) {
  if (n == 0)
    return mask >> base & 1 ? base : ~0u;
  int step = n > 0 ? 1 : -1, left = n * step;
  for (int i = (int)base; i >= 0 && i < 32; i += step)
    if ((mask >> i & 1) && --left == 0)
      return (unsigned)i;
  return ~0u;
}
static int byteAt(unsigned x, int i) { return (signed char)(x >> 8 * i); }
static int shortAt(unsigned x, int i) { return (short)(x >> 16 * i); }

static void expectDots(unsigned a, unsigned b, unsigned c, u64 *o) {
  unsigned s4 = c, u4 = c, sl = c, sh = c, ul = c, uh = c;
  for (int i = 0; i < 4; ++i) {
    s4 += (unsigned)(byteAt(a, i) * byteAt(b, i));
    u4 += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
  }
  for (int i = 0; i < 2; ++i) {
    sl += (unsigned)(shortAt(a, i) * byteAt(b, i));
    sh += (unsigned)(shortAt(a, i) * byteAt(b, i + 2));
    ul += (a >> 16 * i & 0xffff) * (b >> 8 * i & 0xff);
    uh += (a >> 16 * i & 0xffff) * (b >> (8 * i + 16) & 0xff);
  }
  const u64 dots[6] = {s4, u4, sl, sh, ul, uh};
  memcpy(o, dots, sizeof dots);
}

static int expect(u64 x, u64 y, u64 z, u64 *o) {
  unsigned a = (unsigned)x, b = (unsigned)y, c = (unsigned)z;
  long long sa = (int)a, sb = (int)b;
  int k = 0, s = c & 31, sat = c < 32 ? (int)c : 32;
  u64 pair = (u64)b << 32 | a;
  o[k++] = count(a), o[k++] = count(x);
  o[k++] = leading(a, 32), o[k++] = leading(x, 64);
  o[k++] = lowest(a), o[k++] = lowest(x);
  o[k++] = reverse(a, 32), o[k++] = reverse(x, 64);
  o[k++] = (unsigned)(sa * sb >> 32);
  o[k++] = (u64)a * b >> 32;
  o[k++] = (u64)((__int128)(long long)x * (long long)y >> 64);
  o[k++] = (u64)((unsigned __int128)x * y >> 64);
  o[k++] = (unsigned)(((int)(a << 8) >> 8) * (long long)((int)(b << 8) >> 8));
  o[k++] = (unsigned)((u64)(a & 0xffffff) * (b & 0xffffff));
  o[k++] = (unsigned)((sa > sb ? sa - sb : sb - sa) + c);
  o[k++] = (a > b ? a - b : b - a) + c;
  o[k++] = (unsigned)((sa + sb) >> 1);
  o[k++] = ((u64)a + b) >> 1;
  o[k++] = (unsigned)((sa + sb + 1) >> 1);
  o[k++] = ((u64)a + b + 1) >> 1;
  o[k++] = permute(a, b, c);
  o[k++] = (unsigned)(pair << s >> 32);
  o[k++] = sat == 32 ? a : (unsigned)(pair << sat >> 32);
  o[k++] = (unsigned)(pair >> s);
  o[k++] = (unsigned)(pair >> sat);
  expectDots(a, b, c, o + k);
  k += 6;
  o[k++] = (unsigned)(sa < sb ? sa : sb);
  o[k++] = a > b ? a : b;
  o[k++] = (long long)x < (long long)y ? x : y;
  o[k++] = x > y ? x : y;
  o[k++] = (int)a < 0 ? 0 - a : a;
  o[k++] = (long long)x < 0 ? 0 - x : x;
  o[k++] = nth(a, c % 32, (int)(b % 9) - 4);
  return k;
}

int main() {
  std::vector<u64> values = {0,
                             1,
                             2,
                             31,
                             32,
                             33,
                             0x80000000,
                             0x7fffffff,
                             0xffffffff,
                             0x100000000,
                             ~0ull,
                             1ull << 63,
                             0x7fffffffffffffff,
                             0x00800000,
                             0xffffff,
                             0x3210};
  unsigned state = 4711;
  for (int i = 0; i < 14; ++i) {
    u64 high = check::random(state);
    values.push_back(high << 32 | check::random(state));
  }
  std::vector<u64> triples;
  for (u64 x : values)
    for (u64 y : values)
      triples.insert(triples.end(), {x, y, values[triples.size() * 7 % 30]});
  int n = (int)triples.size() / 3;
  check::Array<u64> in(triples), out(n * Fields);
  kernel<<<(n + 127) / 128, 128>>>(in, out, n);
  out.get();
  for (int i = 0; i < n; ++i) {
    u64 want[Fields];
    int fields =
        expect(triples[i * 3], triples[i * 3 + 1], triples[i * 3 + 2], want);
    for (int k = 0; k < fields; ++k)
      CHECK_AT(i * 100 + k, out.host[i * Fields + k], want[k]);
  }
  return check::finish("integer_intrinsics");
}
