// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -G
//
// Fewer places than threads that want one: a thread that finds a place taken tries
// another, and those that have one meet in a shuffle, or wait, before they give it back.
// And locks that are taken by drawing a number, which is given back if it is not the one;
// semaphores; bits of a word.
// CUDA C++ Programming Guide: Independent Thread Scheduling.

#include "Inputs/check.h"

// A place where other lanes may get on.
__device__ void letOthersRun() { __syncwarp(1u << threadIdx.x % 32); }

// Lanes of a pair have a slot each, or wait for one, while they exchange values.
__global__ void shuffled(int *slots, int count, int *out) {
  int lane = threadIdx.x % 32, pair = lane / 2, s = lane % count;
  unsigned mask = 3u << (pair * 2);
  // The pairs come one after another: an even lane's slot is its partner's as well.
  if (lane % 2 == 0)
    while (atomicCAS(&slots[s], 0, 1))
      s = (s + 1) % count;
  int sum = __shfl_xor_sync(mask, lane, 1) * 100 + lane;
  sum += __shfl_xor_sync(mask, sum, 1);
  if (lane % 2 == 0)
    atomicExch(&slots[s], 0);
  out[threadIdx.x] = sum;
}

// The same with nothing but memory: even threads keep their slots until the next thread,
// which needs none, has come by.
__global__ void inTurn(int *slots, int count, volatile int *found, int *out) {
  int t = threadIdx.x, s = t * 7 % count;
  if (t % 2) {
    found[t] = 1;
    return;
  }
  while (atomicCAS(&slots[s], 0, t + 1))
    s = (s + 1) % count;
  while (!found[t + 1]) {
  }
  out[t] = atomicExch(&slots[s], 0);
}

// Bits of one word are the places.
__global__ void bits(unsigned *word, int width, int *in, int *out) {
  int t = threadIdx.x, bit = t % width;
  while (atomicOr(word, 1u << bit) >> bit & 1)
    bit = (bit + 1) % width;
  __threadfence();
  in[bit] += t;
  letOthersRun();
  __threadfence();
  atomicAnd(word, ~(1u << bit));
  atomicAdd(out, 1);
}

// A number is drawn, and given back if it is too high.
__global__ void drawn(int *held, int *sum) {
  while (atomicAdd(held, 1) != 0)
    atomicSub(held, 1);
  __threadfence();
  int before = *(volatile int *)sum;
  letOthersRun();
  *(volatile int *)sum = before + 1;
  __threadfence();
  atomicSub(held, 1);
}

// What is left of a semaphore is swapped for one less, but not below zero.
__global__ void semaphore(int *left, int *inside, int *most, int *out) {
  int old = *left, assumed;
  do {
    assumed = old;
    old = atomicCAS(left, assumed, assumed > 0 ? assumed - 1 : 0);
  } while (assumed != old || assumed == 0);
  int now = atomicAdd(inside, 1) + 1;
  atomicMax(most, now);
  letOthersRun();
  atomicSub(inside, 1);
  atomicAdd(left, 1);
  atomicAdd(out, 1);
}

// A ring of places that are filled and emptied: lanes put, then take in another order.
__global__ void ring(int *places, int count, int *sum) {
  int t = threadIdx.x;
  if (t % 2) {
    int s = t % count;
    while (atomicCAS(&places[s], 0, t) != 0)
      s = (s + 1) % count;
  } else {
    int s = t % count, got;
    while ((got = atomicExch(&places[s], 0)) == 0)
      s = (s + 1) % count;
    atomicAdd(sum, got);
  }
}

int main() {
  constexpr int blocks = 3, threads = 64;
  check::Array<int> slots(8), found(threads), out(threads), one(1), most(1), in(32);
  for (int count : {1, 2, 3}) {
    slots.fill(0), out.fill(0);
    shuffled<<<1, threads>>>(slots, count, out);
    out.get();
    for (int t = 0; t < threads; ++t) {
      int lane = t % 32, sum = (lane ^ 1) * 100 + lane;
      CHECK_AT(t, out.host[t], sum + lane * 100 + (lane ^ 1));
    }
  }
  slots.fill(0);
  inTurn<<<1, threads>>>(slots, 2, found, out);
  out.get();
  for (int t = 0; t < threads; ++t)
    if (t % 2 == 0)
      CHECK_AT(t, out.host[t], t + 1);

  check::Array<unsigned> word(1);
  one.fill(0);
  bits<<<blocks, threads>>>(word, 3, in, one);
  CHECK_EQ(one.get()[0], blocks * threads);
  in.get();
  CHECK_EQ(in.host[0] + in.host[1] + in.host[2], blocks * threads * (threads - 1) / 2);

  one.fill(0), slots.fill(0);
  drawn<<<blocks, threads>>>(slots, one);
  CHECK_EQ(one.get()[0], blocks * threads);

  one.fill(0), slots.fill(0);
  slots.host[0] = 2;
  slots.put();
  semaphore<<<blocks, threads>>>(slots, found, most, one);
  CHECK_EQ(one.get()[0], blocks * threads);
  CHECK_TRUE(most.get()[0] <= 2);
  CHECK_EQ(slots.get()[0], 2);

  one.fill(0), slots.fill(0);
  ring<<<blocks, threads>>>(slots, 2, one);
  int want = 0;
  for (int t = 1; t < threads; t += 2)
    want += t;
  CHECK_EQ(one.get()[0], blocks * want);
  return check::finish("slots");
}
