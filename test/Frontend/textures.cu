// REQUIRES: hetcc
// A fetch asks whether there is a texture unit and whether it has a handle of the texture;
// of three dimensions it does not ask. What else samples stays out of line.
//
// RUN: hetcc --het-emit=hetir -o - %s | FileCheck %s

// CHECK-LABEL: llvm.func @_Z5planeyPf(
// CHECK: hetir.texture_units
// CHECK: hetir.texture_fetch %{{.*}}[%{{.*}}, %{{.*}}] {{.*}} : (f32, f32) -> vector<4xi32>
// CHECK: llvm.func internal @{{.*}}sample_plane{{.*}}hetir.texture_code, {{.*}}no_inline
__global__ void plane(cudaTextureObject_t texture, float *out) {
  *out = tex2D<float>(texture, out[1], out[2]);
}

// CHECK-LABEL: llvm.func @_Z4lineyPi(
// CHECK: hetir.texture_units
// CHECK: hetir.texture_fetch %{{.*}}[%{{.*}}] {{.*}} : (i32) -> vector<4xi32>
__global__ void line(cudaTextureObject_t texture, int *out) {
  *out = tex1Dfetch<int>(texture, out[1]);
}

// CHECK-LABEL: llvm.func @_Z4bodyyPf(
// CHECK-NOT: hetir.texture_
// CHECK: llvm.return
__global__ void body(cudaTextureObject_t texture, float *out) {
  *out = tex3D<float>(texture, out[1], out[2], out[3]);
}
