// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf from many threads: each line comes out whole and once, a thread's
// lines in their order, and only when the host synchronises; then from two
// kernels. CUDA C++ Programming Guide: Formatted Output.

#include "Inputs/capture.h"
#include <sstream>

__global__ void lines(int id) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  printf("%d first %d\n", id, t);
  if (t % 2)
    printf("%d odd %d %s\n", id, t, "between");
  printf("%d last %d %.2f\n", id, t, t * 0.25);
}

int main() {
  const int n = 3 * 40;
  std::string text = check::capture(1, [&] {
    lines<<<3, 40>>>(0);
    lines<<<3, 40>>>(1);
    cudaDeviceSynchronize();
  });
  CUDA_DONE();
  std::vector<std::string> found[2][n];
  std::istringstream in(text);
  int count = 0, kernels = 0;
  for (std::string line; std::getline(in, line); ++count) {
    int id = -1, t = -1;
    char word[16] = "";
    sscanf(line.c_str(), "%d %15s %d", &id, word, &t);
    CHECK_TRUE(id >= kernels); // the first kernel's output comes first
    kernels = id;
    if (id >= 0 && id < 2 && t >= 0 && t < n)
      found[id][t].push_back(line);
  }
  CHECK_EQ(count, 2 * (2 * n + n / 2));
  for (int id = 0; id < 2; ++id)
    for (int t = 0; t < n; ++t) {
      char line[64];
      std::string want, all;
      snprintf(line, sizeof line, "%d first %d;", id, t);
      want += line;
      if (t % 2) {
        snprintf(line, sizeof line, "%d odd %d between;", id, t);
        want += line;
      }
      snprintf(line, sizeof line, "%d last %d %.2f;", id, t, t * 0.25);
      want += line;
      for (const std::string &l : found[id][t])
        all += l + ";";
      CHECK_TEXT(all, want);
    }
  return check::finish("printf_threads");
}
