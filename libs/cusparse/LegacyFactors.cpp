// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Incomplete factors: csrilu02 and csric02, by the levels of the lower triangle.

#include "Legacy.h"
#include "Levels.h"

using namespace het::sparse;

namespace {

/// What the analysis keeps, and what is to be known afterwards.
struct FactorState {
  LevelPlan plan;
  Kept zeroPivot; ///< The first row without a pivot; as an unsigned number, ~0: none.
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cudaStream_t stream = nullptr;
  bool boost = false;
  double tolerance = 0;
  alignas(16) unsigned char boostValue[16] = {}; ///< A number of the matrix's type.
};

} // namespace

struct csrilu02Info : FactorState {};
struct csric02Info : FactorState {};

namespace {

template <class Info> cusparseStatus_t create(Info **info) {
  if (!info)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *info = new (std::nothrow) Info;
  return *info ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t check(cusparseHandle_t handle, int m, int nnz,
                       const cusparseMatDescr *descr, const void *values,
                       const int *offsets, const int *indices, const void *info) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (m < 0 || nnz < 0 || !descr || !info ||
      (m && (!offsets || (nnz && (!values || !indices)))))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return descr->type == CUSPARSE_MATRIX_TYPE_GENERAL
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

/// Forgets zeros that were found among earlier values.
cudaError_t resetZeros(FactorState &state, const Sparse &a, cudaStream_t stream) {
  const cudaError_t error =
      cudaMemsetAsync(state.zeroPivot.get(), 0xff, sizeof(Index), stream);
  return error != cudaSuccess ? error
                              : findStructuralZero(a, state.zeroPivot.get(), stream);
}

cusparseStatus_t analyse(cusparseHandle_t handle, FactorState &state, const Sparse &a) {
  const cudaStream_t stream = handle->stream;
  cudaError_t error = state.zeroPivot.reserve(1);
  if (error == cudaSuccess)
    error = resetZeros(state, a, stream);
  if (error == cudaSuccess)
    error = state.plan.find({a, true, false}, stream);
  state.base = static_cast<cusparseIndexBase_t>(a.base);
  state.stream = stream;
  return convert(error);
}

template <class T>
cusparseStatus_t factorAs(cusparseHandle_t handle, FactorState &state, const Sparse &a,
                          bool cholesky) {
  if (!state.plan.isFound())
    return CUSPARSE_STATUS_INVALID_VALUE;
  Factors<T> factors;
  factors.a = a;
  factors.cholesky = cholesky;
  factors.boost = state.boost;
  if (state.boost) {
    factors.tolerance = state.tolerance;
    std::memcpy(static_cast<void *>(&factors.boostValue.value), state.boostValue,
                sizeof(T));
  }
  factors.zeroPivot = state.zeroPivot.get();
  state.stream = handle->stream;
  if (const cudaError_t error = resetZeros(state, a, handle->stream))
    return convert(error);
  return convert(
      state.plan.run(1, [&](Levels levels, Index first, Index last, Index rows) {
        factors.levels = levels;
        factors.first = first;
        factors.last = last;
        factors.rows = rows;
        return factor(factors, handle->stream);
      }));
}

/// Waits for what was computed.
cusparseStatus_t tellZero(cusparseHandle_t handle, const FactorState *state,
                          int *position) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!state || !position || !state->plan.isFound())
    return CUSPARSE_STATUS_INVALID_VALUE;
  Index row = -1;
  if (state->zeroPivot.get())
    if (const cudaError_t error = fetch(state->zeroPivot.get(), row, state->stream))
      return convert(error);
  const int result = row < 0 ? -1 : static_cast<int>(row) + state->base;
  if (handle->pointerMode == CUSPARSE_POINTER_MODE_DEVICE) {
    const cudaError_t error = cudaMemcpyAsync(position, &result, sizeof(int),
                                              cudaMemcpyHostToDevice, handle->stream);
    if (error != cudaSuccess)
      return convert(error);
  } else {
    *position = result;
  }
  return row < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

cusparseStatus_t setBoost(cusparseHandle_t handle, FactorState *state, int enable,
                          const double *tolerance, const void *value, size_t size) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!state || (enable && (!tolerance || !value)))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (enable && handle->pointerMode == CUSPARSE_POINTER_MODE_DEVICE)
    return refuse("cusparseXcsrilu02_numericBoost", "numbers on the device");
  state->boost = enable != 0;
  if (enable) {
    state->tolerance = *tolerance;
    std::memcpy(state->boostValue, value, size);
  }
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info) { return create(info); }
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  delete info;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info) { return create(info); }
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) {
  delete info;
  return CUSPARSE_STATUS_SUCCESS;
}
HET_CUSPARSE_ZERO_PIVOT(cusparseXcsrilu02_zeroPivot, csrilu02Info_t) {
  return tellZero(handle, info, position);
}
HET_CUSPARSE_ZERO_PIVOT(cusparseXcsric02_zeroPivot, csric02Info_t) {
  return tellZero(handle, info, position);
}

#define HET_FACTOR(name, T, Info, cholesky)                                              \
  HET_CUSPARSE_FACTOR_SIZE(name##_bufferSize, T, Info, int) {                            \
    const cusparseStatus_t status =                                                      \
        check(handle, m, nnz, descrA, csrValA, csrRowPtrA, csrColIndA, info);            \
    return status != CUSPARSE_STATUS_SUCCESS ? status                                    \
                                             : tellSize(handle, pBufferSizeInBytes);     \
  }                                                                                      \
  HET_CUSPARSE_FACTOR_SIZE(name##_bufferSizeExt, T, Info, size_t) {                      \
    const cusparseStatus_t status =                                                      \
        check(handle, m, nnz, descrA, csrValA, csrRowPtrA, csrColIndA, info);            \
    return status != CUSPARSE_STATUS_SUCCESS ? status                                    \
                                             : tellSize(handle, pBufferSizeInBytes);     \
  }                                                                                      \
  HET_CUSPARSE_FACTOR_ANALYSIS(name##_analysis, T, Info) {                               \
    const cusparseStatus_t status =                                                      \
        check(handle, m, nnz, descrA, csrValA, csrRowPtrA, csrColIndA, info);            \
    return status != CUSPARSE_STATUS_SUCCESS                                             \
               ? status                                                                  \
               : analyse(handle, *info,                                                  \
                         sparseOf(m, m, nnz, descrA, csrValA, csrRowPtrA, csrColIndA));  \
  }                                                                                      \
  HET_CUSPARSE_FACTOR(name, T, Info) {                                                   \
    const cusparseStatus_t status =                                                      \
        check(handle, m, nnz, descrA, csrValA, csrRowPtrA, csrColIndA, info);            \
    return status != CUSPARSE_STATUS_SUCCESS                                             \
               ? status                                                                  \
               : factorAs<Kernel<T>>(                                                    \
                     handle, *info,                                                      \
                     sparseOf<T>(m, m, nnz, descrA, csrValA, csrRowPtrA, csrColIndA),    \
                     cholesky);                                                          \
  }
#define HET_FACTORS(begin, T)                                                            \
  HET_FACTOR(begin##csrilu02, T, csrilu02Info_t, false)                                  \
  HET_FACTOR(begin##csric02, T, csric02Info_t, true)                                     \
  HET_CUSPARSE_BOOST(begin##csrilu02_numericBoost, T, csrilu02Info_t) {                  \
    return setBoost(handle, info, enable_boost, tol, boost_val, sizeof(*boost_val));     \
  }
HET_LEGACY_TYPES(HET_FACTORS)
