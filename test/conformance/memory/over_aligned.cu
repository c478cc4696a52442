// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and objects aligned to more than any machine's largest number: every copy of one
// lies where its type says, be it a parameter, a local object that lives across barriers,
// of each thread, or shared, constant and global.
// CUDA C++ Programming Guide: Device Memory Accesses, Size and Alignment Requirement.
// NOT-YET-ON spirv: Intel's runtime takes one thread a block of it, so the launch is refused

#include "Inputs/check.h"

struct alignas(32) Eight {
  int at[8];
};
struct alignas(64) Wide {
  double at[8];
};
struct alignas(128) Line {
  float at[32];
};
template <class T> __host__ __device__ T made(int seed) {
  T value;
  for (auto &number : value.at)
    number = seed++ % 1000;
  return value;
}
template <class T> __host__ __device__ void add(T &to, const T &value) {
  for (unsigned i = 0; i < sizeof to.at / sizeof to.at[0]; ++i)
    to.at[i] += value.at[i];
}

__constant__ Line constants[3];
__device__ alignas(128) char variable[300];

using Address = unsigned long long;
template <class T> __device__ Address addressOf(const T &object) {
  return reinterpret_cast<Address>(&object);
}
constexpr int threads = 40, addresses = 9;

__global__ void run(char first, Eight eight, short second, Wide wide, char third, Line line,
                    const __grid_constant__ Line fixed, Eight *eights, Wide *wides,
                    Line *lines, Address *out) {
  __shared__ char one;
  __shared__ alignas(128) char shared[3];
  __shared__ Line sums;
  const int t = threadIdx.x;
  char locals[5] = {first, char(t)};
  Eight eightHere = made<Eight>(t);
  Wide wideHere[3] = {made<Wide>(t), wide, made<Wide>(2 * t)};
  Line lineHere = made<Line>(3 * t);
  if (t == 0)
    one = third, sums = line;
  __syncthreads();
  add(eightHere, eight);
  add(wideHere[t % 3], wideHere[(t + 1) % 3]);
  add(lineHere, t % 2 ? sums : fixed);
  add(lineHere, constants[t % 3]);
  locals[t % 5] += second + one;
  __syncthreads();
  eightHere.at[t % 8] += locals[t % 5];
  eights[t] = eightHere;
  wides[t] = wideHere[t % 3];
  lines[t] = lineHere;
  Address *mine = out + addresses * t;
  mine[0] = addressOf(eightHere), mine[1] = addressOf(wideHere[1]);
  mine[2] = addressOf(lineHere), mine[3] = addressOf(shared);
  mine[4] = addressOf(sums), mine[5] = addressOf(constants[1]);
  mine[6] = addressOf(variable), mine[7] = addressOf(fixed), mine[8] = addressOf(wide);
}

int main() {
  const unsigned alignments[addresses] = {32, 64, 128, 128, 128, 128, 128, 128, 64};
  check::Array<Eight> eights(threads);
  check::Array<Wide> wides(threads);
  check::Array<Line> lines(threads);
  check::Array<Address> out(addresses * threads);
  const Line table[3] = {made<Line>(1), made<Line>(20), made<Line>(300)};
  CUDA(cudaMemcpyToSymbol(constants, table, sizeof table));
  const Line line = made<Line>(50), fixed = made<Line>(60);
  run<<<3, threads>>>(1, made<Eight>(30), 2, made<Wide>(40), 3, line, fixed, eights, wides,
                      lines, out);
  eights.get(), wides.get(), lines.get(), out.get();
  for (int t = 0; t < threads; ++t) {
    Eight eight = made<Eight>(t);
    Wide wide[3] = {made<Wide>(t), made<Wide>(40), made<Wide>(2 * t)};
    Line sum = made<Line>(3 * t);
    const char locals[5] = {1, char(t)};
    add(eight, made<Eight>(30));
    eight.at[t % 8] += char(locals[t % 5] + 5);
    add(wide[t % 3], wide[(t + 1) % 3]);
    add(sum, t % 2 ? line : fixed);
    add(sum, table[t % 3]);
    CHECK_AT(t, eights.host[t], eight);
    CHECK_AT(t, wides.host[t], wide[t % 3]);
    CHECK_AT(t, lines.host[t], sum);
    for (int i = 0; i < addresses; ++i)
      CHECK_AT(addresses * t + i, out.host[addresses * t + i] % alignments[i], Address(0));
  }
  return check::finish("over_aligned");
}
