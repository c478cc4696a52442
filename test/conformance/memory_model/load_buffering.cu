// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Load buffering: with fences or dependencies between, two threads do not both
// read what the other one writes only later; nothing comes out of thin air.
// CUDA C++ Programming Guide: Memory Fence Functions; Memory Model (LB).

#include "Inputs/litmus.h"
using namespace litmus;

struct Base {
  static const int roles = 2;
  static bool forbidden(const Cells &c) {
    return !c.seen[0] || !c.seen[1] || (c.seen[0] > 1 && c.seen[1] > 1);
  }
};
struct Fences : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    unsigned value = load<scope>(role ? &c.y : &c.x);
    fence<scope>();
    store<scope>(role ? &c.x : &c.y, 1);
    c.seen[role] = value + 1;
  }
};
struct Dependency : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    unsigned value = load<scope>(role ? &c.y : &c.x);
    store<scope>(role ? &c.x : &c.y, value);
    c.seen[role] = value + 1;
  }
};
struct AcquireRelease : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    unsigned value = load<scope>(role ? &c.y : &c.x, __NV_ATOMIC_ACQUIRE);
    store<scope>(role ? &c.x : &c.y, 1, __NV_ATOMIC_RELEASE);
    c.seen[role] = value + 1;
  }
};

int main() {
  testAll<Fences>("fences");
  testAll<Dependency>("dependency");
  testAll<AcquireRelease>("acquire, release");
  return check::finish("load_buffering");
}
