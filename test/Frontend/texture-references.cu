// Texture references, which CUDA 12 removed, are declared where a source names one. On a
// device each is a variable with a handle. Other sources may call things of theirs so.
//
// RUN: hetcc %s --het-emit=hetir -o - | FileCheck %s
// RUN: hetcc %s -DTHEIRS -c -o %t.o
// RUN: not hetcc %s -DNEITHER -c -o %t.o 2>&1 | FileCheck %s --check-prefix=NEITHER

#if defined(THEIRS)
struct surface {
  int width;
};
cudaTextureObject_t texture;
__global__ void kernel(float *out, surface s) { *out = (float)s.width; }
#elif defined(NEITHER)
// NEITHER: error: no template named 'textures'
textures<float, 2> other;
#else
// CHECK: llvm.mlir.global external {{.*}}@image({{.*}}) {addr_space = 1 : i32, alignment = 8 : i64{{.*}}} : i64
// CHECK: llvm.mlir.global external {{.*}}@_ZL4line(
texture<float, cudaTextureType2D, cudaReadModeElementType> image;
static texture<int, 1> line;
surface<void, cudaSurfaceType2D> written;

// CHECK-LABEL: llvm.func @kernel
// CHECK-DAG: llvm.mlir.addressof @image
// CHECK-DAG: llvm.mlir.addressof @_ZL4line
// CHECK-NOT: texsurf
extern "C" __global__ void kernel(float *out) {
  *out = tex2D(image, 1.0f, 2.0f) + (float)tex1Dfetch(line, 3);
  surf2Dwrite(1.0f, written, 0, 0);
}

int main() {
  image.normalized = true;
  image.filterMode = cudaFilterModeLinear;
  return cudaBindTextureToArray(image, nullptr);
}
#endif
