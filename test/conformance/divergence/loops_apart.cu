// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that lanes leave in different rounds and by different ways: break, continue, goto
// out of several loops, return, loops in loops, lanes that never enter. The same functions
// run on the CPU, thread by thread. Blocks have sizes that no vector divides.
// CUDA C++ Programming Guide: SIMT Architecture.

#include "Inputs/check.h"

#define BOTH __host__ __device__ inline

constexpr int textSize = 4096, rowCount = 700;

struct Input {
  const unsigned char *text;
  const int *number, *row;
  const float *real;
};

// Each turn takes another way, until a limit that differs.
BOTH int collatz(const Input &in, int t) {
  unsigned v = in.number[t % textSize] & 0xffff, rounds = 0;
  while (v > 1) {
    v = v & 1 ? 3 * v + 1 : v >> 1;
    if (++rounds > 40u + t % 64)
      break;
  }
  return rounds * 1000003 + v;
}

// Two loops that are left at once, a loop inside that is left early, and its end.
BOTH int search(const Input &in, int t) {
  int found = -1;
  for (int i = 0; i < 48; ++i) {
    int j = 0;
    for (; j < 3; ++j) {
      unsigned char c = in.text[(t * 5 + i + j) % textSize];
      if (c == 'z')
        goto out;
      if (c != "abc"[j])
        break;
    }
    if (j == 3) {
      found = i;
      break;
    }
  }
out:
  return found;
}

// Rows of different lengths, of which some have none; what is passed over, and an end.
BOTH float rowSum(const Input &in, int t) {
  float sum = -0.0f;
  int r = t % rowCount;
  for (int j = in.row[r]; j < in.row[r + 1]; ++j) {
    float value = in.real[j];
    if (value < -40)
      continue;
    if (value > 48)
      break;
    sum += value;
  }
  return sum;
}

// Divides only where the divisor is not zero, and not the smallest number by -1.
BOTH int divisions(const Input &in, int t) {
  int sum = 0;
  for (int i = 0; i < t % 23; ++i) {
    int a = in.number[(t + i) % textSize], b = in.number[(t * 3 + i) % textSize] % 4;
    if (b != 0 && !(b == -1 && a == (int)0x80000000))
      sum += a / b + a % b;
    else if (i > 17)
      return sum ^ i;
  }
  return sum;
}

// A state machine whose lanes are in different states.
BOTH int machine(const Input &in, int t) {
  int state = t % 4, out = 0;
  for (int i = 0; i < 60 && state != 5; ++i) {
    unsigned char c = in.text[(t + i * 7) % textSize];
    switch (state) {
    case 0:
      state = c & 1 ? 1 : 2;
      break;
    case 1:
      out += c;
      state = c & 2 ? 3 : 0;
      break;
    case 2:
      out ^= c << (i & 7);
      state = c > 'x' ? 5 : 1;
      break;
    default:
      out = out * 3 + 1;
      state = 0;
    }
  }
  return out * 8 + state;
}

// Triangles: the inner loop's bound is the outer loop's count; lanes enter late.
BOTH int triangle(const Input &in, int t) {
  int sum = 0;
  if (t % 3 == 1)
    return -1;
  for (int i = t % 5; i < 12; i += 1 + t % 2)
    for (int j = i; j >= 0; j -= 2)
      for (int k = 0; k < (in.number[(t + j) % textSize] & 3); ++k)
        sum += (i ^ j) + k * t;
  return sum;
}

// Euclid, with numbers of 64 bits, and shifts by amounts that differ.
BOTH int euclid(const Input &in, int t) {
  unsigned long long a = (unsigned)in.number[t % textSize] * 77ull, b = t * 1001ull;
  while (b) {
    unsigned long long rest = a % b;
    a = b;
    b = rest;
  }
  return (int)(a ^ a >> (a & 31));
}

// NaN ends a loop, or never does; -0 stays.
BOTH float special(const Input &in, int t) {
  float x = in.real[t % textSize], least = x;
  for (int i = 0; !(x != x) && i < 30; ++i) {
    x = t % 7 == 0 && i == 9 ? __builtin_nanf("") : -x;
    if (x < least)
      least = x;
    if (t % 11 == 3)
      least = -0.0f;
  }
  return t % 2 ? least : x;
}

__global__ void all(Input in, int *ints, float *floats, int count) {
  int t = blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) +
          (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  ints[t] = collatz(in, t);
  ints[count + t] = search(in, t);
  ints[2 * count + t] = divisions(in, t);
  ints[3 * count + t] = machine(in, t);
  ints[4 * count + t] = triangle(in, t);
  ints[5 * count + t] = euclid(in, t);
  floats[t] = rowSum(in, t);
  floats[count + t] = special(in, t);
}

template <int which> __global__ void one(Input in, int *ints, float *floats, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  switch (which) {
  case 0:
    ints[t] = collatz(in, t);
    break;
  case 1:
    ints[t] = search(in, t);
    break;
  case 2:
    ints[t] = divisions(in, t);
    break;
  case 3:
    ints[t] = machine(in, t);
    break;
  case 4:
    ints[t] = triangle(in, t);
    break;
  case 5:
    ints[t] = euclid(in, t);
    break;
  case 6:
    floats[t] = rowSum(in, t);
    break;
  case 7:
    floats[t] = special(in, t);
  }
}

template <int which>
void runOne(const Input &device, const Input &host, int *ints, float *floats) {
  constexpr int count = 1000;
  one<which><<<(count + 95) / 96, 96>>>(device, ints, floats, count);
  std::vector<int> foundInts(count);
  std::vector<float> foundFloats(count);
  CUDA(cudaMemcpy(foundInts.data(), ints, count * 4, cudaMemcpyDefault));
  CUDA(cudaMemcpy(foundFloats.data(), floats, count * 4, cudaMemcpyDefault));
  int (*const ofInts[])(const Input &, int) = {collatz, search,   divisions,
                                               machine, triangle, euclid};
  for (int t = 0; t < count; ++t)
    if (which < 6)
      CHECK_AT(t, foundInts[t], ofInts[which % 6](host, t));
    else
      CHECK_AT(t, foundFloats[t], which == 6 ? rowSum(host, t) : special(host, t));
}

static void runAll(const Input &device, const Input &host, dim3 block, int blocks) {
  const int count = block.x * block.y * block.z * blocks - 2;
  if (count < 1)
    return;
  check::Array<int> ints(6 * count);
  check::Array<float> floats(2 * count);
  all<<<blocks, block>>>(device, ints, floats, count);
  ints.get();
  floats.get();
  for (int t = 0; t < count; ++t) {
    CHECK_AT(t, ints.host[t], collatz(host, t));
    CHECK_AT(t, ints.host[count + t], search(host, t));
    CHECK_AT(t, ints.host[2 * count + t], divisions(host, t));
    CHECK_AT(t, ints.host[3 * count + t], machine(host, t));
    CHECK_AT(t, ints.host[4 * count + t], triangle(host, t));
    CHECK_AT(t, ints.host[5 * count + t], euclid(host, t));
    CHECK_AT(t, floats.host[t], rowSum(host, t));
    CHECK_AT(t, floats.host[count + t], special(host, t));
  }
}

int main() {
  check::Array<unsigned char> text(textSize);
  check::Array<int> number(textSize), row(rowCount + 1);
  check::Array<float> real(textSize * 4);
  unsigned state = 12345;
  auto next = [&] { return state = state * 1664525u + 1013904223u; };
  for (int i = 0; i < textSize; ++i) {
    text.host[i] = "abcabcabcaz"[(next() >> 16) % 11];
    number.host[i] = next() >> 9 & 1 ? (int)next() : (int)(next() >> 16) % 200 - 100;
  }
  for (int i = 0; i < textSize; i += 16)
    memcpy(&text.host[i], "abc", 3);
  for (int i = 0; i < rowCount; ++i)
    row.host[i + 1] = row.host[i] + (next() >> 20) % 19 * ((next() >> 20) % 4 != 0);
  for (int i = 0; i < textSize * 4; ++i)
    real.host[i] = ((int)(next() >> 16) % 100 - 50) * 0.7f;
  text.put();
  number.put();
  row.put();
  real.put();
  Input host{text.host.data(), number.host.data(), row.host.data(), real.host.data()};
  Input device{text, number, row, real};
  check::Array<int> ints(1000);
  check::Array<float> floats(1000);
  runOne<0>(device, host, ints, floats);
  runOne<1>(device, host, ints, floats);
  runOne<2>(device, host, ints, floats);
  runOne<3>(device, host, ints, floats);
  runOne<4>(device, host, ints, floats);
  runOne<5>(device, host, ints, floats);
  runOne<6>(device, host, ints, floats);
  runOne<7>(device, host, ints, floats);
  for (dim3 block : {dim3(1), dim3(3), dim3(5), dim3(31), dim3(33), dim3(100), dim3(256),
                     dim3(7, 5), dim3(17, 3, 2), dim3(32, 4)})
    runAll(device, host, block, 4);
  return check::finish("loops_apart");
}
