// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcublas -lcufft -lcurand -lcusolver -lcusparse
//
// An error of the program's from before a library's call is none of the call's, and is
// still there afterwards.

#include "Inputs/check.h"
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

/// Makes an error, and checks after a call that it is there.
template <class Call> static void withOlderError(int line, const Call &call) {
  CUDA(cudaGetLastError());
  CUDA_ERROR(cudaMemset(nullptr, 0, 1), cudaErrorInvalidValue);
  const int status = static_cast<int>(call());
  const cudaError_t kept = cudaGetLastError();
  if (status != 0 || kept != cudaErrorInvalidValue)
    if (++check::failures() <= 10)
      printf("line %d: found status %d and %s\n", line, status, cudaGetErrorName(kept));
}
#define WITH_OLDER_ERROR(...) withOlderError(__LINE__, [&] { return __VA_ARGS__; })

int main() {
  setenv("HET_LIBRARIES", "portable", 1); // launches of kernels
  check::Array<float> x(64), y(64), big(64 * 64);
  check::Array<int> columns(std::vector<int>{0, 1}), rows(std::vector<int>{0, 1, 2}),
      info(1);
  check::Array<cufftComplex> points(64);
  const float one = 1;
  cublasHandle_t blas;
  cusolverDnHandle_t solver;
  cusparseHandle_t sparse;
  curandGenerator_t random;
  cufftHandle plan;
  CHECK_EQ(cublasCreate(&blas), CUBLAS_STATUS_SUCCESS);
  CHECK_EQ(cusolverDnCreate(&solver), CUSOLVER_STATUS_SUCCESS);
  CHECK_EQ(cusparseCreate(&sparse), CUSPARSE_STATUS_SUCCESS);
  CHECK_EQ(curandCreateGenerator(&random, CURAND_RNG_PSEUDO_XORWOW),
           CURAND_STATUS_SUCCESS);
  CHECK_EQ(cufftPlan1d(&plan, 64, CUFFT_C2C, 1), CUFFT_SUCCESS);
  WITH_OLDER_ERROR(cublasSaxpy(blas, 64, &one, x, 1, y, 1));
  WITH_OLDER_ERROR(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, x, 8, y, 8,
                               &one, big, 8));
  float *work = big;
  WITH_OLDER_ERROR(cusolverDnSgetrf(solver, 8, 8, x, 8, work, nullptr, info));
  WITH_OLDER_ERROR(cufftExecC2C(plan, points, points, CUFFT_FORWARD));
  WITH_OLDER_ERROR(curandGenerateUniform(random, x, 64));
  cusparseDnVecDescr_t from, to;
  cusparseSpMatDescr_t matrix;
  float *values = y, *in = x, *out = big;
  int *rowPlaces = rows, *columnPlaces = columns;
  CHECK_EQ(cusparseCreateCsr(&matrix, 2, 2, 2, rowPlaces, columnPlaces, values,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
           CUSPARSE_STATUS_SUCCESS);
  CHECK_EQ(cusparseCreateDnVec(&from, 2, in, CUDA_R_32F), CUSPARSE_STATUS_SUCCESS);
  CHECK_EQ(cusparseCreateDnVec(&to, 2, out, CUDA_R_32F), CUSPARSE_STATUS_SUCCESS);
  for (const cusparseOperation_t operation :
       {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE})
    WITH_OLDER_ERROR(cusparseSpMV(sparse, operation, &one, matrix, from, &one, to,
                                  CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, work));
  CUDA(cudaDeviceSynchronize());
  CHECK_EQ(cusparseDestroySpMat(matrix), CUSPARSE_STATUS_SUCCESS);
  CHECK_EQ(cusparseDestroyDnVec(from), CUSPARSE_STATUS_SUCCESS);
  CHECK_EQ(cusparseDestroyDnVec(to), CUSPARSE_STATUS_SUCCESS);
  CHECK_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  CHECK_EQ(curandDestroyGenerator(random), CURAND_STATUS_SUCCESS);
  CHECK_EQ(cusparseDestroy(sparse), CUSPARSE_STATUS_SUCCESS);
  CHECK_EQ(cusolverDnDestroy(solver), CUSOLVER_STATUS_SUCCESS);
  CHECK_EQ(cublasDestroy(blas), CUBLAS_STATUS_SUCCESS);
  return check::finish("older_errors");
}
