// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -G
//
// Pointers to members: functions of many names, virtual ones, inherited ones of a base at
// another place, and data; chosen by each thread, kept in memory, compared.
// C++17, [expr.mptr.oper], [expr.eq].

#include "Inputs/check.h"

struct Base {
  int x;
  __host__ __device__ virtual int turned(int y) const { return x * 2 - y; }
  __host__ __device__ int plain(int y) const { return x + y * 3; }
};
struct Other {
  int z;
  __host__ __device__ int other(int y) const { return z * 5 + y; }
};

#define EACH(_) _(0) _(1) _(2) _(3) _(4) _(5) _(6) _(7) _(8) _(9) _(10) _(11)

struct Derived : Base, Other {
  int own;
  __host__ __device__ Derived(int i) {
    x = i;
    z = i + 1;
    own = i * 7;
  }
  __host__ __device__ int turned(int y) const override { return x * 11 + y; }
#define DEFINE(n)                                                                        \
  __host__ __device__ int member##n(int y) const { return own * n + y; }
  EACH(DEFINE)
#undef DEFINE
};

using Member = int (Derived::*)(int) const;
constexpr int count = 15;

struct Table {
  Member members[count];
  int Derived::*data[3];
};

__host__ __device__ Table makeTable() {
#define NAME(n) &Derived::member##n,
  return {{EACH(NAME) & Derived::turned, &Derived::plain, &Derived::other},
          {&Derived::x, &Derived::z, &Derived::own}};
#undef NAME
}

__host__ __device__ int apply(const Table &table, int i) {
  Derived object(i);
  const Member member = table.members[i % count];
  int sum = (object.*member)(i / 3) + object.*table.data[i % 3];
  sum += (member == &Derived::turned) * 1000 + (member != nullptr) * 2000;
  return sum + (object.*(i % 2 ? &Derived::member1 : &Derived::member2))(i);
}

__global__ void make(Table *table) { *table = makeTable(); }

__global__ void use(const Table *table, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = apply(*table, i) + apply(makeTable(), i);
}

int main() {
  const int n = 90;
  check::Array<Table> table(1);
  check::Array<int> out(n);
  make<<<1, 1>>>(table);
  use<<<3, n / 3>>>(table, out);
  out.get();
  for (int i = 0; i < n; ++i)
    CHECK_AT(i, out.host[i], 2 * apply(makeTable(), i));
  return check::finish("member_pointers");
}
