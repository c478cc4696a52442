// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma: fragments of matrices in the registers of a warp, their loads and stores,
// and products. Which element of a matrix x[i] is differs among GPUs; here it is what
// lib/Frontend/PTX/Fragments.cpp says, on every device.
// CUDA C++ Programming Guide, "Warp Matrix Functions".

#ifndef HET_CRT_MMA_H
#define HET_CRT_MMA_H

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"

#if defined(__cplusplus) && defined(__CUDACC__)

#include "../__het/wmma_instructions.h"

#define __CUDA_MMA__ 1
#define __CUDA_AMPERE_MMA__ 1
#define __CUDA_IMMA__ 1
#define __CUDA_SUBBYTE_IMMA__ 1
#define HET_WMMA static __device__ inline __attribute__((always_inline))

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision {
struct tf32;
}

namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/// What an element is in a fragment, and what one is filled with.
template <class T> struct helper_traits {
  typedef T element_type;
  typedef T storage_element_type;
  typedef T fill_argument_type;
};
template <> struct helper_traits<precision::tf32> {
  typedef precision::tf32 element_type;
  typedef float storage_element_type;
  typedef float fill_argument_type;
};
template <> struct helper_traits<experimental::precision::u4> {
  typedef experimental::precision::u4 element_type;
  typedef unsigned storage_element_type;
  typedef unsigned fill_argument_type;
};
template <> struct helper_traits<experimental::precision::s4> {
  typedef experimental::precision::s4 element_type;
  typedef int storage_element_type;
  typedef int fill_argument_type;
};
template <> struct helper_traits<experimental::precision::b1> {
  typedef experimental::precision::b1 element_type;
  typedef unsigned storage_element_type;
  typedef unsigned fill_argument_type;
};

/// A lane's elements. Of those below a byte several are in one that is stored.
template <class T, int size, int packed_size = size> struct __align__(8) __frag_base {
  typedef typename helper_traits<T>::element_type element_type;
  typedef typename helper_traits<T>::storage_element_type storage_element_type;
  enum { num_elements = size, num_storage_elements = packed_size };
  storage_element_type x[packed_size];
};

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment;

template <class T, int size, int packed_size>
HET_WMMA void fill_fragment(__frag_base<T, size, packed_size> &f,
                            const typename helper_traits<T>::fill_argument_type &v) {
#pragma unroll
  for (int i = 0; i < packed_size; ++i)
    f.x[i] = v;
}

/// Rounds to tf32, to nearest, ties away from zero.
HET_WMMA float __float_to_tf32(float in) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(in));
  return __uint_as_float(bits);
}

/// Registers, whatever the elements are.
typedef unsigned __attribute__((__may_alias__)) __het_word;
typedef double __attribute__((__may_alias__)) __het_double;

//===----------------------------------------------------------------------===//
// Fragments, loads and stores
//===----------------------------------------------------------------------===//

// `P`: what memory has; `size`: elements of a lane; `stored`, `words`: as what.
#define HET_WMMA_LOAD(use, letter, m, n, k, T, P, layout, type, Word, words)             \
  HET_WMMA void load_matrix_sync(fragment<use, m, n, k, T, layout##_major> &f,           \
                                 const P *p, unsigned ldm) {                             \
    Word *r = reinterpret_cast<Word *>(&f.x);                                            \
    HET_WMMA_LOAD_##words(                                                               \
        letter ".sync.aligned." #layout ".m" #m "n" #n "k" #k "." type, r, p, ldm);      \
  }

#define HET_WMMA_FACTOR(use, m, n, k, T, size, stored)                                   \
  template <class Layout>                                                                \
  class fragment<use, m, n, k, T, Layout> : public __frag_base<T, size, stored> {};

#define HET_WMMA_FACTORS(m, n, k, T, P, type, sizeA, wordsA, sizeB, wordsB)              \
  HET_WMMA_FACTOR(matrix_a, m, n, k, T, sizeA, sizeA)                                    \
  HET_WMMA_FACTOR(matrix_b, m, n, k, T, sizeB, sizeB)                                    \
  HET_WMMA_LOAD(matrix_a, "a", m, n, k, T, P, row, type, __het_word, wordsA)             \
  HET_WMMA_LOAD(matrix_a, "a", m, n, k, T, P, col, type, __het_word, wordsA)             \
  HET_WMMA_LOAD(matrix_b, "b", m, n, k, T, P, row, type, __het_word, wordsB)             \
  HET_WMMA_LOAD(matrix_b, "b", m, n, k, T, P, col, type, __het_word, wordsB)

#define HET_WMMA_SUM(m, n, k, T, type, Word, size, words)                                \
  template <> class fragment<accumulator, m, n, k, T> : public __frag_base<T, size> {};  \
  HET_WMMA void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p,       \
                                 unsigned ldm, layout_t layout) {                        \
    Word *r = reinterpret_cast<Word *>(&f.x);                                            \
    if (layout == mem_row_major)                                                         \
      HET_WMMA_LOAD_##words("c.sync.aligned.row.m" #m "n" #n "k" #k "." type, r, p,      \
                            ldm);                                                        \
    else                                                                                 \
      HET_WMMA_LOAD_##words("c.sync.aligned.col.m" #m "n" #n "k" #k "." type, r, p,      \
                            ldm);                                                        \
  }                                                                                      \
  HET_WMMA void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f,      \
                                  unsigned ldm, layout_t layout) {                       \
    const Word *r = reinterpret_cast<const Word *>(&f.x);                                \
    if (layout == mem_row_major)                                                         \
      HET_WMMA_STORE_##words("sync.aligned.row.m" #m "n" #n "k" #k "." type, r, p, ldm); \
    else                                                                                 \
      HET_WMMA_STORE_##words("sync.aligned.col.m" #m "n" #n "k" #k "." type, r, p, ldm); \
  }

HET_WMMA_FACTORS(16, 16, 16, __half, __half, "f16", 16, 8, 16, 8)
HET_WMMA_FACTORS(32, 8, 16, __half, __half, "f16", 16, 8, 16, 8)
HET_WMMA_FACTORS(8, 32, 16, __half, __half, "f16", 16, 8, 16, 8)
HET_WMMA_FACTORS(16, 16, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 8, 4, 8, 4)
HET_WMMA_FACTORS(32, 8, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 16, 8, 4, 2)
HET_WMMA_FACTORS(8, 32, 16, __nv_bfloat16, __nv_bfloat16, "bf16", 4, 2, 16, 8)
HET_WMMA_FACTORS(16, 16, 8, precision::tf32, float, "tf32", 4, 4, 4, 4)
HET_WMMA_FACTORS(16, 16, 16, signed char, signed char, "s8", 8, 2, 8, 2)
HET_WMMA_FACTORS(32, 8, 16, signed char, signed char, "s8", 16, 4, 4, 1)
HET_WMMA_FACTORS(8, 32, 16, signed char, signed char, "s8", 4, 1, 16, 4)
HET_WMMA_FACTORS(16, 16, 16, unsigned char, unsigned char, "u8", 8, 2, 8, 2)
HET_WMMA_FACTORS(32, 8, 16, unsigned char, unsigned char, "u8", 16, 4, 4, 1)
HET_WMMA_FACTORS(8, 32, 16, unsigned char, unsigned char, "u8", 4, 1, 16, 4)

HET_WMMA_FACTOR(matrix_a, 8, 8, 4, double, 1, 1)
HET_WMMA_FACTOR(matrix_b, 8, 8, 4, double, 1, 1)
HET_WMMA_LOAD(matrix_a, "a", 8, 8, 4, double, double, row, "f64", __het_double, 1d)
HET_WMMA_LOAD(matrix_a, "a", 8, 8, 4, double, double, col, "f64", __het_double, 1d)
HET_WMMA_LOAD(matrix_b, "b", 8, 8, 4, double, double, row, "f64", __het_double, 1d)
HET_WMMA_LOAD(matrix_b, "b", 8, 8, 4, double, double, col, "f64", __het_double, 1d)

#define HET_WMMA_SMALL(k, T, type, size)                                                 \
  HET_WMMA_FACTOR(matrix_a, 8, 8, k, T, size, 1)                                         \
  HET_WMMA_FACTOR(matrix_b, 8, 8, k, T, size, 1)                                         \
  HET_WMMA_LOAD(matrix_a, "a", 8, 8, k, T, void, row, type, __het_word, 1)               \
  HET_WMMA_LOAD(matrix_b, "b", 8, 8, k, T, void, col, type, __het_word, 1)
HET_WMMA_SMALL(32, experimental::precision::s4, "s4", 8)
HET_WMMA_SMALL(32, experimental::precision::u4, "u4", 8)
HET_WMMA_SMALL(128, experimental::precision::b1, "b1", 32)

HET_WMMA_SUM(16, 16, 16, __half, "f16", __het_word, 8, 4)
HET_WMMA_SUM(32, 8, 16, __half, "f16", __het_word, 8, 4)
HET_WMMA_SUM(8, 32, 16, __half, "f16", __het_word, 8, 4)
HET_WMMA_SUM(16, 16, 16, float, "f32", __het_word, 8, 8)
HET_WMMA_SUM(32, 8, 16, float, "f32", __het_word, 8, 8)
HET_WMMA_SUM(8, 32, 16, float, "f32", __het_word, 8, 8)
HET_WMMA_SUM(16, 16, 8, float, "f32", __het_word, 8, 8)
HET_WMMA_SUM(16, 16, 16, int, "s32", __het_word, 8, 8)
HET_WMMA_SUM(32, 8, 16, int, "s32", __het_word, 8, 8)
HET_WMMA_SUM(8, 32, 16, int, "s32", __het_word, 8, 8)
HET_WMMA_SUM(8, 8, 32, int, "s32", __het_word, 2, 2)
HET_WMMA_SUM(8, 8, 128, int, "s32", __het_word, 2, 2)
HET_WMMA_SUM(8, 8, 4, double, "f64", __het_double, 2, 2d)

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// How a product is written differs by layout, but the fragments are the same.
#define HET_WMMA_WORDS(Word)                                                             \
  Word *rd = reinterpret_cast<Word *>(&d.x);                                             \
  const Word *ra = reinterpret_cast<const Word *>(&a.x);                                 \
  const Word *rb = reinterpret_cast<const Word *>(&b.x);                                 \
  const Word *rc = reinterpret_cast<const Word *>(&c.x);

#define HET_WMMA_ARGUMENTS(m, n, k, T, C, D)                                             \
  fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, A> &a,      \
      const fragment<matrix_b, m, n, k, T, B> &b,                                        \
      const fragment<accumulator, m, n, k, C> &c

#define HET_WMMA_MMA(m, n, k, T, C, D, types, Word, words)                               \
  template <class A, class B>                                                            \
  HET_WMMA void mma_sync(HET_WMMA_ARGUMENTS(m, n, k, T, C, D)) {                         \
    HET_WMMA_WORDS(Word)                                                                 \
    HET_WMMA_MMA_##words("sync.aligned.row.col.m" #m "n" #n "k" #k "." types, rd, ra,    \
                         rb, rc);                                                        \
  }

#define HET_WMMA_HALVES(m, n, k)                                                         \
  HET_WMMA_MMA(m, n, k, __half, __half, __half, "f16.f16", __het_word, 8844)             \
  HET_WMMA_MMA(m, n, k, __half, float, float, "f32.f32", __het_word, 8888)               \
  HET_WMMA_MMA(m, n, k, __half, float, __half, "f16.f32", __het_word, 8884)              \
  HET_WMMA_MMA(m, n, k, __half, __half, float, "f32.f16", __het_word, 8848)
HET_WMMA_HALVES(16, 16, 16)
HET_WMMA_HALVES(32, 8, 16)
HET_WMMA_HALVES(8, 32, 16)

HET_WMMA_MMA(16, 16, 16, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", __het_word,
             4488)
HET_WMMA_MMA(32, 8, 16, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", __het_word,
             8288)
HET_WMMA_MMA(8, 32, 16, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", __het_word,
             2888)
HET_WMMA_MMA(16, 16, 8, precision::tf32, float, float, "f32.tf32.tf32.f32", __het_word,
             4488)
HET_WMMA_MMA(8, 8, 4, double, double, double, "f64.f64.f64.f64", __het_double, 1122d)

// `satf`: sums are cut off at the least and greatest int.
#define HET_WMMA_INTEGERS(m, n, k, T, types, words)                                      \
  template <class A, class B>                                                            \
  HET_WMMA void mma_sync(HET_WMMA_ARGUMENTS(m, n, k, T, int, int), bool satf = false) {  \
    HET_WMMA_WORDS(__het_word)                                                           \
    if (satf)                                                                            \
      HET_WMMA_MMA_##words("sync.aligned.row.col.m" #m "n" #n "k" #k "." types           \
                           ".satfinite",                                                 \
                           rd, ra, rb, rc);                                              \
    else                                                                                 \
      HET_WMMA_MMA_##words("sync.aligned.row.col.m" #m "n" #n "k" #k "." types, rd, ra,  \
                           rb, rc);                                                      \
  }
HET_WMMA_INTEGERS(16, 16, 16, signed char, "s32.s8.s8.s32", 2288)
HET_WMMA_INTEGERS(32, 8, 16, signed char, "s32.s8.s8.s32", 4188)
HET_WMMA_INTEGERS(8, 32, 16, signed char, "s32.s8.s8.s32", 1488)
HET_WMMA_INTEGERS(16, 16, 16, unsigned char, "s32.u8.u8.s32", 2288)
HET_WMMA_INTEGERS(32, 8, 16, unsigned char, "s32.u8.u8.s32", 4188)
HET_WMMA_INTEGERS(8, 32, 16, unsigned char, "s32.u8.u8.s32", 1488)
HET_WMMA_INTEGERS(8, 8, 32, experimental::precision::s4, "s32.s4.s4.s32", 1122)
HET_WMMA_INTEGERS(8, 8, 32, experimental::precision::u4, "s32.u4.u4.s32", 1122)

template <class A, class B>
HET_WMMA void
bmma_sync(HET_WMMA_ARGUMENTS(8, 8, 128, experimental::precision::b1, int, int),
          experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  HET_WMMA_WORDS(__het_word)
  if (op == experimental::bmmaBitOpAND)
    HET_WMMA_MMA_1122("and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", rd, ra, rb,
                      rc);
  else
    HET_WMMA_MMA_1122("xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", rd, ra, rb,
                      rc);
}

#undef HET_WMMA_LOAD
#undef HET_WMMA_FACTOR
#undef HET_WMMA_FACTORS
#undef HET_WMMA_SMALL
#undef HET_WMMA_SUM
#undef HET_WMMA_WORDS
#undef HET_WMMA_ARGUMENTS
#undef HET_WMMA_MMA
#undef HET_WMMA_HALVES
#undef HET_WMMA_INTEGERS
#undef HET_WMMA

namespace experimental {
using wmma::bmma_sync;
using wmma::load_matrix_sync;
using wmma::mma_sync;
using wmma::store_matrix_sync;
} // namespace experimental

} // namespace wmma
} // namespace nvcuda

#endif
#endif // HET_CRT_MMA_H
