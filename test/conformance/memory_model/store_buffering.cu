// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Store buffering: with a sequentially consistent fence between, or with
// sequentially consistent accesses, not both threads read the old value.
// CUDA C++ Programming Guide: Memory Fence Functions; Memory Model (SB).

#include "Inputs/litmus.h"
using namespace litmus;

struct Base {
  static const int roles = 2;
  static bool forbidden(const Cells &c) {
    return !c.seen[0] || !c.seen[1] || (c.seen[0] == 1 && c.seen[1] == 1);
  }
};
struct Fences : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    store<scope>(role ? &c.y : &c.x, 1);
    fence<scope>();
    c.seen[role] = load<scope>(role ? &c.x : &c.y) + 1;
  }
};
struct Volatile : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    volatile unsigned *mine = role ? &c.y : &c.x, *other = role ? &c.x : &c.y;
    *mine = 1;
    fence<scope>();
    c.seen[role] = *other + 1;
  }
};
struct Sequential : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    store<scope>(role ? &c.y : &c.x, 1, __NV_ATOMIC_SEQ_CST);
    c.seen[role] = load<scope>(role ? &c.x : &c.y, __NV_ATOMIC_SEQ_CST) + 1;
  }
};

int main() {
  testAll<Fences>("fences");
  testAll<Volatile>("volatile");
  testAll<Sequential>("sequentially consistent");
  return check::finish("store_buffering");
}
