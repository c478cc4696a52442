// Two kernels of one file.
__device__ int counter = 5;
__device__ int unused;
__constant__ float table[4] = {1, 2, 3, 4};

extern "C" __global__ void first(int *p) {
  atomicAdd(&counter, 1);
  *p = counter + unused;
}

extern "C" __global__ void second(float *p, int n) {
  __shared__ float s[32];
  s[threadIdx.x] = p[threadIdx.x] * table[n & 3];
  __syncthreads();
  p[threadIdx.x] = s[31 - threadIdx.x];
}
