// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What products of vectors add to a matrix (level 2).

#include "HostBlas.h"
#include "VectorOperands.h"
#include "Vendor.h"

using namespace het::blas;

namespace {

/// Which update: one product or two, with what conjugated, of a whole matrix or a part.
struct Kind {
  bool twice = false, hermitian = false, conjugateSecond = false;
};

/// Of a whole matrix.
template <class T, class S>
std::optional<cublasStatus_t> onHost(cublasHandle_t handle, bool isConjugated, Index m,
                                     Index n, const S *alpha, const T *x, Index incx,
                                     const T *y, Index incy, const VectorOperand &a) {
  using K = Kernel<T>;
  if (!fitHost(m, n, incx, incy, a.columnStep))
    return std::nullopt;
  return callHost(handle, [=, alpha = scalarOf<T>(handle, alpha)] {
    const K first = read(alpha);
    (isConjugated ? hostBlas<K>().gerc : hostBlas<K>().ger)(
        hostColumns, hostSize(m), hostSize(n), factor(first), hostPlace(x),
        hostSize(incx), hostPlace(y), hostSize(incy), static_cast<K *>(a.base),
        hostSize(a.columnStep));
  });
}

template <class T, class S>
cublasStatus_t update(cublasHandle_t handle, Kind kind, Index m, Index n, const S *alpha,
                      const T *x, Index incx, const T *y, Index incy,
                      const VectorOperand &a, bool valid) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid || m < 0 || n < 0 || !incx || !incy || !alpha)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!kind.twice && !kind.hermitian && a.part == Part::All)
    if (const auto status =
            onHost(handle, kind.conjugateSecond, m, n, alpha, x, incx, y, incy, a))
      return *status;
  RankUpdate<Kernel<T>> change;
  change.m = m;
  change.n = n;
  change.alpha = scalarOf<T>(handle, alpha);
  change.x = vectorOf(x, incx);
  change.y = vectorOf(y, incy);
  change.a = a;
  change.twice = kind.twice;
  change.conjugateSecond = kind.hermitian || kind.conjugateSecond;
  change.conjugateAlpha = change.realDiagonal = kind.hermitian;
  return convert(updateRank(change, handle->stream));
}

} // namespace

#define HET_BOTH_SIZES(make, name, ...)                                                  \
  make(name, int, __VA_ARGS__) make(name##_64, int64_t, __VA_ARGS__)

#define HET_GER(name, I, T, conjugated)                                                  \
  HET_CUBLAS_GER(name, I, T) {                                                           \
    HET_VENDOR(name, m, n, alpha, x, incx, y, incy, A, lda);                             \
    return update(handle, {false, false, conjugated}, m, n, alpha, x, incx, y, incy,     \
                  fullOperand(A, lda), holds(lda, m));                                   \
  }
HET_BOTH_SIZES(HET_GER, cublasSger_v2, float, false)
HET_BOTH_SIZES(HET_GER, cublasDger_v2, double, false)
HET_BOTH_SIZES(HET_GER, cublasCgeru_v2, cuComplex, false)
HET_BOTH_SIZES(HET_GER, cublasZgeru_v2, cuDoubleComplex, false)
HET_BOTH_SIZES(HET_GER, cublasCgerc_v2, cuComplex, true)
HET_BOTH_SIZES(HET_GER, cublasZgerc_v2, cuDoubleComplex, true)

#define HET_SYR(name, I, T, S, hermitian)                                                \
  HET_CUBLAS_SYR(name, I, T, S) {                                                        \
    HET_VENDOR(name, uplo, n, alpha, x, incx, A, lda);                                   \
    return update(handle, {false, hermitian}, n, n, alpha, x, incx, x, incx,             \
                  withPart(fullOperand(A, lda), Shape::Triangle, uplo),                  \
                  isPart(uplo) && holds(lda, n));                                        \
  }
HET_BOTH_SIZES(HET_SYR, cublasSsyr_v2, float, float, false)
HET_BOTH_SIZES(HET_SYR, cublasDsyr_v2, double, double, false)
HET_BOTH_SIZES(HET_SYR, cublasCsyr_v2, cuComplex, cuComplex, false)
HET_BOTH_SIZES(HET_SYR, cublasZsyr_v2, cuDoubleComplex, cuDoubleComplex, false)
HET_BOTH_SIZES(HET_SYR, cublasCher_v2, cuComplex, float, true)
HET_BOTH_SIZES(HET_SYR, cublasZher_v2, cuDoubleComplex, double, true)

#define HET_SPR(name, I, T, S, hermitian)                                                \
  HET_CUBLAS_SPR(name, I, T, S) {                                                        \
    HET_VENDOR(name, uplo, n, alpha, x, incx, AP);                                       \
    return update(handle, {false, hermitian}, n, n, alpha, x, incx, x, incx,             \
                  withPart(packedOperand(AP, n), Shape::Triangle, uplo), isPart(uplo));  \
  }
HET_BOTH_SIZES(HET_SPR, cublasSspr_v2, float, float, false)
HET_BOTH_SIZES(HET_SPR, cublasDspr_v2, double, double, false)
HET_BOTH_SIZES(HET_SPR, cublasChpr_v2, cuComplex, float, true)
HET_BOTH_SIZES(HET_SPR, cublasZhpr_v2, cuDoubleComplex, double, true)

#define HET_SYR2(name, I, T, hermitian)                                                  \
  HET_CUBLAS_SYR2(name, I, T) {                                                          \
    HET_VENDOR(name, uplo, n, alpha, x, incx, y, incy, A, lda);                          \
    return update(handle, {true, hermitian}, n, n, alpha, x, incx, y, incy,              \
                  withPart(fullOperand(A, lda), Shape::Triangle, uplo),                  \
                  isPart(uplo) && holds(lda, n));                                        \
  }
HET_BOTH_SIZES(HET_SYR2, cublasSsyr2_v2, float, false)
HET_BOTH_SIZES(HET_SYR2, cublasDsyr2_v2, double, false)
HET_BOTH_SIZES(HET_SYR2, cublasCsyr2_v2, cuComplex, false)
HET_BOTH_SIZES(HET_SYR2, cublasZsyr2_v2, cuDoubleComplex, false)
HET_BOTH_SIZES(HET_SYR2, cublasCher2_v2, cuComplex, true)
HET_BOTH_SIZES(HET_SYR2, cublasZher2_v2, cuDoubleComplex, true)

#define HET_SPR2(name, I, T, hermitian)                                                  \
  HET_CUBLAS_SPR2(name, I, T) {                                                          \
    HET_VENDOR(name, uplo, n, alpha, x, incx, y, incy, AP);                              \
    return update(handle, {true, hermitian}, n, n, alpha, x, incx, y, incy,              \
                  withPart(packedOperand(AP, n), Shape::Triangle, uplo), isPart(uplo));  \
  }
HET_BOTH_SIZES(HET_SPR2, cublasSspr2_v2, float, false)
HET_BOTH_SIZES(HET_SPR2, cublasDspr2_v2, double, false)
HET_BOTH_SIZES(HET_SPR2, cublasChpr2_v2, cuComplex, true)
HET_BOTH_SIZES(HET_SPR2, cublasZhpr2_v2, cuDoubleComplex, true)
