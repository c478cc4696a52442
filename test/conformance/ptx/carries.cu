// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -rdc=true
//
// The carry goes from one asm statement to the next, through small functions and round
// loops, as code for large integers has it.
// PTX ISA: Extended-Precision Integer Arithmetic Instructions.

#include "Inputs/check.h"

constexpr int words = 8;

struct Wide {
  unsigned word[words];
};

__device__ unsigned addFirst(unsigned x, unsigned y) {
  unsigned sum;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(x), "r"(y));
  return sum;
}
__device__ unsigned addNext(unsigned x, unsigned y) {
  unsigned sum;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(x), "r"(y));
  return sum;
}
__device__ unsigned carryOut() {
  unsigned carry;
  asm volatile("addc.u32 %0, 0, 0;" : "=r"(carry));
  return carry;
}

// Eight words, and the carry that is left.
__device__ unsigned add(Wide &sum, const Wide &x, const Wide &y) {
  sum.word[0] = addFirst(x.word[0], y.word[0]);
#pragma unroll
  for (int i = 1; i < words; ++i)
    sum.word[i] = addNext(x.word[i], y.word[i]);
  return carryOut();
}

// The same round a loop that stays one.
__device__ unsigned addInLoop(Wide &sum, const Wide &x, const Wide &y, int count) {
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum.word[0]) : "r"(x.word[0]), "r"(y.word[0]));
#pragma unroll 1
  for (int i = 1; i < count; ++i)
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum.word[i]) : "r"(x.word[i]), "r"(y.word[i]));
  return carryOut();
}

__device__ unsigned subtract(Wide &rest, const Wide &x, const Wide &y) {
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(rest.word[0]) : "r"(x.word[0]), "r"(y.word[0]));
#pragma unroll
  for (int i = 1; i < words; ++i)
    asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(rest.word[i]) : "r"(x.word[i]), "r"(y.word[i]));
  unsigned borrow;
  asm volatile("subc.u32 %0, 0, 0;" : "=r"(borrow));
  return borrow;
}

// x times one word, added to `sum`; what is above the eight words.
__device__ unsigned multiplyAdd(Wide &sum, const Wide &x, unsigned factor) {
  unsigned above;
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %0;" : "+r"(sum.word[0]) : "r"(x.word[0]), "r"(factor));
#pragma unroll
  for (int i = 1; i < words; ++i)
    asm volatile("madc.lo.cc.u32 %0, %1, %2, %0;" : "+r"(sum.word[i]) : "r"(x.word[i]), "r"(factor));
  asm volatile("addc.u32 %0, 0, 0;" : "=r"(above));
  asm volatile("mad.hi.cc.u32 %0, %1, %2, %0;" : "+r"(sum.word[1]) : "r"(x.word[0]), "r"(factor));
#pragma unroll
  for (int i = 2; i < words; ++i)
    asm volatile("madc.hi.cc.u32 %0, %1, %2, %0;" : "+r"(sum.word[i]) : "r"(x.word[i - 1]), "r"(factor));
  asm volatile("madc.hi.u32 %0, %1, %2, %0;" : "+r"(above) : "r"(x.word[words - 1]), "r"(factor));
  return above;
}

__global__ void compute(const Wide *x, const Wide *y, Wide *out, unsigned *over, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Wide *mine = out + i * 4;
  unsigned *rest = over + i * 4;
  rest[0] = add(mine[0], x[i], y[i]);
  rest[1] = addInLoop(mine[1], x[i], y[i], words);
  rest[2] = subtract(mine[2], x[i], y[i]);
  mine[3] = y[i];
  rest[3] = multiplyAdd(mine[3], x[i], y[i].word[3]);
}

// What came before, with words of twice the size.
static unsigned expected(int operation, const Wide &x, const Wide &y, Wide &result) {
  unsigned long long carry = 0;
  for (int i = 0; i < words; ++i) {
    unsigned long long sum;
    if (operation < 2)
      sum = (unsigned long long)x.word[i] + y.word[i] + carry;
    else if (operation == 2)
      sum = (unsigned long long)x.word[i] - y.word[i] - carry;
    else
      sum = (unsigned long long)x.word[i] * y.word[3] + y.word[i] + carry;
    result.word[i] = (unsigned)sum;
    carry = operation == 2 ? sum >> 63 : sum >> 32;
  }
  return operation == 2 ? -(unsigned)carry : (unsigned)carry;
}

int main() {
  const int n = 200;
  std::vector<Wide> x(n), y(n);
  unsigned state = 2024;
  // Words of ones and zeros bring long chains of carries.
  auto word = [&] {
    const unsigned bits = check::random(state);
    return bits % 4 == 0 ? 0u : bits % 4 == 1 ? ~0u : check::random(state);
  };
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < words; ++k) {
      x[i].word[k] = word();
      y[i].word[k] = i % 5 ? word() : ~x[i].word[k] + (k == 0);
    }
  check::Array<Wide> dx(x), dy(y), out(n * 4);
  check::Array<unsigned> over(n * 4);
  compute<<<4, 64>>>(dx, dy, out, over, n);
  out.get();
  over.get();
  for (int i = 0; i < n * 4; ++i) {
    Wide result;
    const unsigned rest = expected(i % 4, x[i / 4], y[i / 4], result);
    for (int k = 0; k < words; ++k)
      CHECK_AT(i * 10 + k, out.host[i].word[k], result.word[k]);
    CHECK_AT(i, over.host[i], rest);
  }
  return check::finish("carries");
}
