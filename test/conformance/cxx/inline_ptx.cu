// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DPART=1
// FLAGS: -DPART=2
// FLAGS: -DPART=3
// FLAGS: -DPART=4
// FLAGS: -DPART=5
//
// Inline PTX that programs use: wide multiplication, bit fields, lop3, fma,
// prmt (part 1), carries (2), shifts and predicates (3), loads and stores (4),
// mad.hi and vabsdiff (5).
// Inline PTX Assembly in CUDA. PTX ISA.

#include "Inputs/check.h"
typedef unsigned long long u64;

__global__ void kernel(const unsigned *in, u64 *out, unsigned *memory) {
  [[maybe_unused]] unsigned a = in[0], b = in[1], c = in[2], lo, hi, r;
  [[maybe_unused]] u64 wide;
#if PART == 1
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
  out[2] = wide;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  out[3] = r;
  asm("bfe.u32 %0, %1, 4, 9;" : "=r"(r) : "r"(a));
  out[4] = r;
  asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(r) : "r"(a), "r"(b));
  out[5] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  out[6] = r;
  asm("prmt.b32 %0, %1, %2, 0x3715;" : "=r"(r) : "r"(a), "r"(b));
  out[7] = r;
  float f = 2.5f, g;
  asm("fma.rn.f32 %0, %1, %1, %2;" : "=f"(g) : "f"(f), "f"(1.0f));
  out[13] = (u64)(g * 4);
#elif PART == 2
  asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %2, %4;"
      : "=r"(lo), "=r"(hi)
      : "r"(a), "r"(b), "r"(c));
  out[0] = (u64)hi << 32 | lo;
  asm("sub.cc.u32 %0, %2, %3; subc.u32 %1, %4, 0;"
      : "=r"(lo), "=r"(hi)
      : "r"(c), "r"(a), "r"(b));
  out[1] = (u64)hi << 32 | lo;
#elif PART == 3
  asm("shf.l.wrap.b32 %0, %1, %2, 7;" : "=r"(r) : "r"(a), "r"(b));
  out[8] = r;
  asm("{\n\t.reg .pred p;\n\tsetp.gt.u32 p, %1, %2;\n\tselp.u32 %0, %1, %2, "
      "p;\n\t}"
      : "=r"(r)
      : "r"(a), "r"(b));
  out[9] = r;
#elif PART == 4
  asm volatile("st.global.u32 [%0], %1;" ::"l"(memory), "r"(a + 1) : "memory");
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(r) : "l"(memory) : "memory");
  out[11] = r;
#elif PART == 5
  asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  out[10] = r;
  asm("vabsdiff.u32.u32.u32 %0, %1, %2, %3;"
      : "=r"(r)
      : "r"(a), "r"(b), "r"(0));
  out[12] = r;
#endif
}

int main() {
  std::vector<unsigned> values = {0xdeadbeef, 0x7654321f, 0x89abcdef};
  unsigned a = values[0], b = values[1], c = values[2];
  check::Array<unsigned> in(values), memory(1);
  check::Array<u64> out(14);
  kernel<<<1, 1>>>(in, out, memory);
  u64 low = (u64)a + b, bytes = (u64)b << 32 | a, permuted = 0;
  for (int i = 0; i < 4; ++i)
    permuted |= (bytes >> (0x3715 >> i * 4 & 7) * 8 & 0xff) << i * 8;
  const u64 want[14] = {(u64)(unsigned)(a + c + (low >> 32)) << 32 |
                            (unsigned)low,
                        (u64)(unsigned)(b - (c < a)) << 32 | (unsigned)(c - a),
                        (u64)a * b,
                        a * b + c,
                        a >> 4 & 0x1ff,
                        (b & ~(0xfffu << 8)) | (a & 0xfff) << 8,
                        a ^ b ^ c,
                        permuted,
                        b << 7 | a >> 25,
                        a > b ? a : b,
                        (unsigned)(((u64)a * b >> 32) + c),
                        a + 1,
                        a > b ? a - b : b - a,
                        29};
  out.get();
  const int parts[14] = {2, 2, 1, 1, 1, 1, 1, 1, 3, 3, 5, 4, 5, 1};
  for (int i = 0; i < 14; ++i)
    if (parts[i] == PART)
      CHECK_AT(i, out.host[i], want[i]);
  return check::finish("inline_ptx");
}
