// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __ballot_sync under nested branches and in a loop with lane-dependent trip
// counts, once or again and again; the mask of each inner vote comes from the outer one.
// CUDA C++ Programming Guide: Warp Vote Functions.

#include "Inputs/check.h"

__global__ void nested(unsigned *out) {
  int lane = threadIdx.x;
  unsigned outer = __ballot_sync(~0u, lane % 3 != 0), inner = 0, innermost = 0;
  if (lane % 3 != 0) {
    inner = __ballot_sync(outer, lane & 4);
    if (lane & 4) {
      innermost = __ballot_sync(inner, lane > 15);
      if (lane > 15)
        innermost ^= __ballot_sync(innermost, lane & 1) << 1;
    } else {
      innermost = __ballot_sync(outer & ~inner, lane < 9);
    }
  }
  out[lane * 3] = outer;
  out[lane * 3 + 1] = inner;
  out[lane * 3 + 2] = innermost;
}

// Each round votes who goes on, so that the next round has its mask.
__global__ void rounds(const int *trips, unsigned *out) {
  int lane = threadIdx.x, left = trips[lane];
  unsigned mask = ~0u, hash = 0;
  while (true) {
    unsigned next = __ballot_sync(mask, left > 0);
    hash = hash * 31 + next;
    if (left-- <= 0)
      break;
    mask = next;
  }
  out[lane] = hash;
}

// The lanes that leave the loop early come to the same vote again, with all lanes in
// their mask, and wait there for those that vote by themselves first.
__global__ void repeated(const int *trips, unsigned *out, int times) {
  int lane = threadIdx.x;
  unsigned hash = 0;
  for (int time = 0; time < times; ++time) {
    unsigned mask = ~0u;
    for (int left = trips[lane];; --left) {
      mask = __ballot_sync(mask, left > 0);
      hash = hash * 31 + mask;
      if (left <= 0)
        break;
    }
  }
  __syncthreads();
  out[lane] = hash;
}

int main() {
  check::Array<unsigned> out(96);
  nested<<<1, 32>>>(out);
  out.get();
  auto lanes = [](auto predicate) {
    unsigned mask = 0;
    for (int l = 0; l < 32; ++l)
      mask |= predicate(l) ? 1u << l : 0;
    return mask;
  };
  unsigned outer = lanes([](int l) { return l % 3 != 0; });
  unsigned inner = outer & lanes([](int l) { return l & 4; });
  unsigned high = inner & lanes([](int l) { return l > 15; });
  unsigned odd = high & lanes([](int l) { return l & 1; });
  unsigned low = outer & ~inner & lanes([](int l) { return l < 9; });
  for (int l = 0; l < 32; ++l) {
    bool in = l % 3 != 0;
    CHECK_AT(l, out.host[l * 3], outer);
    CHECK_AT(l, out.host[l * 3 + 1], in ? inner : 0u);
    unsigned last = !in ? 0 : !(l & 4) ? low : l > 15 ? high ^ odd << 1 : high;
    CHECK_AT(l, out.host[l * 3 + 2], last);
  }

  std::vector<int> trips(32);
  for (int l = 0; l < 32; ++l)
    trips[l] = l * 13 % 11;
  check::Array<int> in(trips);
  rounds<<<1, 32>>>(in, out);
  out.get();
  for (int l = 0; l < 32; ++l) {
    unsigned hash = 0;
    for (int round = 0; round <= trips[l]; ++round)
      hash = hash * 31 + lanes([&](int k) { return trips[k] > round; });
    CHECK_AT(l, out.host[l], hash);
  }

  for (int l = 0; l < 32; ++l)
    trips[l] = l == 7 ? 3 : l == 9 ? 1 : 0;
  check::Array<int> few(trips);
  repeated<<<1, 32>>>(few, out, 3);
  out.get();
  for (int l = 0; l < 32; ++l) {
    unsigned hash = 0;
    for (int time = 0; time < 3; ++time)
      for (int round = 0; round <= trips[l]; ++round)
        hash = hash * 31 + lanes([&](int k) { return trips[k] > round; });
    CHECK_AT(l, out.host[l], hash);
  }
  return check::finish("nested_ballot");
}
