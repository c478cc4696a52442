// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake libcurand.so.10. Its uniform numbers are the integers from the seed on.

#include "FakeSupport.h"

#include <curand.h>

using namespace fake;

struct curandGenerator_st {
  cudaStream_t stream = nullptr;
  float next = 0;
};

namespace {
curandStatus_t noted(std::string call) {
  note(std::move(call));
  return CURAND_STATUS_SUCCESS;
}
} // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  note("Create " + std::to_string(type));
  if (!hasContext())
    return CURAND_STATUS_INTERNAL_ERROR;
  *generator = new curandGenerator_st;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  delete generator;
  return noted(hasContext() ? "Destroy" : "Destroy without a context");
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  generator->stream = stream;
  return noted(stream ? "SetStream" : "SetStream 0");
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  generator->next = static_cast<float>(seed);
  return noted("SetSeed " + std::to_string(seed));
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  note("GenerateSeeds");
  return enqueueWork(generator->stream, [] {}) ? CURAND_STATUS_SUCCESS
                                               : CURAND_STATUS_LAUNCH_FAILURE;
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output,
                                     size_t count) {
  note("GenerateUniform " + std::to_string(count));
  const auto work = [=] {
    for (size_t i = 0; i < count; ++i)
      output[i] = generator->next++;
  };
  return enqueueWork(generator->stream, work) ? CURAND_STATUS_SUCCESS
                                              : CURAND_STATUS_LAUNCH_FAILURE;
}
