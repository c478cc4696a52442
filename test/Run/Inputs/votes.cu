// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that a block's threads enter together and leave at very different times: after as
// many rounds as their data say, by two ways, in a loop around them, and with threads that
// have ended before. Prints a line for each.

#include "moved.h"

/// Who knows how often; each eighth thread has ended.
__global__ void collatz(uint64_t *out, unsigned most) {
  if (threadIdx.x % 8 == 5)
    return;
  uint64_t x = mix(index()) | 1, steps = 0;
  const uint64_t end = mix(index()) % most;
  do {
    x = x & 1 ? 3 * x + 1 : x / 2;
    if (x <= 1)
      x = mix(steps + index()) | 1;
    ++steps;
  } while (x % most != end);
  out[index()] = x + steps;
}

/// A counted loop that some leave before its end.
__global__ void mandelbrot(uint64_t *out, int rounds) {
  const float cx = -0.75f + 0.0001f * (index() % 32), cy = 0.002f * (index() / 32);
  float x = 0, y = 0;
  int k = 0;
  for (; k < rounds; ++k) {
    const float xx = x * x, yy = y * y;
    if (xx + yy > 4)
      break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
  }
  out[index()] = mix(out[index()]) + k + __float_as_uint(k == rounds ? x : y) * uint64_t(1 << 20);
}

/// Two ways out, which lead to different places; the values that they bring differ.
__global__ void ways(uint64_t *out, unsigned most) {
  uint64_t x = out[index()];
  unsigned k = 0;
  for (;; ++k) {
    const uint64_t y = mix(x + k);
    if (y % most == 7) {
      out[index()] = mix(y) * 3;
      break;
    }
    x = mix(x ^ y);
    if (x % most == 11) {
      out[index()] = x + k;
      return;
    }
  }
  out[index()] += k;
}

/// Random walks in rounds that all begin together, over a table in shared memory.
__global__ void walks(uint64_t *out, int rounds, unsigned most) {
  __shared__ uint32_t table[256];
  for (unsigned i = threadIdx.x; i < 256; i += threads)
    table[i] = mix(i) >> 40;
  __syncthreads();
  uint64_t x = out[index()];
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    uint32_t at = x >> 56, *place = table + at, steps = 0;
    do {
      x = mix(x + *place);
      place = table + (x >> 56);
      sum += double(steps++) * 0.5;
    } while (x % most != 3);
    __syncthreads();
    if (threadIdx.x == round % threads)
      table[x >> 56] += steps + *place;
    __syncthreads();
  }
  out[index()] = x + uint64_t(sum);
}

/// Threads that take turns, by a lock: none may wait in its turn for those before it.
__global__ void turns(uint64_t *out, int *lock, volatile uint64_t *sum, int rounds) {
  if (threadIdx.x >= 8)
    return;
  while (atomicCAS(lock, 0, 1))
    ;
  __threadfence();
  uint64_t x = *sum, y = index();
  for (int i = 0; i < rounds; ++i)
    y = mix(y + i);
  do
    y = mix(y);
  while (y % 100 != 3);
  *sum = x + y;
  __threadfence();
  atomicExch(lock, 0);
}

template <class... Parameters, class... Arguments>
static void run(const char *name, uint64_t *out, void (*kernel)(Parameters...),
                Arguments... arguments) {
  kernel<<<blocks, threads>>>(out, arguments...);
  check(cudaGetLastError());
  std::vector<uint64_t> result(number);
  check(cudaMemcpy(result.data(), out, number * 8, cudaMemcpyDeviceToHost));
  print(name, result);
}

int main(int, char **arguments) {
  const int much = std::atoi(arguments[1]);
  uint64_t *out, sum;
  int *lock;
  check(cudaMalloc(&lock, 16));
  check(cudaMemset(lock, 0, 16));
  check(cudaMalloc(&out, number * 8));
  check(cudaMemset(out, 0, number * 8));
  run("collatz", out, collatz, much * 40u);
  run("mandelbrot", out, mandelbrot, much * 200);
  run("ways", out, ways, much * 60u);
  run("walks", out, walks, much / 4 + 2, 500u);
  run("turns", out, turns, lock, reinterpret_cast<volatile uint64_t *>(lock) + 1, much * 10);
  check(cudaMemcpy(&sum, lock + 2, 8, cudaMemcpyDeviceToHost));
  std::printf("sum %016llx\n", static_cast<unsigned long long>(sum));
  return 0;
}
