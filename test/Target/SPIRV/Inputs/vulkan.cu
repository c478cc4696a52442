// Kernels whose ways through Vulkan differ. What they print is the same on each device.
#include <cstdio>

// Branches, a loop with two exits, fused and divided numbers.
__global__ void numbers(const float *in, float *out, double *wide, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = in[i];
  for (int step = 0; step < 40; ++step) {
    sum = sum * in[(i + step) % n] + 0.3f;
    if (sum > 1e4f)
      break;
    if (step % 7 == i % 5)
      sum = sqrtf(fabsf(sum)) / (step + 1);
  }
  out[i] = sum;
  wide[i] = fma((double)sum, 1.0 / 3, -sum / 7.0);
}

// Shared memory by bytes, words and numbers of 64 bits; atomics; barriers.
__global__ void shared(const float *in, unsigned *out) {
  __shared__ unsigned char bytes[128];
  __shared__ double numbers[128];
  __shared__ unsigned counts[4];
  const unsigned t = threadIdx.x;
  if (t < 4)
    counts[t] = 0;
  bytes[t] = t * 7;
  numbers[t] = in[t];
  __syncthreads();
  atomicAdd(&counts[bytes[127 - t] & 3], t);
  __syncthreads();
  out[t] = counts[t & 3] + bytes[(t * 5) & 127] + (unsigned)(numbers[127 - t] * 8);
}

struct Packed {
  char tag;
  int value;
} __attribute__((packed));

// Local arrays, tables, pointers that lead to either memory, unaligned words.
__global__ void pointers(const float *in, unsigned *out, Packed *packed, int which) {
  static const unsigned table[5] = {3, 1, 4, 1, 5};
  __shared__ unsigned own[64];
  const unsigned t = threadIdx.x;
  unsigned local[8];
  for (int k = 0; k < 8; ++k)
    local[(k + t) % 8] = k * table[(k + t) % 5];
  own[t] = t + local[which % 8];
  out[t] = 1000 + t;
  __syncthreads();
  const unsigned *from = which > 2 ? own : out;
  packed[t].tag = t;
  packed[t].value = from[63 - t] * 3;
  out[64 + t] = local[(t + which) % 8] + packed[t].value;
}

// What a warp does together, and lanes that wait for each other.
__global__ void teams(unsigned *out) {
  const unsigned t = threadIdx.x;
  unsigned sum = __ballot_sync(~0u, t % 3 == 0) ^ __shfl_xor_sync(~0u, t * t, 5);
  if (t % 2)
    sum += __shfl_sync(0xAAAAAAAAu, t, 7);
  out[t] = sum;
}

template <class T> static void show(const char *what, const T *values, int count) {
  unsigned long long hash = 1469598103934665603ull;
  for (size_t i = 0; i < count * sizeof(T); ++i)
    hash = (hash ^ ((const unsigned char *)values)[i]) * 1099511628211ull;
  printf("%s %016llx: %s\n", what, hash, cudaGetErrorString(cudaGetLastError()));
}

int main() {
  const int n = 1000;
  float *in, *out;
  double *wide;
  unsigned *words;
  Packed *packed;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  cudaMallocManaged(&wide, n * sizeof(double));
  cudaMallocManaged(&words, 128 * sizeof(unsigned));
  cudaMallocManaged(&packed, 64 * sizeof(Packed));
  for (int i = 0; i < n; ++i)
    in[i] = 0.9f + i * 0.00037f;
  numbers<<<8, 128>>>(in, out, wide, n);
  cudaDeviceSynchronize();
  show("numbers", out, n);
  show("wide", wide, n);
  shared<<<1, 128>>>(in, words);
  cudaDeviceSynchronize();
  show("shared", words, 128);
  for (int which : {1, 4}) {
    pointers<<<1, 64>>>(in, words, packed, which);
    cudaDeviceSynchronize();
    show("pointers", words, 128);
  }
  teams<<<1, 64>>>(words);
  cudaDeviceSynchronize();
  show("teams", words, 64);
}
