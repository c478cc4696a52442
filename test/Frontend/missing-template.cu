// A missing `template` that Clang notices only when it instantiates: it has taken `<` for a
// comparison with a function. nvcc takes all of these in code for devices.
//
// RUN: hetcc --het-emit=llvm %s -o /dev/null 2>&1 | FileCheck %s

struct Plain {
  template <int n> __device__ int set(int x) const { return n + x; }
  template <int n> __device__ static int get(int x) { return n * x; }
};
template <class A, class B> struct Cast {
  template <int n> __device__ static void run(A *a, const B *b) {
    for (int i = 0; i < n; ++i)
      a[i] = b[i];
  }
};
template <class T, int n> struct Vector {
  T values[n];
  __device__ T *data() { return values; }
};

// CHECK-DAG: :[[# @LINE + 2]]:{{.*}} warning: missing 'template' keyword
template <class V> __device__ int member(V v, int x) {
  return v.set<3>(x) + V::template get<5>(x);
}
template <class V> struct Holder {
  V v;
  // CHECK-DAG: :[[# @LINE + 1]]:{{.*}} warning: missing 'template' keyword
  __device__ int use(int x) { return this->v.set<1>(x); }
};
template <class A, class B, int n>
__device__ void convert(Vector<A, n> &to, const Vector<B, n> &from) {
  // CHECK-DAG: :[[# @LINE + 1]]:{{.*}} warning: missing 'template' keyword
  Cast<A, B>::run<n>(to.data(), const_cast<Vector<B, n> *>(&from)->data());
}
struct Called {
  template <bool isNegative> __device__ int operator()(int x) const {
    return isNegative ? -x : x;
  }
};
template <class F> struct Caller {
  F f;
  // CHECK-DAG: :[[# @LINE + 2]]:{{.*}} warning: missing 'template' keyword
  __device__ int use(int x) {
    return this->f.operator()<true>(this->twice(x));
  }
  __device__ int twice(int x) { return 2 * x; }
};

__global__ void kernel(int *p) {
  Holder<Plain> holder;
  Vector<float, 4> from = {{1, 2, 3, 4}};
  Vector<int, 4> to;
  convert(to, from);
  p[0] = member(Plain(), p[0]) + holder.use(to.values[3]) + Caller<Called>().use(3);
}
// CHECK: 4 warnings generated.

// An object of a dependent type that is named without `typename`, which Clang notices only
// when it instantiates.
struct Slots {
  using Storage = Vector<int, 4>;
  static constexpr int size = 4;
};
template <class Table> __global__ void makeStorage(int *out) {
  auto storage = Table::Storage();
  out[0] = storage.data()[0] + Table::size;
}
template __global__ void makeStorage<Slots>(int *);
