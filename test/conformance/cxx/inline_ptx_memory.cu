// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX that accesses memory: atom and red in every operation, with orders and
// scopes in both ways of writing them; ld and st with hints, widths and signs. PTX ISA:
// atom, red, ld, st.

#include "Inputs/check.h"

#define ATOM(name, T, C)                                                                 \
  [](T *p, T v) {                                                                        \
    T old;                                                                               \
    asm volatile(name " %0, [%1], %2;" : "=" C(old) : "l"(p), C(v) : "memory");          \
    return old;                                                                          \
  }
#define RED(name, T, C)                                                                  \
  [](T *p, T v) { asm volatile(name " [%0], %1;" ::"l"(p), C(v) : "memory"); }

__global__ void atoms(unsigned *u, int *s, unsigned long long *w, float *f, double *d,
                      unsigned *old) {
  int i = threadIdx.x;
  ATOM("atom.global.add.u32", unsigned, "r")(u + 0, i);
  ATOM("atom.add.relaxed.gpu.u32", unsigned, "r")(u + 1, i);
  ATOM("atom.relaxed.gpu.global.max.u32", unsigned, "r")(u + 2, i * 7 % 32);
  ATOM("atom.min.global.acq_rel.sys.u32", unsigned, "r")(u + 3, i * 7 % 32 + 5);
  ATOM("atom.or.b32", unsigned, "r")(u + 4, 1u << i);
  ATOM("atom.and.acquire.cta.b32", unsigned, "r")(u + 5, ~(1u << i));
  ATOM("atom.xor.release.gpu.b32", unsigned, "r")(u + 6, 3u << i);
  ATOM("atom.inc.u32", unsigned, "r")(u + 7, 9);
  ATOM("atom.global.dec.u32", unsigned, "r")(u + 8, 9);
  RED("red.add.global.relaxed.gpu.u32", unsigned, "r")(u + 9, 2);
  RED("red.relaxed.cta.max.s32", int, "r")(s + 0, i - 40);
  RED("red.min.s32", int, "r")(s + 1, i - 40);
  RED("red.global.add.u64", unsigned long long, "l")(w + 0, 1ull << 32);
  ATOM("atom.exch.b64", unsigned long long, "l")(w + 1, 77);
  RED("red.global.add.f32", float, "f")(f, 0.5f);
  ATOM("atom.add.f64", double, "d")(d, 0.25);
  // Each thread changes what only it expects.
  unsigned expected = i, result;
  asm volatile("atom.cas.relaxed.gpu.b32 %0, [%1], %2, %3;"
               : "=r"(result)
               : "l"(old + i), "r"(expected), "r"(expected + 100)
               : "memory");
  old[32 + i] = result;
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(result)
               : "l"(old + i), "r"(expected), "r"(0)
               : "memory");
  old[64 + i] = result;
}

__global__ void accesses(const signed char *bytes, const unsigned short *halves,
                         const unsigned *words, const double *wide, int *out,
                         unsigned short *outHalves, double *outWide) {
  int i = threadIdx.x;
  int a;
  unsigned b, c, v;
  unsigned short h;
  double d;
  asm("ld.global.nc.s8 %0, [%1];" : "=r"(a) : "l"(bytes + i));
  asm("ld.global.ca.u32 %0, [%1];" : "=r"(b) : "l"(words + i));
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
               : "=r"(c)
               : "l"(words + i)
               : "memory");
  asm volatile("ld.volatile.u32 %0, [%1];" : "=r"(v) : "l"(words + i) : "memory");
  asm("ld.u16 %0, [%1];" : "=h"(h) : "l"(halves + i));
  asm volatile("ld.acquire.sys.f64 %0, [%1];" : "=d"(d) : "l"(wide + i) : "memory");
  asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(out + i), "r"(a + int(b + c + v))
               : "memory");
  asm volatile("st.relaxed.cta.u16 [%0], %1;" ::"l"(outHalves + i), "h"(h) : "memory");
  asm volatile("st.release.gpu.f64 [%0], %1;" ::"l"(outWide + i), "d"(d) : "memory");
}

int main() {
  constexpr int n = 32;
  check::Array<unsigned> u(std::vector<unsigned>{0, 0, 0, 1000, 0, ~0u, 0, 0, 0, 0});
  check::Array<int> s(std::vector<int>{-1000, 1000});
  check::Array<unsigned long long> w(2);
  check::Array<float> f(1);
  check::Array<double> d(1);
  check::Array<unsigned> old(96);
  for (int i = 0; i < n; ++i)
    old.host[i] = i;
  old.put();
  atoms<<<1, n>>>(u, s, w, f, d, old);
  unsigned flips = 0, down = 0;
  for (int i = 0; i < n; ++i) {
    flips ^= 3u << i;
    down = down == 0 || down > 9 ? 9 : down - 1;
  }
  const unsigned expected[] = {496, 496, 31, 5, ~0u, 0, flips, n % 10, down, 2 * n};
  u.get();
  for (int i = 0; i < 10; ++i)
    CHECK_AT(i, u.host[i], expected[i]);
  CHECK_EQ(s.get()[0], -9);
  CHECK_EQ(s.host[1], -40);
  CHECK_EQ(w.get()[0], 32ull << 32);
  CHECK_EQ(w.host[1], 77ull);
  CHECK_EQ(f.get()[0], 16.0f);
  CHECK_EQ(d.get()[0], 8.0);
  old.get();
  for (unsigned i = 0; i < n; ++i) {
    CHECK_AT(i, old.host[i], i + 100);
    CHECK_AT(i, old.host[32 + i], i);
    CHECK_AT(i, old.host[64 + i], i + 100);
  }

  check::Array<signed char> bytes(n);
  check::Array<unsigned short> halves(n), outHalves(n);
  check::Array<unsigned> words(n);
  check::Array<double> wide(n), outWide(n);
  check::Array<int> out(n);
  for (int i = 0; i < n; ++i) {
    bytes.host[i] = -i;
    halves.host[i] = 65000 + i;
    words.host[i] = i * 1000;
    wide.host[i] = i * 0.125;
  }
  bytes.put(), halves.put(), words.put(), wide.put();
  accesses<<<1, n>>>(bytes, halves, words, wide, out, outHalves, outWide);
  out.get(), outHalves.get(), outWide.get();
  for (int i = 0; i < n; ++i) {
    CHECK_AT(i, out.host[i], 3000 * i - i);
    CHECK_AT(i, outHalves.host[i], halves.host[i]);
    CHECK_AT(i, outWide.host[i], wide.host[i]);
  }
  return check::finish("cxx/inline_ptx_memory");
}
