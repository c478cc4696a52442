// REQUIRES: hetcc, runtime, host
// RUN: hetcc -std=c++17 %s -o %t 2>&1 | count 0
// RUN: env HET_DEVICES=host %t | FileCheck %s --check-prefix=RAN
// RUN: env HET_DEVICES=host not --crash %t stop
// RUN: not hetcc -std=c++17 -DNO_TEMPLATE -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not hetcc -std=c++17 -DHOST -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HOST

// Instances of templates that call the device's functions compile for the host, as nvcc
// does not look there. A program that comes there is stopped.

#include <cstdio>

__device__ int onDevice(int x) { return x + 1; }

struct OnDevice {
  int value;
  __device__ OnDevice(int value = 0) : value(onDevice(value)) {}
  __device__ OnDevice(const OnDevice &other) : value(other.value) {}
};

// Functions of the host's that do not say so: a constructor, a member that is defined outside its class, functions
// that return a pointer and a reference, a conversion.
template <class T> struct Holder {
  T held;
  explicit Holder(const T *from) : held(*from) {}
  int get() const;
  T *address() {
    T copy;
    return &held;
  }
  T &reference() {
    T copy;
    return held;
  }
  operator int() const { return onDevice(held.value); }
};
template <class T> int Holder<T>::get() const {
  T copy(held);
  return copy.value;
}
template <class T> int call(T x) { return onDevice(x); }
template <class T> __host__ int callOnHost(T x) { return onDevice(x); }
int useAll(const OnDevice *from) {
  Holder<OnDevice> holder(from);
  return holder.get() + holder.address()->value + holder.reference().value + holder +
         call(1) + callOnHost(1);
}

template <class T> __host__ __device__ int callOnBoth(T x) { return onDevice(x); }

#ifdef NO_TEMPLATE
// PLAIN: :[[# @LINE + 1]]:{{.*}} error: reference to __device__ function 'onDevice' in __host__ __device__ function
__host__ __device__ int plain(int x) { return onDevice(x); }
#endif
#ifdef HOST
// HOST: :[[# @LINE + 1]]:{{.*}} error: no matching function for call to 'onDevice'
int host(int x) { return onDevice(x); }
#endif

__global__ void kernel(int *out) { *out = callOnBoth(40); }

int main(int count, char **) {
  int *out;
  cudaMallocManaged(&out, sizeof(int));
  kernel<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  // RAN: 41
  std::printf("%d\n", *out);
  std::fflush(stdout);
  return count > 1 ? callOnBoth(1) + useAll(nullptr) : 0;
}
