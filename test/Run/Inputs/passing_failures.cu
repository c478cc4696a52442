// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that can not be loaded when they are first launched, and can be later. The
// argument says what is missing then.

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#include <vector>

__device__ char large[32 << 20];
__global__ void first(int *out) { *out = 1; }
__global__ void second(int *out) { *out = 2 + large[5]; }
__global__ void allocating(int *out) {
  int *memory = static_cast<int *>(malloc(64));
  *out = memory ? 3 : -3;
  free(memory);
}

static int *out;

template <typename Kernel> static void launch(const char *when, Kernel kernel) {
  kernel<<<1, 1>>>(out);
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t ended = cudaDeviceSynchronize();
  printf("%s: %s, %s, %d\n", when, cudaGetErrorName(launched), cudaGetErrorName(ended),
         *out);
  *out = 0;
}

/// Takes all memory of the device but so much.
static void *takeMemory(size_t rest) {
  size_t free = 0;
  void *memory = nullptr;
  cudaMemGetInfo(&free, nullptr);
  if (cudaMalloc(&memory, free - rest))
    printf("there was not that much\n");
  return memory;
}

static void withoutDescriptors() {
  launch("before", first);
  std::vector<int> files;
  for (int file; (file = open("/dev/null", O_RDONLY)) >= 0;)
    files.push_back(file);
  for (int turn = 0; turn < 2; ++turn)
    launch("without descriptors", second);
  for (int file : files)
    close(file);
  launch("with descriptors", second);
}

static void withoutMemory() {
  void *memory = takeMemory(8 << 20);
  for (int turn = 0; turn < 2; ++turn)
    launch("without memory", first);
  cudaFree(memory);
  launch("with memory", second);
}

static void withoutHeap() {
  launch("before", first);
  void *memory = takeMemory(4 << 20);
  launch("without memory for a heap", allocating);
  cudaFree(memory);
  launch("with memory for a heap", allocating);
}

/// While main has ended, and other threads go on.
static void withoutMain() {
  std::thread([main = pthread_self()] {
    pthread_join(main, nullptr);
    launch("after main", first);
    launch("after main", second);
    fflush(stdout);
    _exit(0);
  }).detach();
  pthread_exit(nullptr);
}

int main(int, char **arguments) {
  const char *what = arguments[1];
  cudaMallocManaged(&out, 4);
  if (!strcmp(what, "descriptors"))
    withoutDescriptors();
  else if (!strcmp(what, "memory"))
    withoutMemory();
  else if (!strcmp(what, "heap"))
    withoutHeap();
  else if (!strcmp(what, "main"))
    withoutMain();
}
