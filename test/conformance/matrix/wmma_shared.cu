// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma loads the same fragments from shared memory, where there are instructions
// for it, as from global memory and by a pointer that may lead to either: all types whose
// rows are of 16 bytes, shapes and layouts.
// CUDA C++ Programming Guide, "Warp Matrix Functions".

#include "Inputs/check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int tileBytes = 4096;

template <class Fragment> __device__ unsigned differences(const Fragment &a, const Fragment &b) {
  const unsigned *x = (const unsigned *)a.x, *y = (const unsigned *)b.x;
  unsigned count = 0;
  for (unsigned i = 0; i < sizeof(a.x) / 4; ++i)
    count += x[i] != y[i];
  return count;
}

// Of two warps the second one begins 32 bytes further on. `sum`: of all words, by lanes.
template <class Fragment, class P>
__global__ void load(const unsigned char *from, unsigned ld, int which, unsigned *found,
                     unsigned *sum) {
  __shared__ __align__(32) unsigned char tile[tileBytes];
  for (int i = threadIdx.x; i < tileBytes; i += 64)
    tile[i] = from[i];
  __syncthreads();
  const int begin = threadIdx.x / 32 * 32;
  const unsigned char *either = which ? tile : from;
  Fragment shared, global, chosen;
  wmma::load_matrix_sync(shared, (const P *)(tile + begin), ld);
  wmma::load_matrix_sync(global, (const P *)(from + begin), ld);
  wmma::load_matrix_sync(chosen, (const P *)(either + begin), ld);
  const unsigned *words = (const unsigned *)shared.x;
  unsigned all = 0;
  for (unsigned i = 0; i < sizeof(shared.x) / 4; ++i)
    all = all * 31 + words[i];
  sum[threadIdx.x] = all;
  atomicAdd(&found[0], differences(shared, global));
  atomicAdd(&found[1], differences(shared, chosen));
}

int number = 0;

// `line`: elements of a row or column.
template <class Fragment, class P> void test(unsigned line, int bits) {
  check::Array<unsigned char> from(tileBytes);
  for (int i = 0; i < tileBytes; ++i)
    from.host[i] = (unsigned char)(i * 37 + i / 256);
  from.put();
  for (unsigned space : {0, 16}) // bytes behind each line
    for (int which : {0, 1}) {
      check::Array<unsigned> found(2), sum(64);
      load<Fragment, P><<<1, 64>>>(from, line + space * 8 / bits, which, found, sum);
      found.get(), sum.get();
      ++number;
      CHECK_AT(number, found.host[0], 0u);
      CHECK_AT(number + 1000, found.host[1], 0u);
      // A line's first word is the first lane's, the next lane has what follows.
      CHECK_AT(number + 2000, sum.host[0] != sum.host[1], true);
    }
}

template <int m, int n, int k, class T, class P> void testLayouts(int bits) {
  using Row = wmma::row_major;
  using Column = wmma::col_major;
  test<wmma::fragment<wmma::matrix_a, m, n, k, T, Row>, P>(k, bits);
  test<wmma::fragment<wmma::matrix_b, m, n, k, T, Column>, P>(k, bits);
  if constexpr (!std::is_same<T, wmma::experimental::precision::b1>::value &&
                !std::is_same<T, wmma::experimental::precision::s4>::value) {
    const unsigned spaced = 16 * 8 / bits; // lines of 8 elements are not of 16 bytes
    test<wmma::fragment<wmma::matrix_a, m, n, k, T, Column>, P>((m + spaced - 1) / spaced * spaced, bits);
    test<wmma::fragment<wmma::matrix_b, m, n, k, T, Row>, P>((n + spaced - 1) / spaced * spaced, bits);
  }
}

template <int m, int n> void testShape() {
  testLayouts<m, n, 16, half, half>(16);
  testLayouts<m, n, 16, __nv_bfloat16, __nv_bfloat16>(16);
  testLayouts<m, n, 16, unsigned char, unsigned char>(8);
}

int main() {
  testShape<16, 16>();
  testShape<32, 8>();
  testShape<8, 32>();
  testLayouts<16, 16, 8, wmma::precision::tf32, float>(32);
  testLayouts<8, 8, 32, wmma::experimental::precision::s4, void>(4);
  testLayouts<8, 8, 128, wmma::experimental::precision::b1, void>(1);
  return check::finish("wmma_shared");
}
