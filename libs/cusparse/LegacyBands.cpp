// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Systems of three and five diagonals: gtsv2 and its kin, gpsvInterleavedBatch.

#include "Legacy.h"
#include "Vendor.h"

using namespace het::sparse;

namespace {

template <class T> const Kernel<T> *plain(const T *place) {
  return reinterpret_cast<const Kernel<T> *>(place);
}
template <class T> Kernel<T> *plain(T *place) {
  return reinterpret_cast<Kernel<T> *>(place);
}

template <class T>
Band<Kernel<T>> bandOf(int rows, const T *dl, const T *d, const T *du, T *x) {
  Band<Kernel<T>> band;
  band.rows = rows;
  band.lower = plain(dl);
  band.middle = plain(d);
  band.upper = plain(du);
  band.x = plain(x);
  return band;
}

/// `least`: how many rows a system must have.
template <class K>
cusparseStatus_t solve(cusparseHandle_t handle, Band<K> band, Index least) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (band.rows < least || band.systems < 0 || band.rightSides < 0 ||
      (band.rightSides > 1 && band.leading < band.rows) || !band.lower || !band.middle ||
      !band.upper || !band.x)
    return CUSPARSE_STATUS_INVALID_VALUE;
  Memory memory(handle->stream);
  band.work = memory.get<K>(bandWork * band.rows * band.systems);
  return convert(memory.status() != cudaSuccess ? memory.status()
                                                : solveBand(band, handle->stream));
}

template <class T>
cusparseStatus_t solveOne(cusparseHandle_t handle, int m, int n, const T *dl, const T *d,
                          const T *du, T *b, int ldb, bool pivots) {
  Band<Kernel<T>> band = bandOf(m, dl, d, du, b);
  band.pivots = pivots;
  band.rightSides = n;
  band.leading = ldb;
  return ldb < m ? CUSPARSE_STATUS_INVALID_VALUE : solve(handle, band, 3);
}

template <class T>
cusparseStatus_t solveStrided(cusparseHandle_t handle, int m, const T *dl, const T *d,
                              const T *du, T *x, int count, int stride) {
  Band<Kernel<T>> band = bandOf(m, dl, d, du, x);
  band.pivots = false;
  band.systems = count;
  band.system = stride;
  return stride < m ? CUSPARSE_STATUS_INVALID_VALUE : solve(handle, band, 3);
}

/// Systems whose elements alternate. Algorithms: 0 without exchanged rows, others with.
template <class K>
cusparseStatus_t solveInterleaved(cusparseHandle_t handle, Band<K> band, int count,
                                  bool pivots, Index least) {
  band.pivots = pivots;
  band.systems = count;
  band.system = 1;
  band.element = count;
  return solve(handle, band, least);
}

} // namespace

#define HET_BANDS(begin, T)                                                              \
  HET_CUSPARSE_GTSV_SIZE(begin##gtsv2_bufferSizeExt, T) {                                \
    HET_VENDOR(begin##gtsv2_bufferSizeExt, m, n, dl, d, du, B, ldb, bufferSizeInBytes);  \
    return tellSize(handle, bufferSizeInBytes);                                          \
  }                                                                                      \
  HET_CUSPARSE_GTSV(begin##gtsv2, T) {                                                   \
    HET_VENDOR(begin##gtsv2, m, n, dl, d, du, B, ldb, pBuffer);                          \
    return solveOne(handle, m, n, dl, d, du, B, ldb, true);                              \
  }                                                                                      \
  HET_CUSPARSE_GTSV_SIZE(begin##gtsv2_nopivot_bufferSizeExt, T) {                        \
    HET_VENDOR(begin##gtsv2_nopivot_bufferSizeExt, m, n, dl, d, du, B, ldb,              \
               bufferSizeInBytes);                                                       \
    return tellSize(handle, bufferSizeInBytes);                                          \
  }                                                                                      \
  HET_CUSPARSE_GTSV(begin##gtsv2_nopivot, T) {                                           \
    HET_VENDOR(begin##gtsv2_nopivot, m, n, dl, d, du, B, ldb, pBuffer);                  \
    return solveOne(handle, m, n, dl, d, du, B, ldb, false);                             \
  }                                                                                      \
  HET_CUSPARSE_GTSV_STRIDED_SIZE(begin##gtsv2StridedBatch_bufferSizeExt, T) {            \
    HET_VENDOR(begin##gtsv2StridedBatch_bufferSizeExt, m, dl, d, du, x, batchCount,      \
               batchStride, bufferSizeInBytes);                                          \
    return tellSize(handle, bufferSizeInBytes);                                          \
  }                                                                                      \
  HET_CUSPARSE_GTSV_STRIDED(begin##gtsv2StridedBatch, T) {                               \
    HET_VENDOR(begin##gtsv2StridedBatch, m, dl, d, du, x, batchCount, batchStride,       \
               pBuffer);                                                                 \
    return solveStrided(handle, m, dl, d, du, x, batchCount, batchStride);               \
  }                                                                                      \
  HET_CUSPARSE_GTSV_INTERLEAVED_SIZE(begin##gtsvInterleavedBatch_bufferSizeExt, T) {     \
    HET_VENDOR(begin##gtsvInterleavedBatch_bufferSizeExt, algo, m, dl, d, du, x,         \
               batchCount, pBufferSizeInBytes);                                          \
    return tellSize(handle, pBufferSizeInBytes);                                         \
  }                                                                                      \
  HET_CUSPARSE_GTSV_INTERLEAVED(begin##gtsvInterleavedBatch, T) {                        \
    HET_VENDOR(begin##gtsvInterleavedBatch, algo, m, dl, d, du, x, batchCount, pBuffer); \
    return algo < 0 || algo > 2 ? CUSPARSE_STATUS_INVALID_VALUE                          \
                                : solveInterleaved(handle, bandOf<T>(m, dl, d, du, x),   \
                                                   batchCount, algo != 0, 1);            \
  }                                                                                      \
  HET_CUSPARSE_GPSV_INTERLEAVED_SIZE(begin##gpsvInterleavedBatch_bufferSizeExt, T) {     \
    HET_VENDOR(begin##gpsvInterleavedBatch_bufferSizeExt, algo, m, ds, dl, d, du, dw, x, \
               batchCount, pBufferSizeInBytes);                                          \
    return tellSize(handle, pBufferSizeInBytes);                                         \
  }                                                                                      \
  HET_CUSPARSE_GPSV_INTERLEAVED(begin##gpsvInterleavedBatch, T) {                        \
    HET_VENDOR(begin##gpsvInterleavedBatch, algo, m, ds, dl, d, du, dw, x, batchCount,   \
               pBuffer);                                                                 \
    Band<Kernel<T>> band = bandOf<T>(m, dl, d, du, x);                                   \
    band.lowest = plain(ds);                                                             \
    band.uppermost = plain(dw);                                                          \
    return algo || !ds || !dw ? CUSPARSE_STATUS_INVALID_VALUE                            \
                              : solveInterleaved(handle, band, batchCount, true, 3);     \
  }
HET_LEGACY_TYPES(HET_BANDS)
