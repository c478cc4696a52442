// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's distributions in kernels: uniform numbers to the bit, and the means and variances
// of the others.
// cuRAND documentation: Device API, Distributions.

#include "Inputs/check.h"
#include <cmath>
#include <curand_kernel.h>

constexpr int threads = 64, rounds = 64, kinds = 9;

// Uniform numbers are over (0, 1], and what the bits say; those of Philox have 32.
__device__ double fromBits(curandStateXORWOW_t *state) {
  const unsigned long long low = curand(state), high = curand(state);
  return fma((double)(low ^ (high << 21)), 1.1102230246251565e-16, 5.5511151231257827e-17);
}
__device__ double fromBits(curandStatePhilox4_32_10_t *state) {
  return fma((double)curand(state), 2.3283064365386963e-10, 2.3283064365386963e-10);
}

template <class State> __global__ void uniform(unsigned *wrong) {
  State state, bits;
  curand_init(2, threadIdx.x, 0, &state);
  bits = state;
  unsigned count = 0;
  for (int i = 0; i < 16; ++i) {
    const float found = curand_uniform(&state);
    const float want = fmaf((float)curand(&bits), 2.3283064e-10f, 2.3283064e-10f / 2);
    count += found != want || !(found > 0 && found <= 1);
  }
  for (int i = 0; i < 16; ++i) {
    const double found = curand_uniform_double(&state);
    const double want = fromBits(&bits);
    count += found != want || !(found > 0 && found <= 1);
  }
  wrong[threadIdx.x] = count;
}

template <class State> __global__ void sample(double *out) {
  State state;
  curand_init(11, threadIdx.x, 5, &state);
  for (int i = 0; i < rounds; ++i) {
    double *place = out + (threadIdx.x * rounds + i) * kinds;
    place[0] = curand_uniform(&state);
    place[1] = curand_normal(&state);
    place[2] = curand_normal_double(&state);
    place[3] = log(curand_log_normal_double(&state, 0.0, 1.0));
    place[4] = logf(curand_log_normal(&state, 0.0f, 1.0f));
    place[5] = curand_normal2(&state).y;
    place[6] = curand_poisson(&state, 4.0);
    place[7] = curand_poisson(&state, 400.0);
    place[8] = curand_poisson(&state, 40000.0);
  }
}

// Within five deviations of what it is on average; a fixed seed has it or not.
template <class State> static void checkMoments() {
  constexpr double means[kinds] = {0.5, 0, 0, 0, 0, 0, 4, 400, 40000},
                   variances[kinds] = {1.0 / 12, 1, 1, 1, 1, 1, 4, 400, 40000};
  constexpr int count = threads * rounds;
  check::Array<double> out(count * kinds);
  out.fill(0);
  sample<State><<<1, threads>>>(out);
  out.get();
  for (int kind = 0; kind < kinds; ++kind) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
      const double distance = out.host[i * kinds + kind] - means[kind];
      sum += distance;
      squares += distance * distance;
    }
    const double limit = 5 / std::sqrt((double)count);
    CHECK_TRUE(std::abs(sum / count) < limit * std::sqrt(variances[kind]));
    CHECK_TRUE(std::abs(squares / count / variances[kind] - 1) < limit * 1.6);
  }
}

template <class State> static void checkUniform(int place) {
  check::Array<unsigned> wrong(threads);
  wrong.fill(1);
  uniform<State><<<1, threads>>>(wrong);
  wrong.get();
  for (int i = 0; i < threads; ++i)
    CHECK_AT(place + i, wrong.host[i], 0u);
}

int main() {
  checkUniform<curandStateXORWOW_t>(0);
  checkUniform<curandStatePhilox4_32_10_t>(100);
  checkMoments<curandStateXORWOW_t>();
  checkMoments<curandStatePhilox4_32_10_t>();
  checkMoments<curandStateMRG32k3a_t>();
  return check::finish("distributions");
}
