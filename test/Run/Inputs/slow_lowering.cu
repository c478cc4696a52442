// Sums with a warp's functions, a barrier and a loop, launched again and again.
//   slow              20 launches
//   slow FILE TEXT    until the file has that text, and 20 more
//   slow leave        ends as soon as the first launch is done
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

__global__ void sum(const int *values, int *sums, int n) {
  __shared__ int parts[8];
  int own = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    own += values[i] * (int(blockIdx.x) + 1);
  for (int step = 16; step; step /= 2)
    own += __shfl_down_sync(~0u, own, step);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x < 8)
    atomicAdd(&sums[blockIdx.x], parts[threadIdx.x]);
}

constexpr int n = 1000, blocks = 4;
static int *values, *sums;

static bool run() {
  for (int i = 0; i < blocks; ++i)
    sums[i] = 0;
  sum<<<blocks, 256>>>(values, sums, n);
  if (cudaDeviceSynchronize() != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
    return false;
  }
  for (int i = 0; i < blocks; ++i)
    if (sums[i] != n * (n - 1) / 2 * (i + 1))
      return false;
  return true;
}

static bool has(const char *file, const char *text) {
  std::ifstream stream(file);
  const std::string all((std::istreambuf_iterator<char>(stream)), {});
  return all.find(text) != std::string::npos;
}

int main(int argc, char **argv) {
  cudaMallocManaged(&values, n * sizeof(int));
  if (cudaMallocManaged(&sums, blocks * sizeof(int)) != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  for (int i = 0; i < n; ++i)
    values[i] = i;
  bool right = run();
  if (argc == 2)
    _exit(right ? 0 : 1);
  while (argc == 3 && !has(argv[1], argv[2])) {
    right &= run();
    usleep(1000); // not timed: it looks again
  }
  for (int i = 0; i < 20; ++i)
    right &= run();
  std::puts(right ? "all right" : "wrong");
  return !right;
}
