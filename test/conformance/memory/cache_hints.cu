// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with a hint: __ldg, __ldca, __ldcg, __ldcs, __ldlu, __ldcv,
// __stwb, __stcg, __stcs, __stwt, for scalars and vectors, move the value.
// CUDA C++ Programming Guide: Read-Only Data Cache Load Function; Load
// Functions Using Cache Hints; Store Functions Using Cache Hints.

#include "Inputs/check.h"

template <class T> __global__ void kernel(const T *in, T *out) {
  out[0] = __ldg(in), out[1] = __ldca(in + 1), out[2] = __ldcg(in + 2);
  out[3] = __ldcs(in + 3), out[4] = __ldlu(in + 4), out[5] = __ldcv(in + 5);
  __stwb(out + 6, in[6]), __stcg(out + 7, in[7]);
  __stcs(out + 8, in[8]), __stwt(out + 9, in[9]);
}

template <class T> static void test() {
  std::vector<T> values(10);
  unsigned char *bytes = (unsigned char *)values.data();
  for (size_t i = 0; i < 10 * sizeof(T); ++i)
    bytes[i] = (unsigned char)(i * 37 % 120 + 1); // no NaN in it
  check::Array<T> in(values), out(10);
  kernel<T><<<1, 1>>>((const T *)(T *)in, (T *)out);
  out.get();
  for (int i = 0; i < 10; ++i)
    CHECK_AT(i, out.host[i], values[i]);
}

int main() {
  test<char>(), test<signed char>(), test<unsigned char>(), test<short>();
  test<unsigned short>(), test<int>(), test<unsigned>(), test<long>();
  test<long long>(), test<unsigned long long>(), test<float>(), test<double>();
  test<char2>(), test<char4>(), test<short2>(), test<ushort4>(), test<int2>();
  test<int4>(), test<uint4>(), test<longlong2>(), test<float2>(),
      test<float4>();
  test<double2>();
  return check::finish("cache_hints");
}
