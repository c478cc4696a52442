// Kernels with a little of everything that bytecode holds.
__device__ int table[8] = {1, 2, 3};
__constant__ float factor = 0.5f;
struct Pair {
  int key;
  float value;
};

__global__ void scale(float *values, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    values[index] = sinf(values[index]) * factor + table[index & 7];
}

__global__ void sum(const int *values, int count, int *result) {
  __shared__ int part[64];
  int own = 0;
  for (int i = threadIdx.x; i < count; i += 64)
    own += values[i];
  part[threadIdx.x] = own;
  __syncthreads();
  for (int step = 32; step; step /= 2) {
    if (threadIdx.x < step)
      part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(result, part[0]);
}

__global__ void choose(Pair *pairs, Pair given) {
  switch (given.key) {
  case 0: pairs[0] = given; break;
  case 1: pairs[1].value = __shfl_xor_sync(~0u, given.value, 1); break;
  default: pairs[threadIdx.x].key ^= given.key;
  }
}
