// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IRIW: two readers do not see two independent writes in opposite orders, with
// sequentially consistent fences or accesses.
// PTX ISA: Memory Consistency Model. CUDA C++ Programming Guide: Memory Model.

#include "Inputs/litmus.h"
using namespace litmus;

struct Base {
  static const int roles = 4;
  static bool forbidden(const Cells &c) {
    const unsigned *s = c.seen;
    return !s[0] || !s[1] || !s[2] || !s[3] ||
           (s[0] == 2 && s[1] == 1 && s[2] == 2 && s[3] == 1);
  }
};
struct Fences : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    if (role < 2) {
      store<scope>(role ? &c.y : &c.x, 1);
      return;
    }
    unsigned first = load<scope>(role == 2 ? &c.x : &c.y);
    fence<scope>();
    unsigned second = load<scope>(role == 2 ? &c.y : &c.x);
    c.seen[role * 2 - 4] = first + 1;
    c.seen[role * 2 - 3] = second + 1;
  }
};
struct Sequential : Base {
  template <int scope> static __device__ void run(int role, Cells &c) {
    const int order = __NV_ATOMIC_SEQ_CST;
    if (role < 2) {
      store<scope>(role ? &c.y : &c.x, 1, order);
      return;
    }
    unsigned first = load<scope>(role == 2 ? &c.x : &c.y, order);
    unsigned second = load<scope>(role == 2 ? &c.y : &c.x, order);
    c.seen[role * 2 - 4] = first + 1;
    c.seen[role * 2 - 3] = second + 1;
  }
};

int main() {
  testAll<Fences>("fences");
  testAll<Sequential>("sequentially consistent");
  return check::finish("independent_reads");
}
