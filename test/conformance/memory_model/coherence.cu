// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coherence of one cell: reads do not go back in time (CoRR), writes of a
// thread stay in order (CoWW), a thread reads its own write or a later one
// (CoWR), and a read does not see a later write of its thread (CoRW). PTX ISA:
// Memory Consistency Model, Coherence.

#include "Inputs/litmus.h"
using namespace litmus;

struct ReadRead {
  static const int roles = 2;
  template <int scope> static __device__ void run(int role, Cells &c) {
    if (role == 0) {
      store<scope>(&c.x, 1);
      store<scope>(&c.x, 2);
    } else {
      unsigned first = load<scope>(&c.x), second = load<scope>(&c.x);
      c.seen[0] = first + 1, c.seen[1] = second + 1;
    }
  }
  static bool forbidden(const Cells &c) {
    return !c.seen[0] || c.seen[1] < c.seen[0];
  }
};
struct WriteWrite {
  static const int roles = 2;
  template <int scope> static __device__ void run(int role, Cells &c) {
    store<scope>(&c.x, role * 10 + 1);
    store<scope>(&c.x, role * 10 + 2);
    c.seen[role] = 1;
  }
  static bool forbidden(const Cells &c) {
    return !c.seen[0] || !c.seen[1] || (c.x != 2 && c.x != 12);
  }
};
struct WriteRead {
  static const int roles = 2;
  template <int scope> static __device__ void run(int role, Cells &c) {
    store<scope>(&c.x, role + 1);
    c.seen[role] = load<scope>(&c.x) + 1;
  }
  // If one read the other's write, that write came later: it is the last.
  static bool forbidden(const Cells &c) {
    return c.seen[0] < 2 || c.seen[1] < 2 || (c.seen[0] == 3 && c.x != 2) ||
           (c.seen[1] == 2 && c.x != 1);
  }
};
struct ReadWrite {
  static const int roles = 2;
  template <int scope> static __device__ void run(int role, Cells &c) {
    c.seen[role] = load<scope>(&c.x) + 1;
    store<scope>(&c.x, role + 1);
  }
  static bool forbidden(const Cells &c) {
    return !c.seen[0] || !c.seen[1] || c.seen[0] == 2 || c.seen[1] == 3 ||
           (c.seen[0] == 3 && c.seen[1] == 2);
  }
};
struct Atomicity { // of read-modify-writes
  static const int roles = 4;
  template <int scope> static __device__ void run(int role, Cells &c) {
    c.seen[role] =
        __nv_atomic_fetch_add(&c.x, 1u, __NV_ATOMIC_RELAXED, scope) + 1;
  }
  static bool forbidden(const Cells &c) {
    unsigned all = 0;
    for (int i = 0; i < 4; ++i)
      all |= 1u << c.seen[i];
    return all != 0x1e || c.x != 4;
  }
};

int main() {
  testAll<ReadRead>("CoRR");
  testAll<WriteWrite>("CoWW");
  testAll<WriteRead>("CoWR");
  testAll<ReadWrite>("CoRW");
  testAll<Atomicity>("atomicity");
  return check::finish("coherence");
}
