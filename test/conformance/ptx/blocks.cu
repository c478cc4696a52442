// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX of several instructions: registers, labels, loops, predicates, tied and
// several outputs, all letters of operands, vectors, constants in the text, thread exits.
// Statements without text, which are there for the optimiser. Inline PTX Assembly in CUDA. PTX ISA: Syntax; Predicated Execution.

#include "Inputs/check.h"

typedef unsigned u32;
typedef unsigned long long u64;

constexpr int results = 40;

__device__ u32 power(u32 base, u32 exponent) {
  u32 made;
  // A loop with two ways out of it, and a scope whose label is its own.
  asm volatile("{\n"
               "  .reg .u32 %%count<2>, t;\n"
               "  .reg .pred %%p<3>;\n"
               "  mov.u32 %0, 1; // the product\n"
               "  mov.u32 %%count0, %2;\n"
               "LOOP:\n"
               "  setp.eq.u32 %%p1, %%count0, 0;\n"
               "  @%%p1 bra DONE;\n"
               "  mul.lo.u32 %0, %0, %1;\n"
               "  /* a scope\n of its own */\n"
               "  { .reg .u32 t; mov.u32 t, 1; sub.u32 %%count0, %%count0, t; }\n"
               "  bra.uni LOOP;\n"
               "DONE:\n"
               "}\n"
               : "=&r"(made)
               : "r"(base), "r"(exponent));
  return made;
}

__global__ void blocks(u32 *out, const u32 *in, u64 *wide, float *floats) {
  const u32 a = in[0], b = in[1];
  u32 r, s;
  out[0] = power(3, 7) + power(2, 0);
  // Tied: the value goes in and comes out.
  r = a;
  asm("add.u32 %0, %0, %1;\n\tadd.u32 %0, %0, %0;" : "+r"(r) : "r"(b));
  out[1] = r;
  // Two outputs, of which one is tied.
  r = a, s = 5;
  asm("mov.u32 %0, %2;\n\tadd.u32 %1, %1, %0;" : "=&r"(r), "+r"(s) : "r"(b));
  out[2] = r;
  out[3] = s;
  // A guard that is false changes nothing.
  r = 11;
  asm("{ .reg .pred p; setp.ne.u32 p, %1, %1; @p mov.u32 %0, 22; @!p add.u32 %0, %0, 1; }"
      : "+r"(r)
      : "r"(a));
  out[4] = r;
  // Letters.
  unsigned short h;
  asm("{ .reg .u16 t; mov.u16 t, %1; add.u16 %0, t, 1; }" : "=h"(h) : "h"((unsigned short)a));
  out[5] = h;
  asm("mov.b64 %0, {%1, %2};" : "=l"(wide[0]) : "r"(a), "r"(b));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(out[6]), "=r"(out[7]) : "l"(wide[0]));
  double d;
  float f;
  asm("{ add.f64 %0, %2, 0d3FF0000000000000; add.f32 %1, %3, 0f40000000; }"
      : "=d"(d), "=f"(f)
      : "d"(1.5), "f"(0.25f));
  floats[0] = d;
  floats[1] = f;
  asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "n"(42));
  out[8] = r;
  asm("mov.u32 %0, %%tid.x;" : "=r"(out[9]));
  asm("{ .reg .u32 t; mov.u32 t, %%ntid.x; mad.lo.u32 %0, t, 2, %%laneid; }" : "=r"(out[10]));
  // Immediate operands, computed.
  asm("add.u32 %0, %1, (1 + 2) * 4 - ~0;" : "=r"(out[11]) : "r"(a));
  asm("and.b32 %0, %1, 0xffU;" : "=r"(out[12]) : "r"(a));
  // A predicate through several instructions, and a result nobody wants.
  asm("{ .reg .pred p, q, r; setp.lt.and.u32 p|q, %1, %2, !r; setp.eq.u32 r, 1, 1;"
      "  setp.lt.or.u32 p|_, %2, %1, r; and.pred q, p, r; not.pred q, q;"
      "  selp.u32 %0, 3, 4, q; }"
      : "=r"(out[13])
      : "r"(a), "r"(b));
  // Registers of floating point are bits.
  asm("{ .reg .f32 x; .reg .b32 y; mov.f32 x, %1; mov.b32 y, x; xor.b32 %0, y, 0x80000000; }"
      : "=r"(out[14])
      : "f"(1.0f));
  // No instruction at all, or only some of nothing.
  asm volatile("" ::: "memory");
  asm volatile("{ ; }");
  asm volatile("// nothing\n");
  // The last semicolon may be missing.
  asm("not.b32 %0, %1" : "=r"(out[15]) : "r"(a));
  // Vectors.
  asm volatile("{ .reg .u32 x, y; ld.global.v2.u32 {x, y}, [%1+8]; add.u32 %0, x, y; }"
               : "=r"(out[16])
               : "l"(in)
               : "memory");
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, 7};" ::"l"(out + 20), "r"(a), "r"(b),
               "r"(a + b)
               : "memory");
  asm("{ .reg .b16 x, y; .reg .b32 z; mov.b32 {x, y}, %1; mov.b32 z, {y, x};"
      "  mov.b32 %0, z; }"
      : "=r"(out[17])
      : "r"(0x12345678));
}

__global__ void exits(u32 *out) {
  out[threadIdx.x] = 1;
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, 3; @p exit; }" ::"r"(threadIdx.x));
  out[threadIdx.x] = 2;
  __syncthreads();
  if (threadIdx.x == 1)
    asm volatile("exit;");
  out[threadIdx.x] = 3;
}

template <class T> __device__ T keep(T value) {
  const volatile void *volatile place = &reinterpret_cast<const volatile char &>(value);
  asm volatile("" ::"l"(place) : "memory");
  asm volatile("" ::"l"(&value), "r"(0), "n"(4));
  return value;
}

// Statements without text: values go through them, in one register or in several.
__global__ void withoutText(u32 *out, const u32 *in) {
  u32 a = keep(in[0]), b = in[1], c;
  asm volatile("" : "+r"(a)::"memory");
  asm("" : "+r"(a), "+r"(b));
  asm volatile("" : "=r"(c) : "0"(a + b));
  u64 wide = keep((u64)a << 32);
  float x = keep(1.5f);
  double y = 0.25;
  asm volatile("" : "+l"(wide), "+f"(x), "+d"(y) : "r"(c));
  u32 *place = out;
  asm("" : "+l"(place));
  u32 nobodyKnows;
  asm volatile("" : "=r"(nobodyKnows));
  if (b == 0)
    out[5] = nobodyKnows;
  place[0] = a;
  place[1] = b;
  place[2] = c;
  place[3] = (u32)(wide >> 32);
  place[4] = (u32)((x + y) * 4);
}

// One that lets the compiler forget what it knows of memory: the loop reads it each time.
__global__ void polls(u32 *out) {
  if (threadIdx.x == 0) {
    while (out[0] == 0)
      asm volatile("" ::: "memory");
    out[1] = out[0] + 1;
  } else if (threadIdx.x == 63) {
    out[0] = 41;
    __threadfence();
  }
}

int main() {
  const u32 a = 0xdead0007, b = 0x1234;
  check::Array<u32> out(results), in(std::vector<u32>{a, b, 77, 99, 0, 0});
  check::Array<u64> wide(1);
  check::Array<float> floats(2);
  blocks<<<1, 1>>>(out, in, wide, floats);
  const std::vector<u32> want = {2188, (a + b) * 2, b, b + 5, 12, 8, a, b, a + 42, 0,
                                 2, a + 13, a & 0xff, 4, 0xbf800000, ~a, 176, 0x56781234};
  out.get();
  for (size_t i = 0; i < want.size(); ++i)
    CHECK_AT((int)i, out.host[i], want[i]);
  const u32 stored[] = {a, b, a + b, 7};
  for (int i = 0; i < 4; ++i)
    CHECK_AT(i, out.host[20 + i], stored[i]);
  CHECK_EQ(floats.get()[0], 2.5f);
  CHECK_EQ(floats.host[1], 2.25f);
  check::Array<u32> left(64);
  exits<<<1, 64>>>(left);
  left.get();
  for (int i = 0; i < 64; ++i)
    CHECK_AT(i, left.host[i], i > 3 ? 1u : i == 1 ? 2u : 3u);
  check::Array<u32> kept(8);
  withoutText<<<1, 1>>>(kept, in);
  kept.get();
  const u32 went[] = {a, b, a + b, a, 7};
  for (int i = 0; i < 5; ++i)
    CHECK_AT(i, kept.host[i], went[i]);
  check::Array<u32> polled(2);
  polls<<<1, 64>>>(polled);
  CHECK_EQ(polled.get()[1], 42u);
  return check::finish("blocks");
}
