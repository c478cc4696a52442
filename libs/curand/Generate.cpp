// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that generate.

#include "Vendor.h"

#include <cmath>
#include <new>

using namespace het::rand;

namespace {

curandStatus_t generate(curandGenerator_t generator, Output output, bool wide = false) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (output.kind == Kind::Bits && wide != generator->isWide())
    return CURAND_STATUS_TYPE_ERROR;
  const Settings &settings = generator->settings;
  const bool pairs = settings.type == CURAND_RNG_PSEUDO_XORWOW ||
                     settings.type == CURAND_RNG_PSEUDO_MRG32K3A;
  const bool normal = output.kind >= Kind::Normal && output.kind <= Kind::LogNormalDouble;
  if (pairs && normal && output.count % 2)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (generator->isQuasi() && output.count % settings.dimensions)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (output.count == 0)
    return CURAND_STATUS_SUCCESS;
  if (!output.place)
    return CURAND_STATUS_OUT_OF_RANGE;
  cudaError_t error = generator->makeEngine();
  if (error == cudaSuccess)
    error = generator->engine->fill(output, generator->place);
  return convert(error);
}

/// Puts the table for a mean where the generator works, if it is not there.
cudaError_t prepareTable(curandGenerator_st &generator, double lambda) {
  if (generator.lambda == lambda)
    return cudaSuccess;
  try {
    generator.lambda = -1;
    generator.table =
        generator.wantsSums(lambda) ? poissonSums(lambda) : poissonTable(lambda);
    const PoissonTable &table = generator.table;
    cudaError_t error = generator.thresholds.put(table.thresholds.data(),
                                                 table.thresholds.size() * sizeof(double),
                                                 generator.place);
    if (error == cudaSuccess && !table.aliases.empty())
      error = generator.aliases.put(
          table.aliases.data(), table.aliases.size() * sizeof(unsigned), generator.place);
    if (error == cudaSuccess)
      generator.lambda = lambda;
    return error;
  } catch (const std::bad_alloc &) {
    return cudaErrorMemoryAllocation;
  }
}

} // namespace

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *output,
                              size_t count) {
  HET_VENDOR(curandGenerate, output, count);
  return generate(generator, {Kind::Bits, output, count, 0, 1, {}});
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator,
                                      unsigned long long *output, size_t count) {
  HET_VENDOR(curandGenerateLongLong, output, count);
  return generate(generator, {Kind::Bits, output, count, 0, 1, {}}, true);
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output,
                                     size_t count) {
  HET_VENDOR(curandGenerateUniform, output, count);
  return generate(generator, {Kind::Uniform, output, count, 0, 1, {}});
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output,
                                           size_t count) {
  HET_VENDOR(curandGenerateUniformDouble, output, count);
  return generate(generator, {Kind::UniformDouble, output, count, 0, 1, {}});
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output,
                                    size_t count, float mean, float deviation) {
  HET_VENDOR(curandGenerateNormal, output, count, mean, deviation);
  return generate(generator, {Kind::Normal, output, count, mean, deviation, {}});
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output,
                                          size_t count, double mean, double deviation) {
  HET_VENDOR(curandGenerateNormalDouble, output, count, mean, deviation);
  return generate(generator, {Kind::NormalDouble, output, count, mean, deviation, {}});
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output,
                                       size_t count, float mean, float deviation) {
  HET_VENDOR(curandGenerateLogNormal, output, count, mean, deviation);
  return generate(generator, {Kind::LogNormal, output, count, mean, deviation, {}});
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output,
                                             size_t count, double mean,
                                             double deviation) {
  HET_VENDOR(curandGenerateLogNormalDouble, output, count, mean, deviation);
  return generate(generator, {Kind::LogNormalDouble, output, count, mean, deviation, {}});
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *output,
                                     size_t count, double lambda) {
  HET_VENDOR(curandGeneratePoisson, output, count, lambda);
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!(lambda > 0) || !std::isfinite(lambda))
    return CURAND_STATUS_OUT_OF_RANGE;
  if (!generator->wantsTable(lambda))
    return generate(generator,
                    {Kind::PoissonNormal, output, count, lambda, std::sqrt(lambda), {}});
  if (const cudaError_t error = prepareTable(*generator, lambda); error != cudaSuccess)
    return convert(error);
  const Histogram histogram = {
      static_cast<const double *>(generator->thresholds.get()),
      generator->wantsSums(lambda)
          ? nullptr
          : static_cast<const unsigned *>(generator->aliases.get()),
      static_cast<unsigned>(generator->table.thresholds.size()), generator->table.shift};
  return generate(generator, {Kind::Poisson, output, count, 0, 1, histogram});
}

// The best method is the only one; of the others nothing is documented.
curandStatus_t curandGeneratePoissonMethod(curandGenerator_t generator,
                                           unsigned int *output, size_t count,
                                           double lambda, curandMethod_t method) {
  HET_VENDOR(curandGeneratePoissonMethod, output, count, lambda, method);
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  return method == CURAND_CHOOSE_BEST
             ? curandGeneratePoisson(generator, output, count, lambda)
             : CURAND_STATUS_TYPE_ERROR;
}
