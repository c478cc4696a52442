// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Message passing: who sees the flag sees the data. With fences and relaxed or
// volatile accesses, and with release and acquire.
// CUDA C++ Programming Guide: Memory Fence Functions; Memory Model (MP).

#include "Inputs/litmus.h"
using namespace litmus;

struct Base {
  static const int roles = 2;
  static bool forbidden(const Cells &c) {
    return !c.seen[0] || !c.seen[1] || (c.seen[0] == 2 && c.seen[1] != 43);
  }
};
struct Fences : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    if (role == 0) {
      store<scope>(&c.x, 42);
      fence<scope>();
      store<scope>(&c.y, 1);
    } else {
      c.seen[0] = load<scope>(&c.y) + 1;
      fence<scope>();
      c.seen[1] = load<scope>(&c.x) + 1;
    }
  }
};
struct Volatile : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    volatile unsigned *x = &c.x, *y = &c.y;
    if (role == 0) {
      *x = 42;
      fence<scope>();
      *y = 1;
    } else {
      c.seen[0] = *y + 1;
      fence<scope>();
      c.seen[1] = *x + 1;
    }
  }
};
struct ReleaseAcquire : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    if (role == 0) {
      c.x = 42;
      store<scope>(&c.y, 1, __NV_ATOMIC_RELEASE);
    } else {
      unsigned flag = load<scope>(&c.y, __NV_ATOMIC_ACQUIRE);
      c.seen[1] = flag ? c.x + 1 : 1; // read only after the flag: no race
      c.seen[0] = flag + 1;
    }
  }
};
struct ReadModifyWrite : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    if (role == 0) {
      store<scope>(&c.x, 42);
      __nv_atomic_fetch_add(&c.y, 1u, __NV_ATOMIC_RELEASE, scope);
    } else {
      c.seen[0] =
          __nv_atomic_fetch_add(&c.y, 0u, __NV_ATOMIC_ACQUIRE, scope) + 1;
      c.seen[1] = load<scope>(&c.x) + 1;
    }
  }
};

int main() {
  testAll<Fences>("fences");
  testAll<Volatile>("volatile");
  testAll<ReleaseAcquire>("release, acquire");
  testAll<ReadModifyWrite>("read-modify-write");
  return check::finish("message_passing");
}
