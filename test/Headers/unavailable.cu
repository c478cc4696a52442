// What is not there is an error that names it.
//
// DEFINE: %{cuda} = clang++ -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib
// DEFINE: %{arch} = --cuda-gpu-arch=sm_90 -Xclang -target-sdk-version=12.9
// DEFINE: %{ours} = -isystem %het_src/runtime/include -include __het_cuda_prelude.h
// DEFINE: %{none} = -isystem %het_lib/het/include-unavailable
// RUN: not %{cuda} %{arch} %{ours} %{none} -fsyntax-only %s 2>&1 | FileCheck %s

// CHECK: error: hetcc: cublas_v2.h (cuBLAS) is not available yet
#include <cublas_v2.h>

// CHECK: error: 'tex2D{{.*}}' is unavailable: hetcc does not support texture fetches yet
__global__ void kernel(float *out, cudaTextureObject_t texture) {
  *out = tex2D<float>(texture, 1.0f, 2.0f);
}
