// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cause reaches through a third thread: write-to-read causality (WRC), a chain
// of two releases (ISA2), and a release sequence through another's addition.
// PTX ISA: Memory Consistency Model, Causality.

#include "Inputs/litmus.h"
using namespace litmus;

struct WriteToRead {
  static const int roles = 3;
  template <int scope> static __device__ void run(int role, Cells &c) {
    if (role == 0) {
      store<scope>(&c.x, 1);
    } else if (role == 1) {
      unsigned x = load<scope>(&c.x, __NV_ATOMIC_ACQUIRE);
      store<scope>(&c.y, x, __NV_ATOMIC_RELEASE);
      c.seen[0] = x + 1;
    } else {
      unsigned y = load<scope>(&c.y, __NV_ATOMIC_ACQUIRE);
      unsigned x = load<scope>(&c.x);
      c.seen[1] = y + 1, c.seen[2] = x + 1;
    }
  }
  static bool forbidden(const Cells &c) {
    return !c.seen[0] || !c.seen[1] || (c.seen[1] == 2 && c.seen[2] == 1);
  }
};
struct TwoReleases {
  static const int roles = 3;
  template <int scope> static __device__ void run(int role, Cells &c) {
    if (role == 0) {
      store<scope>(&c.x, 7);
      store<scope>(&c.y, 1, __NV_ATOMIC_RELEASE);
    } else if (role == 1) {
      unsigned y = load<scope>(&c.y, __NV_ATOMIC_ACQUIRE);
      store<scope>(&c.z, y, __NV_ATOMIC_RELEASE);
      c.seen[0] = y + 1;
    } else {
      unsigned z = load<scope>(&c.z, __NV_ATOMIC_ACQUIRE);
      unsigned x = load<scope>(&c.x);
      c.seen[1] = z + 1, c.seen[2] = x + 1;
    }
  }
  static bool forbidden(const Cells &c) {
    return !c.seen[0] || !c.seen[1] || (c.seen[1] == 2 && c.seen[2] != 8);
  }
};
struct ReleaseSequence {
  static const int roles = 3;
  template <int scope> static __device__ void run(int role, Cells &c) {
    if (role == 0) {
      store<scope>(&c.x, 7);
      store<scope>(&c.y, 1, __NV_ATOMIC_RELEASE);
    } else if (role == 1) {
      c.seen[0] =
          1 + __nv_atomic_fetch_add(&c.y, 2u, __NV_ATOMIC_RELAXED, scope);
    } else {
      unsigned y = load<scope>(&c.y, __NV_ATOMIC_ACQUIRE);
      unsigned x = load<scope>(&c.x);
      c.seen[1] = y + 1, c.seen[2] = x + 1;
    }
  }
  // 3: the addition came after the release and carries it on.
  static bool forbidden(const Cells &c) {
    bool released = c.seen[1] == 2 || c.seen[1] == 4;
    return !c.seen[0] || !c.seen[1] || (released && c.seen[2] != 8);
  }
};

int main() {
  testAll<WriteToRead>("write to read");
  testAll<TwoReleases>("two releases");
  testAll<ReleaseSequence>("release sequence");
  return check::finish("chains");
}
