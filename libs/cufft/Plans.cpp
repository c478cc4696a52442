// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that make plans and say how much memory they need.

#include "Plan.h"

#include <vector>

using namespace het::fft;

namespace {

using Sizes = std::vector<Index>;

/// Arrays of a program's integers; without `embed` the default layout.
template <class Integer> struct Many {
  int rank;
  const Integer *n, *inEmbed, *outEmbed;
  Index inStride, inDistance, outStride, outDistance, batch;
};

template <class Integer> Sizes copied(const Integer *values, int rank) {
  return values ? Sizes(values, values + rank) : Sizes();
}

template <class Integer>
cufftResult setMany(const Many<Integer> &many, Problem &problem) {
  if (many.rank < 1 || many.rank > maxRank || !many.n)
    return CUFFT_INVALID_VALUE;
  const Sizes n = copied(many.n, many.rank), in = copied(many.inEmbed, many.rank),
              out = copied(many.outEmbed, many.rank);
  return setSizes(
      many.rank, n.data(),
      {many.inEmbed ? in.data() : nullptr, many.inStride, many.inDistance},
      {many.outEmbed ? out.data() : nullptr, many.outStride, many.outDistance},
      many.batch, problem);
}

template <class Integer>
cufftResult describe(const Many<Integer> &many, cufftType type, Problem &problem) {
  const cufftResult status = setType(type, problem);
  return status == CUFFT_SUCCESS ? setMany(many, problem) : status;
}

template <class Integer>
cufftResult make(cufftHandle handle, const Many<Integer> &many, cufftType type,
                 size_t *workSize) {
  return withPlan(handle, [&](Plan &plan) {
    Problem problem;
    cufftResult status = describe(many, type, problem);
    if (status == CUFFT_SUCCESS)
      status = workSize ? makePlan(plan, problem) : CUFFT_INVALID_VALUE;
    if (status == CUFFT_SUCCESS)
      *workSize = plan.workBytes;
    return status;
  });
}

/// A new plan that is made at once; none if that fails.
template <class Integer>
cufftResult create(cufftHandle *handle, const Many<Integer> &many, cufftType type) {
  cufftHandle created = 0;
  cufftResult status = handle ? createPlan(&created) : CUFFT_INVALID_VALUE;
  if (status != CUFFT_SUCCESS)
    return status;
  size_t workSize = 0;
  status = make(created, many, type, &workSize);
  if (status == CUFFT_SUCCESS)
    *handle = created;
  else
    (void)destroyPlan(created);
  return status;
}

template <class Integer>
cufftResult estimate(const Many<Integer> &many, cufftType type, size_t *workSize) {
  return guarded([&] {
    Problem problem;
    const cufftResult status = describe(many, type, problem);
    return status == CUFFT_SUCCESS ? measure(problem, workSize) : status;
  });
}

template <class Integer>
cufftResult getSize(cufftHandle handle, const Many<Integer> &many, cufftType type,
                    size_t *workSize) {
  return withPlan(handle, [&](Plan &plan) {
    Problem problem;
    const cufftResult status = describe(many, type, problem);
    return status == CUFFT_SUCCESS ? measure(plan.backEnd, problem, workSize) : status;
  });
}

/// Arrays one after another.
Many<int> denseOf(int rank, const int *n, int batch = 1) {
  return {rank, n, nullptr, nullptr, 1, 0, 1, 0, batch};
}

} // namespace

cufftResult cufftCreate(cufftHandle *handle) { return createPlan(handle); }

cufftResult cufftDestroy(cufftHandle plan) { return destroyPlan(plan); }

#define HET_CUFFT_SIZES_1 int nx, cufftType type, int batch
#define HET_CUFFT_SIZES_2 int nx, int ny, cufftType type
#define HET_CUFFT_SIZES_3 int nx, int ny, int nz, cufftType type
#define HET_CUFFT_N_1 nx
#define HET_CUFFT_N_2 nx, ny
#define HET_CUFFT_N_3 nx, ny, nz
#define HET_CUFFT_BATCH_1 batch
#define HET_CUFFT_BATCH_2 1
#define HET_CUFFT_BATCH_3 1

#define HET_CUFFT_RANK(R)                                                                \
  cufftResult cufftPlan##R##d(cufftHandle *plan, HET_CUFFT_SIZES_##R) {                  \
    const int n[] = {HET_CUFFT_N_##R};                                                   \
    return create(plan, denseOf(R, n, HET_CUFFT_BATCH_##R), type);                       \
  }                                                                                      \
  cufftResult cufftMakePlan##R##d(cufftHandle plan, HET_CUFFT_SIZES_##R,                 \
                                  size_t *workSize) {                                    \
    const int n[] = {HET_CUFFT_N_##R};                                                   \
    return make(plan, denseOf(R, n, HET_CUFFT_BATCH_##R), type, workSize);               \
  }                                                                                      \
  cufftResult cufftEstimate##R##d(HET_CUFFT_SIZES_##R, size_t *workSize) {               \
    const int n[] = {HET_CUFFT_N_##R};                                                   \
    return estimate(denseOf(R, n, HET_CUFFT_BATCH_##R), type, workSize);                 \
  }                                                                                      \
  cufftResult cufftGetSize##R##d(cufftHandle handle, HET_CUFFT_SIZES_##R,                \
                                 size_t *workSize) {                                     \
    const int n[] = {HET_CUFFT_N_##R};                                                   \
    return getSize(handle, denseOf(R, n, HET_CUFFT_BATCH_##R), type, workSize);          \
  }
HET_CUFFT_RANK(1)
HET_CUFFT_RANK(2)
HET_CUFFT_RANK(3)

cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride,
                          int idist, int *onembed, int ostride, int odist, cufftType type,
                          int batch) {
  return create<int>(
      plan, {rank, n, inembed, onembed, istride, idist, ostride, odist, batch}, type);
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed,
                              int istride, int idist, int *onembed, int ostride,
                              int odist, cufftType type, int batch, size_t *workSize) {
  return make<int>(plan,
                   {rank, n, inembed, onembed, istride, idist, ostride, odist, batch},
                   type, workSize);
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int *n,
                                long long int *inembed, long long int istride,
                                long long int idist, long long int *onembed,
                                long long int ostride, long long int odist,
                                cufftType type, long long int batch, size_t *workSize) {
  return make<Index>(plan,
                     {rank, n, inembed, onembed, istride, idist, ostride, odist, batch},
                     type, workSize);
}

cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride, int idist,
                              int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *workSize) {
  return estimate<int>({rank, n, inembed, onembed, istride, idist, ostride, odist, batch},
                       type, workSize);
}

cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int *n, int *inembed,
                             int istride, int idist, int *onembed, int ostride, int odist,
                             cufftType type, int batch, size_t *workSize) {
  return getSize<int>(handle,
                      {rank, n, inembed, onembed, istride, idist, ostride, odist, batch},
                      type, workSize);
}

cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long int *n,
                               long long int *inembed, long long int istride,
                               long long int idist, long long int *onembed,
                               long long int ostride, long long int odist, cufftType type,
                               long long int batch, size_t *workSize) {
  return getSize<Index>(
      plan, {rank, n, inembed, onembed, istride, idist, ostride, odist, batch}, type,
      workSize);
}

namespace {
cufftResult describeXt(const Many<Index> &many, cudaDataType in, cudaDataType out,
                       cudaDataType execution, Problem &problem) {
  const cufftResult status = setTypes(in, out, execution, problem);
  return status == CUFFT_SUCCESS ? setMany(many, problem) : status;
}
} // namespace

cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long int *n,
                                long long int *inembed, long long int istride,
                                long long int idist, cudaDataType inputtype,
                                long long int *onembed, long long int ostride,
                                long long int odist, cudaDataType outputtype,
                                long long int batch, size_t *workSize,
                                cudaDataType executiontype) {
  return withPlan(handle, [&](Plan &plan) {
    Problem problem;
    cufftResult status =
        describeXt({rank, n, inembed, onembed, istride, idist, ostride, odist, batch},
                   inputtype, outputtype, executiontype, problem);
    if (status == CUFFT_SUCCESS)
      status = workSize ? makePlan(plan, problem) : CUFFT_INVALID_VALUE;
    if (status == CUFFT_SUCCESS)
      *workSize = plan.workBytes;
    return status;
  });
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long int *n,
                               long long int *inembed, long long int istride,
                               long long int idist, cudaDataType inputtype,
                               long long int *onembed, long long int ostride,
                               long long int odist, cudaDataType outputtype,
                               long long int batch, size_t *workSize,
                               cudaDataType executiontype) {
  return withPlan(plan, [&](Plan &own) {
    Problem problem;
    const cufftResult status =
        describeXt({rank, n, inembed, onembed, istride, idist, ostride, odist, batch},
                   inputtype, outputtype, executiontype, problem);
    return status == CUFFT_SUCCESS ? measure(own.backEnd, problem, workSize) : status;
  });
}
