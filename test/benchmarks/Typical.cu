// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the kinds that GPUs mostly run, for what they cost in registers
// (registers.py). They are only compiled.

/// A tile of 8 x 8 results in each thread's registers.
__global__ void __launch_bounds__(256) gemmTiled(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[8][128], tileB[8][128];
  float sums[8][8] = {};
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int row = blockIdx.y * 128, column = blockIdx.x * 128;
  for (int k = 0; k < n; k += 8) {
    for (int i = threadIdx.x; i < 8 * 128; i += 256) {
      tileA[i / 128][i % 128] = a[(row + i % 128) * n + k + i / 128];
      tileB[i / 128][i % 128] = b[(k + i / 128) * n + column + i % 128];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 8; ++j)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
          sums[y][x] += tileA[j][ty * 8 + y] * tileB[j][tx * 8 + x];
    __syncthreads();
  }
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      c[(row + ty * 8 + y) * n + column + tx * 8 + x] = sums[y][x];
}

__global__ void transpose(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

__global__ void sparseRows(const int *rows, const int *columns, const double *values,
                           const double *x, double *y, int count) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= count)
    return;
  double sum = 0;
  for (int i = rows[row] + lane; i < rows[row + 1]; i += 32)
    sum += values[i] * x[columns[i]];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0)
    y[row] = sum;
}

__global__ void scanBlocks(const int *in, int *out, int *totals) {
  __shared__ int sums[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = in[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    int other = __shfl_up_sync(0xffffffff, value, offset);
    value += lane >= offset ? other : 0;
  }
  if (lane == 31)
    sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    int sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
    for (int offset = 1; offset < 32; offset *= 2) {
      int other = __shfl_up_sync(0xffffffff, sum, offset);
      sum += lane >= offset ? other : 0;
    }
    sums[threadIdx.x] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= 32)
    value += sums[threadIdx.x / 32 - 1];
  out[i] = value;
  if (threadIdx.x == blockDim.x - 1)
    totals[blockIdx.x] = value;
}

__device__ float2 times(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/// Radix 8 in registers.
__global__ void fft8(float2 *data, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v[8];
  for (int k = 0; k < 8; ++k)
    v[k] = data[i + k * stride];
#pragma unroll
  for (int half = 4; half; half /= 2)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (!(k & half)) {
        float2 a = v[k], b = v[k + half];
        float angle = -3.14159265f * (k % half) / half;
        v[k] = make_float2(a.x + b.x, a.y + b.y);
        v[k + half] = times(make_float2(a.x - b.x, a.y - b.y),
                            make_float2(cosf(angle), sinf(angle)));
      }
  for (int k = 0; k < 8; ++k)
    data[i + k * stride] = v[k];
}

__global__ void blackScholes(const float *price, const float *strike, const float *years,
                             float *call, float *put, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float rate = 0.02f, volatility = 0.3f;
    float root = sqrtf(years[i]);
    float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
               (volatility * root);
    float d2 = d1 - volatility * root, discount = expf(-rate * years[i]);
    call[i] = price[i] * normcdff(d1) - strike[i] * discount * normcdff(d2);
    put[i] = strike[i] * discount * normcdff(-d2) - price[i] * normcdff(-d1);
  }
}

__global__ void stencil3d(const double *in, double *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
    return;
  int plane = nx * ny, i = plane + y * nx + x;
  double below = in[i - plane], here = in[i];
  for (int z = 1; z < nz - 1; ++z, i += plane) {
    double above = in[i + plane];
    out[i] = 0.4 * here + 0.1 * (below + above + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx]);
    below = here;
    here = above;
  }
}

/// Rounds of a hash, all in registers.
__global__ void hashRounds(const unsigned *in, unsigned *out, int blocks) {
  unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
  const unsigned *words = in + (blockIdx.x * blockDim.x + threadIdx.x) * blocks * 16;
  for (int block = 0; block < blocks; ++block, words += 16) {
    unsigned w[16];
    for (int i = 0; i < 16; ++i)
      w[i] = words[i];
#pragma unroll
    for (int i = 0; i < 64; ++i) {
      unsigned f = i < 16 ? (b & c) | (~b & d) : i < 32 ? (d & b) | (~d & c) : b ^ c ^ d;
      f += a + 0x5a827999u * i + w[(i * 5 + i / 16) % 16];
      a = d;
      d = c;
      c = b;
      b += __funnelshift_l(f, f, 5 + i % 4 * 4);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a ^ b ^ c ^ d;
}

__global__ void bitonicStep(unsigned long long *keys, int distance, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other <= i)
    return;
  unsigned long long a = keys[i], b = keys[other];
  if (((i & size) == 0) == (a > b)) {
    keys[i] = b;
    keys[other] = a;
  }
}

/// Doubles with a library function in an inner loop.
__global__ void electrostatics(const double4 *atoms, double *potential, int count, double spacing) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    double dx = atoms[i].x - x * spacing, dy = atoms[i].y - y * spacing;
    double r = sqrt(dx * dx + dy * dy + atoms[i].z * atoms[i].z);
    sum += atoms[i].w * exp(-r) / r;
  }
  potential[y * gridDim.x * blockDim.x + x] = sum;
}
