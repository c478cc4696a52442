// REQUIRES: hetcc
// RUN: hetcc --het-emit=hetir %s -o - | FileCheck %s

// Instructions on matrices become hetIR's operations; wmma's products are some of these, and
// its loads of rows of 16 bytes; other loads and stores are what each lane does alone.
// Addresses of shared memory that went through a word are pointers again.

#include <mma.h>

__device__ unsigned word(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// CHECK-LABEL: llvm.func @_Z8productsPfPKj(
// CHECK-NOT: llvm.inttoptr
// CHECK: hetir.matrix_load {{.*}} : (!llvm.ptr<3>) -> (i32, i32, i32, i32)
// CHECK: hetir.matrix_multiply multiply 16 x 8 x 16 f16, f16, f32 -> f32, {{.*}} -> (i32, i32, i32, i32)
// CHECK: hetir.matrix_store transposed {{.*}} : <3>, i32, i32
// CHECK: hetir.matrix_transpose
// CHECK: llvm.return
__global__ void products(float *out, const unsigned *in) {
  __shared__ __align__(16) unsigned tile[2][128];
  const int lane = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    tile[i / 4][i % 4 * 32 + lane] = in[i * 32 + lane];
  __syncthreads();
  unsigned a[4], b[2] = {in[lane], in[lane + 32]}, t;
  float d[4] = {};
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(word(tile) + lane % 32 * 16 + 512 * (in[300] & 1)));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 [%0], {%1, %2};" ::"r"(
                   word(&tile[1][lane * 4 % 128])),
               "r"(a[0]), "r"(a[1])
               : "memory");
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(t) : "r"(a[2]));
  __syncthreads();
  for (int e = 0; e < 4; ++e)
    out[lane * 4 + e] = d[e] + (float)(tile[1][lane] ^ t);
}

// One of 16 by 16 is two of 16 by 8; the larger side of 8 by 32 comes first. What comes
// first in a product is loaded in its order, which goes down two matrices.
// CHECK-LABEL: llvm.func @_Z9fragmentsPK6__halfPKaPfPi(
// CHECK: hetir.matrix_load_rows downwards depth 2 %{{[^:]*}} : (!llvm.ptr) -> (i32, i32, i32, i32)
// CHECK: hetir.matrix_load_rows depth 2 %{{[^:]*}} : (!llvm.ptr) -> (i32, i32, i32, i32)
// CHECK-COUNT-2: hetir.matrix_multiply multiply 16 x 8 x 16 f16, f16, f32 -> f32
// CHECK: hetir.matrix_load_rows depth 1 %{{[^:]*}} : (!llvm.ptr) -> i32
// CHECK-NOT: hetir.matrix_load
// CHECK-COUNT-2: hetir.matrix_multiply multiply 16 x 8 x 16 s8, s8, s32 -> s32 saturate
// CHECK-NOT: hetir.matrix
// CHECK: llvm.return
__global__ void fragments(const half *h, const signed char *s, float *f, int *i) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, col_major> b;
  fragment<accumulator, 16, 16, 16, float> c;
  load_matrix_sync(a, h, 16);
  load_matrix_sync(b, h + 256, 16);
  fill_fragment(c, 0.0f);
  mma_sync(c, a, b, c);
  store_matrix_sync(f, c, 16, mem_row_major);
  fragment<matrix_a, 8, 32, 16, signed char, row_major> p;
  fragment<matrix_b, 8, 32, 16, signed char, row_major> q;
  fragment<accumulator, 8, 32, 16, int> r;
  load_matrix_sync(p, s, 16);
  load_matrix_sync(q, s + 128, 32);
  load_matrix_sync(r, i, 32, mem_row_major);
  mma_sync(r, p, q, r, true);
  store_matrix_sync(i, r, 32, mem_col_major);
}

// A load is told that it is of shared memory where all that its pointer may lead to is.
// CHECK-LABEL: llvm.func @_Z6spacesPK6__halfPfi(
// CHECK: hetir.matrix_load_rows transposed downwards depth 2 %{{[^:]*}} : (!llvm.ptr<3>) -> (i32, i32, i32, i32)
// CHECK: hetir.matrix_load_rows depth 2 %{{[^:]*}} : (!llvm.ptr<3>) -> (i32, i32, i32, i32)
// CHECK: hetir.matrix_load_rows depth 2 %{{[^:]*}} : (!llvm.ptr) -> (i32, i32, i32, i32)
// CHECK: llvm.return
__global__ void spaces(const half *h, float *f, int which) {
  using namespace nvcuda::wmma;
  __shared__ __align__(32) half one[256], other[256];
  for (int i = threadIdx.x; i < 256; i += 32)
    one[i] = h[i], other[i] = h[i + 256];
  __syncthreads();
  fragment<matrix_a, 16, 16, 16, half, col_major> a;
  fragment<matrix_b, 16, 16, 16, half, col_major> b;
  fragment<accumulator, 16, 16, 16, float> c;
  load_matrix_sync(a, which & 1 ? one : other, 16);
  load_matrix_sync(b, one, 16);
  fill_fragment(c, 0.0f);
  mma_sync(c, a, b, c);
  load_matrix_sync(b, which & 2 ? other : h, 16);
  mma_sync(c, a, b, c);
  store_matrix_sync(f, c, 16, mem_row_major);
}
