// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake libcufft.so.12. It has transforms of one dimension of complex float numbers.

#include "FakeSupport.h"

#include <complex>
#include <cufftXt.h>
#include <map>

using namespace fake;

namespace {

struct Plan {
  long long n = 0, batch = 0;
  void *stream = nullptr, *work = nullptr;
};
std::map<cufftHandle, Plan> plans;
int last = 0;

constexpr size_t workBytes = 4096;

} // namespace

cufftResult cufftCreate(cufftHandle *handle) {
  note("Create");
  if (!hasContext())
    return CUFFT_INTERNAL_ERROR;
  if (const int status = hetFakeVendor()->createStatus)
    return static_cast<cufftResult>(status);
  plans[ *handle = ++last] = {};
  return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle handle) {
  note(hasContext() ? "Destroy" : "Destroy without a context");
  return plans.erase(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetAutoAllocation(cufftHandle, int automatic) {
  note("SetAutoAllocation " + std::to_string(automatic));
  return CUFFT_SUCCESS;
}
cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long int *n,
                                long long int *inembed, long long int,
                                long long int idist, cudaDataType inputtype,
                                long long int *, long long int, long long int,
                                cudaDataType, long long int batch, size_t *workSize,
                                cudaDataType) {
  note("MakePlan " + std::to_string(n[0]) + (inembed ? " embedded " : " dense ") +
       std::to_string(idist) + " x " + std::to_string(batch));
  if (rank != 1 || inputtype != CUDA_C_32F)
    return CUFFT_NOT_SUPPORTED;
  plans[handle].n = n[0];
  plans[handle].batch = batch;
  *workSize = workBytes;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void *work) {
  note("SetWorkArea");
  plans[handle].work = work;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  note(stream ? "SetStream" : "SetStream 0");
  plans[handle].stream = stream;
  return CUFFT_SUCCESS;
}

cufftResult cufftXtExec(cufftHandle handle, void *input, void *output, int direction) {
  note("Exec " + std::to_string(direction));
  const Plan plan = plans[handle];
  if (!plan.work)
    return CUFFT_NO_WORKSPACE;
  const auto work = [=] {
    using Number = std::complex<float>;
    const auto *in = static_cast<const Number *>(input);
    auto *out = static_cast<Number *>(output);
    const auto n = static_cast<size_t>(plan.n);
    for (size_t line = 0; line < static_cast<size_t>(plan.batch); ++line)
      for (size_t k = 0; k < n; ++k) {
        std::complex<double> sum = 0;
        for (size_t i = 0; i < n; ++i)
          sum += std::complex<double>(in[line * n + i]) *
                 std::polar(1.0, direction * 6.283185307179586 *
                                     static_cast<double>(i * k % n) /
                                     static_cast<double>(n));
        out[line * n + k] = Number(sum);
      }
  };
  return enqueueWork(plan.stream, work) ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}
