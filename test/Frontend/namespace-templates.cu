// What nvcc takes in templates and Clang does not: a function template defined outside
// its namespace with other parameters than it was declared with, and an object made of
// arguments that its class has no constructor for, in a template that nobody instantiates.
//
// RUN: hetcc -std=c++17 --het-emit=llvm %s -o /dev/null 2>&1 | count 0
// RUN: hetcc -std=c++11 --het-emit=llvm %s -o - | FileCheck %s
// RUN: hetcc -c %s -o %t.o && nm -C %t.o | FileCheck --check-prefix=HOST %s
// RUN: not hetcc -DUSED -c %s -o %t.o 2>&1 | FileCheck --check-prefix=USED %s
// RUN: not hetcc -DUNKNOWN -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not hetcc -DMEMBER -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MEMBER %s

namespace one {
namespace two {
template <typename T> __device__ void scale(T *data, int factor);
template <typename T> void onHost(T *data, int factor);
} // namespace two
template <typename T> __global__ void run(T *data) {
  two::scale<T, 3>(data, data, 5);
}
} // namespace one

#define FACTOR 2
template <typename T, int N>
__device__ void one::two::scale(T *data, T *more, int factor) {
  if (factor > 1) { // {
    data[0] = more[0] * N * factor * FACTOR;
  }
}

#if FACTOR
template <typename T> void one :: two::onHost(T *data) { *data += 1; }
#endif

// CHECK-LABEL: define {{.*}}@_ZN3one3runIiEEvPT_(
// CHECK: mul{{.*}}30
template __global__ void one::run<int>(int *);

void useOnHost(int *data) { one::two::onHost<int>(data); }
// HOST: W void one::two::onHost<int>(int*)

template <typename T> struct Histogram {
  static void init(int bins);
};
template <int N> void unused() {
  using T = unsigned;
  Histogram<T>::init(N);
  Histogram<T>(nullptr, N, 3);
#ifdef UNKNOWN
  // UNKNOWN: :[[# @LINE + 1]]:{{.*}} error: use of undeclared identifier 'nowhere'
  nowhere(N);
#endif
}
#ifdef USED
// USED: error: no matching constructor for initialization of 'Histogram<T>'
// USED: note: candidate constructor
template void unused<3>();
#endif
#ifdef MEMBER
struct Class {
  template <typename T> void member(T value, int other);
};
// MEMBER: :[[# @LINE + 1]]:{{.*}} error: out-of-line definition of 'member' does not match
template <typename T> void Class::member(T value) {}
#endif
