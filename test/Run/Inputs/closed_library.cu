// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With LIBRARY a library with a kernel and a variable, else the program that opens it, runs
// it and closes it again and again, and counts what the process has mapped.

#ifdef LIBRARY

__device__ int sum = 5;

__global__ void add(int number) { sum += number; }

extern "C" int run(int number) {
  int result = 0;
  add<<<1, 1>>>(number);
  return cudaMemcpyFromSymbol(&result, sum, sizeof(result)) ? -1 : result;
}

#else

#include <cstdio>
#include <dlfcn.h>
#include <fstream>
#include <string>

static int mappings() {
  std::ifstream maps("/proc/self/maps");
  int lines = 0;
  for (std::string line; std::getline(maps, line);)
    ++lines;
  return lines;
}

int main(int, char **arguments) {
  const int rounds = 30;
  int failures = 0, before = 0;
  for (int round = 0; round < rounds; ++round) {
    if (round == rounds / 3)
      before = mappings();
    void *library = dlopen(arguments[1], RTLD_NOW);
    if (!library) {
      std::printf("%s\n", dlerror());
      return 1;
    }
    auto run = reinterpret_cast<int (*)(int)>(dlsym(library, "run"));
    failures += run(round) != 5 + round;
    dlclose(library);
  }
  cudaDeviceSynchronize();
  std::printf("%d rounds, %d failures; what is mapped grows: %s\n", rounds, failures,
              mappings() > before + rounds / 3 ? "yes" : "no");
}

#endif
