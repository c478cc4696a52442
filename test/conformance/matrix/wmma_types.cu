// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma of bfloat16, tf32, double and integers of 8 bits: all shapes and layouts.
// CUDA C++ Programming Guide, "Alternate Floating Point", "Double Precision".

#include "Inputs/wmma.h"
#include <cuda_bf16.h>

using namespace matrix;

template <int m, int n> void test() {
  testShape<m, n, 16, __nv_bfloat16, __nv_bfloat16, float, float>(BF16, F32, F32);
  for (int saturates : {0, 1}) {
    testShape<m, n, 16, signed char, signed char, int, int>(S8, S32, S32, saturates);
    testShape<m, n, 16, unsigned char, unsigned char, int, int>(U8, S32, S32, saturates);
  }
}

__global__ void round(const float *in, float *out) {
  out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]);
}

int main() {
  test<16, 16>();
  test<32, 8>();
  test<8, 32>();
  testShape<16, 16, 8, wmma::precision::tf32, float, float, float>(TF32, F32, F32);
  testShape<8, 8, 4, double, double, double, double>(F64, F64, F64);
  // To nearest, ties away from zero.
  check::Array<float> in(32), out(32);
  for (int i = 0; i < 32; ++i)
    in.host[i] = 1 + (float)i * 0x1p-12f;
  in.put();
  round<<<1, 32>>>(in, out);
  out.get();
  for (int i = 0; i < 32; ++i)
    CHECK_AT(i, out.host[i], 1 + (float)((i + 2) / 4) * 0x1p-10f);
  return check::finish("wmma_types");
}
