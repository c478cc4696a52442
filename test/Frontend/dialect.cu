// What nvcc takes and Clang does not: no error, a warning at most.
//
// RUN: rm -rf %t && mkdir %t
// RUN: hetcc -c %s -o %t/this.o 2>&1 | FileCheck %s
// RUN: hetcc -DARRAY -c %s -o %t/this.o 2>&1 | FileCheck %s
// RUN: not hetcc -DINCOMPLETE -c %s -o %t/this.o 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not hetcc -DVALUE -c %s -o %t/this.o 2>&1 | FileCheck %s --check-prefix=VALUE

// Nothing is said of the attributes of a deduction guide, where nvcc asks for them.
// CHECK-NOT: deduction guide
template <typename T> struct Guided {
  T x;
  __host__ __device__ Guided(T *p) : x(*p) {}
};
template <typename T> __host__ __device__ Guided(T *) -> Guided<T>;
// Nor of those for one side alone, which Clang leaves out.
template <typename T> __host__ Guided(const T *) -> Guided<T>;
template <typename T> __device__ Guided(T *, int) -> Guided<T>;

// A constexpr function that is never a constant is computed when it runs.
// CHECK-NOT: constant expression
__device__ float logarithm(float x) { return __logf(x); }
__device__ constexpr float inverse() { return 1.f / logarithm(10.f); }

#define UNROLL #pragma unroll(4)

template <typename T> struct Table {
  template <int n> __device__ static T at(const T *p) { return p[n]; }
};

// CHECK-DAG: dialect.cu:[[# @LINE + 2]]:{{.*}}: warning: missing 'template' keyword
template <typename T> __device__ T third(const T *p) {
  return Table<T>::at<3>(p);
}

struct Quiet {
  int x = 1;
};
struct Written {
  int x;
  __device__ Written() : x(2) {}
};

__global__ void kernel(int *p) {
  UNROLL
  for (int i = 0; i < 8; ++i)
    p[i] += third(p);
  __shared__ Quiet quiet;
  quiet.x = p[0];
#ifdef ARRAY
  __shared__ Written written[2];
#define FIRST written[0]
#else
  __shared__ Written written;
#define FIRST written
#endif
  p[3] = Guided(p).x + int(inverse());
  // CHECK-DAG: warning: the constructor of __shared__ variable 'written' is not run
  FIRST.x = p[1];
  __syncthreads();
  p[2] = quiet.x + FIRST.x;
#ifdef VALUE
  // VALUE: error: initialization is not supported for __shared__ variables
  __shared__ Quiet value = {};
  p[3] = value.x;
#endif
}
#ifdef INCOMPLETE
// TYPE: :[[# @LINE + 3]]:{{.*}} error: variable has incomplete type 'Unknown'
struct Unknown;
template <typename T> __global__ void incomplete(int *p) {
  __shared__ T object;
  *p = (long)&object;
}
template __global__ void incomplete<Unknown>(int *);
// TYPE: :[[# @LINE + 1]]:{{.*}} error: invalid application of 'alignas' to an incomplete type 'Unknown'
struct alignas(Unknown) Aligned {};
#endif
// CHECK: 2 warnings generated.
