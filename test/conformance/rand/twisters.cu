// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcurand
//
// MTGP32 and MT19937: by the host interface what kernels give (MTGP32), and what the C++
// library does (MT19937's first part).

#include "Inputs/rand.h"
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <random>

using namespace rnd;

constexpr int blocks = 3, rows = 5;

/// Row by row as the host interface puts them, with `generators` in turn.
__global__ void twist(curandStateMtgp32_t *states, unsigned *bits, float *uniform,
                      int generators) {
  for (int row = 0; row < rows; ++row) {
    const unsigned at = (row * generators + blockIdx.x) * 256 + threadIdx.x;
    if (uniform)
      uniform[at] = curand_uniform(&states[blockIdx.x]);
    else
      bits[at] = curand(&states[blockIdx.x]);
  }
}

static void checkMtgp(curandOrdering_t order, int generators, bool host) {
  mtgp32_kernel_params_t *parameters = nullptr;
  curandStateMtgp32_t *states = nullptr;
  CUDA(cudaMalloc(&parameters, sizeof(*parameters)));
  CUDA(cudaMalloc(&states, blocks * sizeof(*states)));
  RAND(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters));
  const size_t count = size_t(generators) * 256 * rows;
  check::Array<unsigned> bits(count);
  RAND(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, parameters, blocks,
                                   1234));
  twist<<<blocks, 256>>>(states, bits, nullptr, generators);
  Generator generator(CURAND_RNG_PSEUDO_MTGP32, host);
  RAND(curandSetGeneratorOrdering(generator, order));
  RAND(curandSetPseudoRandomGeneratorSeed(generator, 1234));
  const std::vector<unsigned> found =
      generate<unsigned>(generator, {100, 1, 700, count - 801}, curandGenerate);
  bits.get();
  for (size_t i = 0; i < count; ++i)
    if (i / 256 % generators < blocks)
      CHECK_AT(static_cast<long long>(i), found[i], bits.host[i]);
  CUDA(cudaFree(states));
  CUDA(cudaFree(parameters));
}

/// The eight threads of a part give its words out in this order.
static unsigned wordOf(unsigned lane, unsigned turn) {
  const unsigned single[] = {0, 113, 170, 283, 340, 397, 510, 567};
  const unsigned groups[] = {1, 57, 114, 171, 227, 284, 341, 398, 454, 511, 568};
  return turn == 0 ? single[lane] : groups[(turn - 1) / 7] + 7 * lane + (turn - 1) % 7;
}

static void checkMersenne(bool host) {
  Generator generator(CURAND_RNG_PSEUDO_MT19937, host);
  RAND(curandSetPseudoRandomGeneratorSeed(generator, 1234));
  const std::vector<unsigned> found =
      generate<unsigned>(generator, {3, 20, 1}, curandGenerate);
  std::mt19937 first(1234);
  std::vector<unsigned> words(624);
  for (unsigned &word : words)
    word = first();
  for (unsigned lane = 0; lane < 8; ++lane)
    CHECK_AT(lane, found[lane], words[wordOf(lane, 0)]);
  // Parts 1 and 2 begin 2^2048 and 2^2049 words on.
  const unsigned known[] = {1864832060, 582314992,  2830178464, 4278202405,
                            350165580,  1369722566, 639547094,  3062824702};
  for (unsigned lane = 0; lane < 8; ++lane)
    CHECK_AT(lane, found[8 + lane], known[lane]);
}

/// All that the first part gives out of its first two states.
static void checkMersenneLong() {
  Generator generator(CURAND_RNG_PSEUDO_MT19937, true);
  RAND(curandSetPseudoRandomGeneratorSeed(generator, 99));
  const std::vector<unsigned> found =
      generate<unsigned>(generator, {65536 * 80, 65536 * 10}, curandGenerate);
  std::mt19937 first(99);
  std::vector<unsigned> words(2 * 624);
  for (unsigned &word : words)
    word = first();
  for (unsigned turn = 0; turn < 90; ++turn)
    for (unsigned lane = 0; lane < 8; ++lane)
      CHECK_AT(turn, found[turn * 65536 + lane],
               words[turn / 78 * 624 + wordOf(lane, turn % 78)]);
}

int main() {
  const bool few = check::setting("HET_LITMUS_RUNS", 1 << 20) <= 2000;
  for (bool host : {true, false}) {
    checkMersenne(host);
    if (few && !host)
      continue;
    checkMtgp(CURAND_ORDERING_PSEUDO_LEGACY, 64, host);
    checkMtgp(CURAND_ORDERING_PSEUDO_DEFAULT, 192, host);
  }
  if (!few)
    checkMersenneLong();
  return check::finish("twisters");
}
