// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deprecated functions that are refused: triangles and incomplete factors of blocks,
// masked products, colours of graphs. Their descriptions are refused, too.

#include "Legacy.h"

using het::sparse::refuse;

namespace {
constexpr const char *notThere = "this deprecated function is not supported";
}

cusparseStatus_t cusparseCreateBsrilu02Info(bsrilu02Info_t *info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseDestroyBsrilu02Info(bsrilu02Info_t info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseCreateBsric02Info(bsric02Info_t *info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseDestroyBsric02Info(bsric02Info_t info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t *info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t *info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseCreateCsru2csrInfo(csru2csrInfo_t *info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseDestroyCsru2csrInfo(csru2csrInfo_t info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseCreatePruneInfo(pruneInfo_t *info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseDestroyPruneInfo(pruneInfo_t info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseCreateColorInfo(cusparseColorInfo_t *info) {
  return refuse(__func__, notThere);
}
cusparseStatus_t cusparseDestroyColorInfo(cusparseColorInfo_t info) {
  return refuse(__func__, notThere);
}
HET_CUSPARSE_ZERO_PIVOT(cusparseXbsrilu02_zeroPivot, bsrilu02Info_t) {
  return refuse(__func__, notThere);
}
HET_CUSPARSE_ZERO_PIVOT(cusparseXbsric02_zeroPivot, bsric02Info_t) {
  return refuse(__func__, notThere);
}
HET_CUSPARSE_ZERO_PIVOT(cusparseXbsrsv2_zeroPivot, bsrsv2Info_t) {
  return refuse(__func__, notThere);
}
HET_CUSPARSE_ZERO_PIVOT(cusparseXbsrsm2_zeroPivot, bsrsm2Info_t) {
  return refuse(__func__, notThere);
}

#define HET_REFUSED(S, T, R)                                                             \
  HET_CUSPARSE_BSRXMV(cusparse##S##bsrxmv, T) { return refuse(__func__, notThere); }     \
  HET_CUSPARSE_BSR_FACTOR_SIZE(cusparse##S##bsrilu02_bufferSize, T, bsrilu02Info_t) {    \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSR_FACTOR(cusparse##S##bsrilu02_analysis, T, bsrilu02Info_t) {           \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSR_FACTOR(cusparse##S##bsrilu02, T, bsrilu02Info_t) {                    \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BOOST(cusparse##S##bsrilu02_numericBoost, T, bsrilu02Info_t) {            \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSR_FACTOR_SIZE(cusparse##S##bsric02_bufferSize, T, bsric02Info_t) {      \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSR_FACTOR(cusparse##S##bsric02_analysis, T, bsric02Info_t) {             \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSR_FACTOR(cusparse##S##bsric02, T, bsric02Info_t) {                      \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSRSV_SIZE(cusparse##S##bsrsv2_bufferSize, T) {                           \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSRSV_ANALYSIS(cusparse##S##bsrsv2_analysis, T) {                         \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSRSV(cusparse##S##bsrsv2_solve, T) {                                     \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSRSM_SIZE(cusparse##S##bsrsm2_bufferSize, T) {                           \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSRSM_ANALYSIS(cusparse##S##bsrsm2_analysis, T) {                         \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_BSRSM(cusparse##S##bsrsm2_solve, T) {                                     \
    return refuse(__func__, notThere);                                                   \
  }                                                                                      \
  HET_CUSPARSE_CSRCOLOR(cusparse##S##csrcolor, T, R) {                                   \
    return refuse(__func__, notThere);                                                   \
  }
HET_REFUSED(S, float, float)
HET_REFUSED(D, double, double)
HET_REFUSED(C, cuComplex, float)
HET_REFUSED(Z, cuDoubleComplex, double)
