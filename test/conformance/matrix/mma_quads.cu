// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync.m8n8k4 of f16, Volta's, in which each pair of quads multiplies matrices of its
// own: all layouts, sums in f32 and f16.
// PTX ISA: Matrix Fragments for mma.m8n8k4 with .f16 floating point type.

#include "Inputs/matrix.h"

using namespace matrix;

#define WIDE(name, layouts)                                                              \
  __global__ void name(const u32 *a, const u32 *b, const u32 *c, u32 *d) {               \
    const int l = threadIdx.x;                                                           \
    u32 r[8];                                                                            \
    asm volatile("mma.sync.aligned.m8n8k4." layouts ".f32.f16.f16.f32 "                  \
                 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, "              \
                 "{%12, %13, %14, %15, %16, %17, %18, %19};"                             \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), \
                   "=r"(r[6]), "=r"(r[7])                                                \
                 : "r"(a[l]), "r"(a[l + 32]), "r"(b[l]), "r"(b[l + 32]), "r"(c[l]),      \
                   "r"(c[l + 32]), "r"(c[l + 64]), "r"(c[l + 96]), "r"(c[l + 128]),      \
                   "r"(c[l + 160]), "r"(c[l + 192]), "r"(c[l + 224]));                   \
    for (int i = 0; i < 8; ++i)                                                          \
      d[i * 32 + l] = r[i];                                                              \
  }
#define NARROW(name, layouts)                                                            \
  __global__ void name(const u32 *a, const u32 *b, const u32 *c, u32 *d) {               \
    const int l = threadIdx.x;                                                           \
    u32 r[4];                                                                            \
    asm volatile("mma.sync.aligned.m8n8k4." layouts ".f16.f16.f16.f16 {%0, %1, %2, %3}, " \
                 "{%4, %5}, {%6, %7}, {%8, %9, %10, %11};"                               \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                        \
                 : "r"(a[l]), "r"(a[l + 32]), "r"(b[l]), "r"(b[l + 32]), "r"(c[l]),      \
                   "r"(c[l + 32]), "r"(c[l + 64]), "r"(c[l + 96]));                      \
    for (int i = 0; i < 4; ++i)                                                          \
      d[i * 32 + l] = r[i];                                                              \
  }
WIDE(wideRR, "row.row")
WIDE(wideRC, "row.col")
WIDE(wideCR, "col.row")
WIDE(wideCC, "col.col")
NARROW(narrowRR, "row.row")
NARROW(narrowRC, "row.col")
NARROW(narrowCR, "col.row")
NARROW(narrowCC, "col.col")

// Where element i of lane l is.
static Place inA(bool byRows, int l, int i) {
  const int upper = l < 16 ? 0 : 4;
  return byRows ? Place{l % 4 + upper, i} : Place{i + upper, l % 4};
}
static Place inB(bool byRows, int l, int i) {
  const int upper = l < 16 ? 0 : 4;
  return byRows ? Place{l % 4, i + upper} : Place{i, l % 4 + upper};
}
static Place inC(bool isWide, int l, int i) {
  const int upper = l < 16 ? 0 : 4;
  if (isWide)
    return {(l & 1) + (i & 2) + upper, (i & 4) + (l & 2) + (i & 1)};
  return {l % 4 + upper, i};
}

static void test(void (*kernel)(const u32 *, const u32 *, const u32 *, u32 *), bool rowsA,
                 bool rowsB, bool isWide) {
  unsigned state = 17;
  const Type sum = isWide ? F32 : F16;
  for (int round = 0; round < 6; ++round) {
    const Fill how = round < 2 ? Small : round < 4 ? Random : Extreme;
    check::Array<u32> a(64), b(64), c(isWide ? 256 : 128), d(isWide ? 256 : 128);
    std::vector<Matrix> expected;
    for (int pair = 0; pair < 4; ++pair) {
      Matrix ma(F16, 8, 4), mb(F16, 4, 8), mc(sum, 8, 8);
      fill(ma, how, state), fill(mb, how, state), fill(mc, how, state);
      expected.push_back(product(ma, mb, mc, sum, false, false));
      for (int lane = 0; lane < 32; ++lane) {
        if (lane / 4 % 4 != pair)
          continue;
        for (int i = 0; i < 4; ++i) {
          const Place pa = inA(rowsA, lane, i), pb = inB(rowsB, lane, i);
          a.host[i / 2 * 32 + lane] |= (u32)ma.at(pa.row, pa.column) << 16 * (i % 2);
          b.host[i / 2 * 32 + lane] |= (u32)mb.at(pb.row, pb.column) << 16 * (i % 2);
        }
        for (int i = 0; i < 8; ++i) {
          const Place pc = inC(isWide, lane, i);
          if (isWide)
            c.host[i * 32 + lane] = (u32)mc.at(pc.row, pc.column);
          else
            c.host[i / 2 * 32 + lane] |= (u32)mc.at(pc.row, pc.column) << 16 * (i % 2);
        }
      }
    }
    a.put(), b.put(), c.put();
    kernel<<<1, 32>>>(a, b, c, d);
    d.get();
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 8; ++i) {
        const Place at = inC(isWide, lane, i);
        const u32 found = isWide ? d.host[i * 32 + lane]
                                 : d.host[i / 2 * 32 + lane] >> 16 * (i % 2) & 0xffff;
        CHECK_AT(round * 1000 + lane * 10 + i, found,
                 (u32)expected[lane / 4 % 4].at(at.row, at.column));
      }
  }
}

int main() {
  test(wideRR, true, true, true);
  test(wideRC, true, false, true);
  test(wideCR, false, true, true);
  test(wideCC, false, false, true);
  test(narrowRR, true, true, false);
  test(narrowRC, true, false, false);
  test(narrowCR, false, true, false);
  test(narrowCC, false, false, false);
  return check::finish("mma_quads");
}
