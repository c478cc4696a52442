// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIMD in a word: every __v...2 and __v...4 function on signed and unsigned
// halves and bytes, with all borders.
// CUDA Math API: SIMD Intrinsics.

#include "Inputs/check.h"

// clang-format off
#define TWO(X) \
  X(vadd) X(vsub) X(vaddss) X(vaddus) X(vsubss) X(vsubus) X(vmaxs) X(vmaxu) \
  X(vmins) X(vminu) X(vhaddu) X(vavgu) X(vavgs) X(vabsdiffu) X(vabsdiffs) \
  X(vcmpeq) X(vcmpne) X(vcmpges) X(vcmpgeu) X(vcmpgts) X(vcmpgtu) X(vcmples) \
  X(vcmpleu) X(vcmplts) X(vcmpltu) X(vseteq) X(vsetne) X(vsetges) X(vsetgeu) \
  X(vsetgts) X(vsetgtu) X(vsetles) X(vsetleu) X(vsetlts) X(vsetltu) X(vsadu) \
  X(vsads)
// clang-format on
#define ONE(X) X(vabs) X(vabsss) X(vneg) X(vnegss)

enum {
#define X(name) name##Id,
  TWO(X) ONE(X)
#undef X
      Functions
};
static const char *const names[] = {
#define X(name) #name,
    TWO(X) ONE(X)
#undef X
};

__global__ void kernel(const unsigned *in, unsigned *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n)
    return;
  unsigned a = in[at * 2], b = in[at * 2 + 1], *o = out + at * 2 * Functions;
#define X(name)                                                                \
  o[name##Id * 2] = __##name##2(a, b);                                         \
  o[name##Id * 2 + 1] = __##name##4(a, b);
  TWO(X)
#undef X
#define X(name)                                                                \
  o[name##Id * 2] = __##name##2(a);                                            \
  o[name##Id * 2 + 1] = __##name##4(a);
  ONE(X)
#undef X
}

// One lane; s and t are the signed values, u and v the unsigned ones.
static long long lane(int id, int s, int t, int u, int v, int bits) {
  int most = (1 << (bits - 1)) - 1, least = -most - 1, all = (1 << bits) - 1;
  auto clamp = [=](int x) { return x < least ? least : x > most ? most : x; };
  auto compare = [=](int which) {
    const bool results[10] = {u == v, u != v, s >= t, u >= v, s > t,
                              u > v,  s <= t, u <= v, s < t,  u < v};
    return results[which];
  };
  if (id >= vcmpeqId && id <= vcmpltuId)
    return compare(id - vcmpeqId) ? all : 0;
  if (id >= vseteqId && id <= vsetltuId)
    return compare(id - vseteqId);
  switch (id) {
  case vaddId:
    return u + v;
  case vsubId:
    return u - v;
  case vaddssId:
    return clamp(s + t);
  case vaddusId:
    return u + v > all ? all : u + v;
  case vsubssId:
    return clamp(s - t);
  case vsubusId:
    return u > v ? u - v : 0;
  case vmaxsId:
    return s > t ? s : t;
  case vmaxuId:
    return u > v ? u : v;
  case vminsId:
    return s < t ? s : t;
  case vminuId:
    return u < v ? u : v;
  case vhadduId:
    return (u + v) / 2;
  case vavguId:
    return (u + v + 1) / 2;
  case vavgsId:
    return (s + t + (s + t >= 0)) >> 1; // a half goes away from zero
  case vabsdiffuId:
  case vsaduId:
    return u > v ? u - v : v - u;
  case vabsdiffsId:
  case vsadsId:
    return s > t ? s - t : t - s;
  case vabsId:
    return s < 0 ? -s : s;
  case vabsssId:
    return clamp(s < 0 ? -s : s);
  case vnegId:
    return -s;
  case vnegssId:
    return clamp(-s);
  }
  return 0;
}
static unsigned expect(int id, unsigned a, unsigned b, int lanes) {
  int bits = 32 / lanes, up = 32 - bits;
  unsigned word = 0, sum = 0, mask = (1u << bits) - 1;
  for (int l = 0; l < lanes; ++l) {
    unsigned u = a >> l * bits & mask, v = b >> l * bits & mask;
    long long r = lane(id, (int)(u << up) >> up, (int)(v << up) >> up, (int)u,
                       (int)v, bits);
    word |= ((unsigned)r & mask) << l * bits;
    sum += (unsigned)r;
  }
  return id == vsaduId || id == vsadsId ? sum : word;
}

int main() {
  std::vector<unsigned> values = {
      0,          0x80008000, 0x7fff7fff, ~0u,        0x80808080, 0x7f7f7f7f,
      0x00010001, 0x01010101, 0x80017ffe, 0x0180ff7f, 0xff00ff00, 0x12345678};
  unsigned state = 31;
  for (int i = 0; i < 12; ++i)
    values.push_back(check::random(state));
  std::vector<unsigned> pairs;
  for (unsigned a : values)
    for (unsigned b : values)
      pairs.insert(pairs.end(), {a, b});
  int n = (int)pairs.size() / 2;
  check::Array<unsigned> in(pairs), out(n * 2 * Functions);
  kernel<<<(n + 63) / 64, 64>>>(in, out, n);
  out.get();
  for (int id = 0; id < Functions; ++id)
    for (int i = 0; i < n; ++i)
      for (int four = 0; four < 2; ++four)
        check::equal(names[id], four ? 4 : 2, i,
                     out.host[(i * Functions + id) * 2 + four],
                     expect(id, pairs[i * 2], pairs[i * 2 + 1], four ? 4 : 2));
  return check::finish("simd_words");
}
