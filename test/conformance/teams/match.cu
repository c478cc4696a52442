// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __match_any_sync and __match_all_sync for every type, with whole and partial
// masks. Values are compared by their bits.
// CUDA C++ Programming Guide: Warp Match Functions.

#include "Inputs/check.h"

template <class T>
__global__ void match(const T *in, unsigned *out, unsigned split) {
  int lane = threadIdx.x;
  unsigned mask = split >> lane & 1 ? split : ~split;
  int predicate = 77;
  out[lane * 3] = __match_any_sync(mask, in[lane]);
  out[lane * 3 + 1] = __match_all_sync(mask, in[lane], &predicate);
  out[lane * 3 + 2] = (unsigned)predicate;
}

template <class T> static void test(const std::vector<T> &values) {
  check::Array<T> in(values);
  check::Array<unsigned> out(96);
  for (unsigned split : {~0u, 0x0000ffffu, 0x12345678u, 0x80000000u}) {
    match<<<1, 32>>>((const T *)(T *)in, (unsigned *)out, split);
    out.get();
    for (int l = 0; l < 32; ++l) {
      unsigned mask = split >> l & 1 ? split : ~split, any = 0;
      for (int k = 0; k < 32; ++k)
        if ((mask >> k & 1) && !memcmp(&values[k], &values[l], sizeof(T)))
          any |= 1u << k;
      CHECK_AT(l, out.host[l * 3], any);
      CHECK_AT(l, out.host[l * 3 + 1], any == mask ? mask : 0u);
      CHECK_AT(l, out.host[l * 3 + 2], any == mask ? 1u : 0u);
    }
  }
}

template <class T> static void testNumbers() {
  std::vector<T> values(32);
  test(values);
  for (int modulus : {1, 2, 5, 32}) {
    for (int l = 0; l < 32; ++l)
      values[l] = (T)((T)(l * 11 % modulus) * (T)3 - (T)1);
    test(values);
  }
  for (int l = 0; l < 32; ++l) // the lower and the upper lanes agree
    values[l] = (T)(l < 16 ? 100 : 5);
  test(values);
}

int main() {
  testNumbers<int>();
  testNumbers<unsigned>();
  testNumbers<long>();
  testNumbers<unsigned long>();
  testNumbers<long long>();
  testNumbers<unsigned long long>();
  testNumbers<float>();
  testNumbers<double>();
  // Words that differ only above bit 31
  std::vector<unsigned long long> wide(32);
  for (int l = 0; l < 32; ++l)
    wide[l] = (unsigned long long)(l % 3) << 32 | 7;
  test(wide);
  return check::finish("match");
}
