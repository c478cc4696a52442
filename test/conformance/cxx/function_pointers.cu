// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Function pointers in device code: chosen by lane, stored in memory, passed
// from one kernel to another one through a symbol, and to member functions.
// CUDA C++ Programming Guide: __device__ functions, Function Pointers.

#include "Inputs/check.h"

typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int power(int a, int b) {
  int r = 1;
  for (int i = 0; i < b % 5; ++i)
    r *= a;
  return r;
}
template <int k> __device__ int mix(int a, int b) { return a * k ^ b; }

__device__ Operation chosen;
__device__ Operation stored[4];
struct Functor {
  int by;
  __device__ int less(int x) const { return x - by; }
  __device__ int more(int x) const { return x + by; }
};

__global__ void store(int which) {
  stored[0] = add, stored[1] = multiply, stored[2] = power, stored[3] = mix<5>;
  chosen = which == 0 ? add : which == 1 ? multiply : mix<9>;
}
__global__ void call(int *out, Operation given) {
  int t = threadIdx.x;
  Operation local[2] = {power, mix<3>};
  int (Functor::*member)(int) const = t % 2 ? &Functor::less : &Functor::more;
  Functor f = {t * 10};
  out[t] = stored[t % 4](t, 3) + chosen(t, 7) * 3 + local[t / 16 % 2](t, t) +
           (f.*member)(t) + given(t, 11);
}

static int expect(int op, int a, int b) {
  int r = 1;
  for (int i = 0; i < b % 5; ++i)
    r *= a;
  return op == 0   ? a + b
         : op == 1 ? a * b
         : op == 2 ? r
         : op == 3 ? a * 5 ^ b
         : op == 4 ? a * 9 ^ b
                   : a * 3 ^ b;
}

int main() {
  check::Array<int> out(64);
  for (int which = 0; which < 3; ++which) {
    Operation given;
    store<<<1, 1>>>(which);
    CUDA_DONE();
    CUDA(cudaMemcpyFromSymbol(&given, stored, sizeof given, sizeof given));
    CHECK_TRUE(given != nullptr);
    call<<<1, 64>>>(out, given);
    out.get();
    for (int t = 0; t < 64; ++t)
      CHECK_AT(t, out.host[t],
               expect(t % 4, t, 3) + expect(which == 2 ? 4 : which, t, 7) * 3 +
                   expect(t / 16 % 2 ? 5 : 2, t, t) +
                   (t % 2 ? t - t * 10 : t + t * 10) + t * 11);
  }
  return check::finish("function_pointers");
}
