// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thousands of launches that each end soon, of which each follows what the ones before have
// left, and among them some that do not end soon. Checks the result. Where it is given a
// file and a text it goes on with short launches until the file has the text.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

constexpr uint32_t threads = 64, blocks = 4, number = threads * blocks;

__host__ __device__ uint32_t next(uint32_t value, uint32_t round, uint32_t steps) {
  for (uint32_t i = 0; i < steps; ++i)
    value = value * 1664525u + (round ^ value >> 15);
  return value;
}

__global__ void advance(uint32_t *values, uint32_t round, uint32_t steps) {
  uint32_t &value = values[blockIdx.x * blockDim.x + threadIdx.x];
  value = next(value, round, steps);
}

static bool has(const char *file, const char *text) {
  std::ifstream stream(file);
  const std::string all{std::istreambuf_iterator<char>(stream), {}};
  return all.find(text) != std::string::npos;
}

int main(int count, char **arguments) {
  constexpr uint32_t rounds = 4000, isLong = 1000, few = 3, many = 300000;
  auto stepsOf = [](uint32_t round) { return round % isLong == isLong / 2 ? many : few; };
  uint32_t *values;
  if (cudaMalloc(&values, number * sizeof(uint32_t)) ||
      cudaMemset(values, 0, number * sizeof(uint32_t)))
    return 1;
  for (uint32_t round = 0; round < rounds; ++round)
    advance<<<blocks, threads>>>(values, round, stepsOf(round));
  std::vector<uint32_t> result(number);
  if (cudaMemcpy(result.data(), values, number * sizeof(uint32_t),
                 cudaMemcpyDeviceToHost))
    return 1;
  uint32_t expected = 0;
  for (uint32_t round = 0; round < rounds; ++round)
    expected = next(expected, round, stepsOf(round));
  for (uint32_t value : result)
    if (value != expected) {
      printf("found %u, expected %u\n", value, expected);
      return 1;
    }
  for (uint32_t round = rounds; count > 2 && !has(arguments[1], arguments[2]); ++round) {
    advance<<<blocks, threads>>>(values, round, few);
    if (cudaDeviceSynchronize())
      return 1;
  }
  puts("PASSED");
}
