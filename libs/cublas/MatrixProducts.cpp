// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's products with symmetric and Hermitian matrices (level 3): as a factor, and as
// the result, of which one triangle is computed.

#include "HostBlas.h"
#include "Vendor.h"

using namespace het::blas;

namespace {

template <class T> struct SymmCall {
  cublasHandle_t handle;
  cublasSideMode_t side;
  cublasFillMode_t part;
  Index m, n;
  const T *alpha, *a;
  Index lda;
  const T *b;
  Index ldb;
  const T *beta;
  T *c;
  Index ldc;
};

template <class T>
std::optional<cublasStatus_t> onHost(Shape shape, const SymmCall<T> &call,
                                     const Product<Kernel<T>> &product) {
  if (!fitHost(call.m, call.n, call.lda, call.ldb, call.ldc))
    return std::nullopt;
  return callHost(call.handle, [shape, call, alpha = product.alpha, beta = product.beta] {
    const auto &blas = hostBlas<Kernel<T>>();
    const auto first = read(alpha), second = read(beta);
    (shape == Shape::Hermitian ? blas.hemm : blas.symm)(
        hostColumns, hostSide(call.side), hostPart(call.part), hostSize(call.m),
        hostSize(call.n), factor(first), hostPlace(call.a), hostSize(call.lda),
        hostPlace(call.b), hostSize(call.ldb), factor(second), hostPlace(call.c),
        hostSize(call.ldc));
  });
}

template <class T> cublasStatus_t multiplyMirrored(Shape shape, const SymmCall<T> &call) {
  if (!call.handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool left = call.side == CUBLAS_SIDE_LEFT;
  if (!isSide(call.side) || !isPart(call.part) || call.m < 0 || call.n < 0 ||
      !holds(call.lda, left ? call.m : call.n) || !holds(call.ldb, call.m) ||
      !holds(call.ldc, call.m) || !call.alpha || !call.beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  Product<Kernel<T>> product;
  product.m = call.m;
  product.n = call.n;
  product.k = left ? call.m : call.n;
  product.alpha = scalarOf<T>(call.handle, call.alpha);
  product.beta = scalarOf<T>(call.handle, call.beta);
  if (const auto status = onHost(shape, call, product))
    return *status;
  Operand a = operandOf(call.a, call.lda), b = operandOf(call.b, call.ldb);
  a.shape = shape;
  a.part = partOf(call.part);
  product.a = left ? a : b;
  product.b = left ? b : a;
  product.c = product.d = operandOf(call.c, call.ldc);
  return convert(multiply(product, call.handle->stream));
}

template <class T, class Alpha, class Beta> struct RankCall {
  cublasHandle_t handle;
  cublasFillMode_t part;
  cublasOperation_t trans;
  Index n, k;
  const Alpha *alpha;
  const T *a;
  Index lda;
  const T *b;
  Index ldb;
  const Beta *beta;
  T *c;
  Index ldc;
};

template <class T, class Alpha, class Beta>
cublasStatus_t check(bool hermitian, const RankCall<T, Alpha, Beta> &call) {
  if (!call.handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const Index rows = call.trans == CUBLAS_OP_N ? call.n : call.k;
  // The transposed factor of a complex result is conjugated, or it is not.
  const bool fits = !isComplex<Kernel<T>> || call.trans == CUBLAS_OP_N ||
                    (call.trans == CUBLAS_OP_C) == hermitian;
  return isPart(call.part) && isOperation(call.trans) && fits && call.n >= 0 &&
                 call.k >= 0 && holds(call.lda, rows) && holds(call.ldb, rows) &&
                 holds(call.ldc, call.n) && call.alpha && call.beta
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_INVALID_VALUE;
}

/// op(A) op(B)^T, or op(A) op(B)^H, without factors.
template <class T, class Call>
Product<Kernel<T>> productOf(bool hermitian, const Call &call, const T *a, Index lda,
                             const T *b, Index ldb) {
  Product<Kernel<T>> product;
  product.m = product.n = call.n;
  product.k = call.k;
  product.a = operandOf(a, lda);
  product.b = operandOf(b, ldb);
  Operand &turned = call.trans == CUBLAS_OP_N ? product.b : product.a;
  apply(hermitian ? CUBLAS_OP_C : CUBLAS_OP_T, turned);
  product.c = product.d = operandOf(call.c, call.ldc);
  product.part = partOf(call.part);
  product.realDiagonal = hermitian;
  return product;
}

template <class T, class Call>
void updateOnHost(bool hermitian, bool twice, const Call &call, const Kernel<T> &alpha,
                  const Kernel<T> &beta) {
  const auto &blas = hostBlas<Kernel<T>>();
  const int part = hostPart(call.part), trans = hostOperation<Kernel<T>>(call.trans);
  const int n = hostSize(call.n), k = hostSize(call.k), lda = hostSize(call.lda),
            ldb = hostSize(call.ldb), ldc = hostSize(call.ldc);
  const auto *a = hostPlace(call.a), *b = hostPlace(call.b);
  auto *c = hostPlace(call.c);
  if (twice && hermitian)
    blas.her2k(hostColumns, part, trans, n, k, factor(alpha), a, lda, b, ldb,
               het::blas::partOf(beta), c, ldc);
  else if (twice)
    blas.syr2k(hostColumns, part, trans, n, k, factor(alpha), a, lda, b, ldb,
               factor(beta), c, ldc);
  else if (hermitian)
    blas.herk(hostColumns, part, trans, n, k, het::blas::partOf(alpha), a, lda,
              het::blas::partOf(beta), c, ldc);
  else
    blas.syrk(hostColumns, part, trans, n, k, factor(alpha), a, lda, factor(beta), c,
              ldc);
}

template <class T, class Alpha, class Beta>
std::optional<cublasStatus_t> onHost(bool hermitian, bool twice,
                                     const RankCall<T, Alpha, Beta> &call) {
  if (!fitHost(call.n, call.k, call.lda, call.ldb, call.ldc))
    return std::nullopt;
  return callHost(call.handle,
                  [hermitian, twice, call, alpha = scalarOf<T>(call.handle, call.alpha),
                   beta = scalarOf<T>(call.handle, call.beta)] {
                    updateOnHost<T>(hermitian, twice, call, read(alpha), read(beta));
                  });
}

template <class T, class Alpha, class Beta>
cublasStatus_t once(bool hermitian, const RankCall<T, Alpha, Beta> &call) {
  if (const cublasStatus_t status = check(hermitian, call);
      status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (call.a == call.b && call.lda == call.ldb) // else BLAS has no such function
    if (const auto status = onHost(hermitian, false, call))
      return *status;
  auto product = productOf(hermitian, call, call.a, call.lda, call.b, call.ldb);
  product.alpha = scalarOf<T>(call.handle, call.alpha);
  product.beta = scalarOf<T>(call.handle, call.beta);
  return convert(multiply(product, call.handle->stream));
}

template <class T, class Alpha, class Beta>
cublasStatus_t twice(bool hermitian, const RankCall<T, Alpha, Beta> &call) {
  if (check(hermitian, call) == CUBLAS_STATUS_SUCCESS)
    if (const auto status = onHost(hermitian, true, call))
      return *status;
  const cublasStatus_t status = once(hermitian, call);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  auto product = productOf(hermitian, call, call.b, call.ldb, call.a, call.lda);
  product.alpha = scalarOf<T>(call.handle, call.alpha);
  product.alpha.conjugated = hermitian;
  product.beta = constant(Kernel<T>(1));
  return convert(multiply(product, call.handle->stream));
}

} // namespace

#define HET_BOTH_SIZES(make, name, ...)                                                  \
  make(name, int, __VA_ARGS__) make(name##_64, int64_t, __VA_ARGS__)

#define HET_SYMM(name, I, T, shape)                                                      \
  HET_CUBLAS_SYMM(name, I, T) {                                                          \
    HET_VENDOR(name, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);             \
    return multiplyMirrored<T>(                                                          \
        Shape::shape, {handle, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc});  \
  }
HET_BOTH_SIZES(HET_SYMM, cublasSsymm_v2, float, Symmetric)
HET_BOTH_SIZES(HET_SYMM, cublasDsymm_v2, double, Symmetric)
HET_BOTH_SIZES(HET_SYMM, cublasCsymm_v2, cuComplex, Symmetric)
HET_BOTH_SIZES(HET_SYMM, cublasZsymm_v2, cuDoubleComplex, Symmetric)
HET_BOTH_SIZES(HET_SYMM, cublasChemm_v2, cuComplex, Hermitian)
HET_BOTH_SIZES(HET_SYMM, cublasZhemm_v2, cuDoubleComplex, Hermitian)

#define HET_SYRK(name, I, T, S, hermitian)                                               \
  HET_CUBLAS_SYRK(name, I, T, S) {                                                       \
    HET_VENDOR(name, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);                    \
    return once<T, S, S>(                                                                \
        hermitian, {handle, uplo, trans, n, k, alpha, A, lda, A, lda, beta, C, ldc});    \
  }
HET_BOTH_SIZES(HET_SYRK, cublasSsyrk_v2, float, float, false)
HET_BOTH_SIZES(HET_SYRK, cublasDsyrk_v2, double, double, false)
HET_BOTH_SIZES(HET_SYRK, cublasCsyrk_v2, cuComplex, cuComplex, false)
HET_BOTH_SIZES(HET_SYRK, cublasZsyrk_v2, cuDoubleComplex, cuDoubleComplex, false)
HET_BOTH_SIZES(HET_SYRK, cublasCherk_v2, cuComplex, float, true)
HET_BOTH_SIZES(HET_SYRK, cublasZherk_v2, cuDoubleComplex, double, true)

#define HET_SYR2K(name, I, T, S, how, hermitian)                                         \
  HET_CUBLAS_SYR2K(name, I, T, S) {                                                      \
    HET_VENDOR(name, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc);            \
    return how<T, T, S>(                                                                 \
        hermitian, {handle, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc});    \
  }
HET_BOTH_SIZES(HET_SYR2K, cublasSsyr2k_v2, float, float, twice, false)
HET_BOTH_SIZES(HET_SYR2K, cublasDsyr2k_v2, double, double, twice, false)
HET_BOTH_SIZES(HET_SYR2K, cublasCsyr2k_v2, cuComplex, cuComplex, twice, false)
HET_BOTH_SIZES(HET_SYR2K, cublasZsyr2k_v2, cuDoubleComplex, cuDoubleComplex, twice, false)
HET_BOTH_SIZES(HET_SYR2K, cublasCher2k_v2, cuComplex, float, twice, true)
HET_BOTH_SIZES(HET_SYR2K, cublasZher2k_v2, cuDoubleComplex, double, twice, true)
HET_BOTH_SIZES(HET_SYR2K, cublasSsyrkx, float, float, once, false)
HET_BOTH_SIZES(HET_SYR2K, cublasDsyrkx, double, double, once, false)
HET_BOTH_SIZES(HET_SYR2K, cublasCsyrkx, cuComplex, cuComplex, once, false)
HET_BOTH_SIZES(HET_SYR2K, cublasZsyrkx, cuDoubleComplex, cuDoubleComplex, once, false)
HET_BOTH_SIZES(HET_SYR2K, cublasCherkx, cuComplex, float, once, true)
HET_BOTH_SIZES(HET_SYR2K, cublasZherkx, cuDoubleComplex, double, once, true)
