// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -ftz=true
// FLAGS: -use_fast_math
//
// Float arithmetic that flushes, in kernels that do nothing else and in kernels that also
// have double arithmetic: a device may flush in another way in either, with equal bits.
// Results next to the least normal number, in loops that threads leave apart, kept across
// barriers, and in branches that warps take alone.
// PTX ISA: .ftz.

#include "Inputs/floats.h"

#include <cuda_fp16.h>

#ifndef SAMPLES
#define SAMPLES 8192
#endif

enum { Values = 24, Threads = 128 };

struct Made {
  float values[Values];
};

static __device__ void compute(float a, float b, float c, Made &made) {
  float *v = made.values;
  v[0] = a * b;
  v[1] = fmaf(a, b, c);
  v[2] = v[0] + c;
  v[3] = c - a * 0.5f;
  v[4] = c / b;
  v[5] = sqrtf(fabsf(c)) * v[0];
  v[6] = a < c ? a : c; // not flushed
  v[7] = fminf(a, c);
  v[8] = fmaxf(b, v[0]);
  v[9] = ceilf(c) + floorf(-c);
  v[10] = (float)(int)(c * 0x1p127f) + (c > 0.0f) + (c == 0.0f);
  v[11] = expf(-80.0f - fabsf(b)) + exp2f(-125.5f);
  v[12] = sinf(c) + cosf(b);
  v[13] = logf(fabsf(c)) * log2f(fabsf(a));
  v[14] = tanhf(c) * rsqrtf(fabsf(a));
  v[15] = __half2float(__float2half(c * 0x1p110f)) * v[1];
  v[16] = copysignf(v[0], c);
  v[17] = __fdividef(c, a);
  v[18] = -v[1];
  v[19] = isnan(c) ? 1.0f : fabsf(c);
}

/// Halves a number so often that it gets small, each thread another.
static __device__ float decay(float x, int rounds) {
  float sum = 0, small = x;
  for (int i = 0; i < rounds; ++i) {
    small = small * 0.75f;
    sum = fmaf(small, x, sum);
    if (small == 0.0f)
      break;
  }
  return sum - small;
}

static __device__ void run(const float *in, Made *out, int count) {
  __shared__ float shared[Threads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x;
  const float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  Made made;
  compute(a, b, c, made);
  const float kept = a * b;
  shared[lane] = kept;
  __syncthreads();
  made.values[20] = shared[lane ^ 1] + kept;
  made.values[21] = decay(c, 100 + (i & 63));
  made.values[22] = 0;
  if (lane / 32 & 1)
    made.values[22] = __shfl_xor_sync(~0u, kept * b, 3) * a;
  made.values[23] = kept < c ? kept : c;
  out[i] = made;
}

__global__ void alone(const float *in, Made *out, int count) { run(in, out, count); }

__global__ void mixed(const float *in, Made *out, int count, double *number) {
  run(in, out, count);
  if (count == 0)
    *number = *number * 1.5;
}

static float near(unsigned &state, double size) {
  const double exact = size * (1 - (int)(check::random(state) % 64 - 32) * 0x1p-26);
  return (float)(check::random(state) & 1 ? exact : -exact);
}

static unsigned bitsOf(float x) {
  if (x != x)
    return 0x7fffffff; // which NaN is not said
  unsigned bits;
  memcpy(&bits, &x, 4);
  return bits;
}

int main() {
  constexpr int count = 4096;
  static_assert(SAMPLES % count == 0, "");
  unsigned state = 2463534242u;
  const std::vector<float> special = floats::singles(count);
  check::Array<float> in(3 * count);
  check::Array<Made> out(count), expected(count);
  check::Array<double> number(1);
  for (int start = 0; start < SAMPLES; start += count) {
    for (int i = 0; i < 3 * count; i += 3) {
      const double scale = std::ldexp(1.0, (int)(check::random(state) % 120) - 60);
      in.host[i] = near(state, scale);
      in.host[i + 1] = near(state, 0x1p-126 / scale);
      in.host[i + 2] = near(state, 0x1p-126);
      for (int k = 0; k < 3; ++k)
        if (check::random(state) % 8 == 0)
          in.host[i + k] = special[check::random(state) % special.size()];
    }
    in.put();
    alone<<<count / Threads, Threads>>>(in, out, count);
    mixed<<<count / Threads, Threads>>>(in, expected, count, number);
    out.get();
    expected.get();
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < Values; ++k)
        CHECK_AT(i * Values + k, bitsOf(out.host[i].values[k]),
                 bitsOf(expected.host[i].values[k]));
  }
  return check::finish("flush_everywhere");
}
