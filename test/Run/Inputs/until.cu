// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs kernels one after the other until a file is there, whose name is the argument, and
// says whether each did what the first did.
#include <vector>

constexpr int blocks = 16, threads = 64;
#ifndef STEPS
#define STEPS 5000
#endif

#include "run.h"
#include "turns.h"

int main(int, char **arguments) {
  unsigned *out;
  std::vector<unsigned> first(blocks * threads), now(blocks * threads);
  cudaMalloc(&out, first.size() * sizeof(unsigned));
  bool same = true;
  Turns turns(arguments[1], 0);
  for (int turn = 0; turns.next(); ++turn) {
    cudaMemset(out, turn, first.size() * sizeof(unsigned));
    run<<<blocks, threads>>>(out, STEPS);
    std::vector<unsigned> &to = turn ? now : first;
    if (cudaError_t error = cudaMemcpy(to.data(), out, to.size() * sizeof(unsigned),
                                       cudaMemcpyDeviceToHost)) {
      std::printf("%s\n", cudaGetErrorString(error));
      return 1;
    }
    same &= !turn || now == first;
  }
  std::printf("same %d\n", same);
}
