// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects in shared memory whose type has a constructor: none runs, and the
// object works once it was assigned. CUDA C++ Programming Guide: __shared__
// variables cannot have an initialization as part of their declaration.

#include "Inputs/check.h"

struct Member {
  int x = 7;
  Member() = default;
};

struct Outer {
  Member members[2];
  int y = 9;
  ~Outer() = default;
};

struct Written {
  int x;
  __device__ Written() : x(5) {}
};

template <typename T> struct Box {
  T value{};
  Box() = default;
};

// What destroys it is declared only when somebody asks.
struct Guard {
  int x;
  Guard() = default;
  Guard(int);
  __host__ __device__ ~Guard() { x = 0; }
};
template <int N> struct Pair {
  Guard a, b;
};
template <int N> class Guards {
public:
  Guards() = default;
  Guards(Guards &&) = delete;
  Pair<N> pairs[N];
};

template <typename T> __device__ int sumOfBoxes(int t) {
  __shared__ Box<T> boxes[32];
  boxes[t].value = T(t);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 32; ++i)
    sum += int(boxes[i].value);
  __syncthreads();
  return sum;
}

template <typename T> __global__ void kernel(int *out) {
  __shared__ Member one;
  __shared__ Outer pair[2];
  __shared__ Written written;
  __shared__ T generic;
  __shared__ Guards<2> guards;
  guards.pairs[1].b.x = 1;
  int t = threadIdx.x;
  if (t == 0) {
    one = Member(); // a constructor that is called runs
    pair[1].y = 11;
    pair[0].members[1].x = 13;
    written = Written();
    generic.x = 17;
  }
  __syncthreads();
  Member local;
  out[t] = one.x + 100 * pair[1].y + 10000 * pair[0].members[1].x +
           1000000 * written.x + 10000000 * generic.x + local.x;
  out[32 + t] = sumOfBoxes<float>(t) + sumOfBoxes<short>(t);
}

int main() {
  int *out;
  CUDA(cudaMallocManaged(&out, 64 * sizeof *out));
  kernel<Member><<<1, 32>>>(out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK_AT(i, out[i], 7 + 1100 + 130000 + 5000000 + 170000000 + 7);
    CHECK_AT(i, out[32 + i], 2 * 496);
  }
  return check::finish("shared_objects");
}
