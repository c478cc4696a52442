// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generators and their settings, of which each that changes lets the sequence begin anew.

#include "Vendor.h"
#include "het/Base/Log.h"

#include <new>

using namespace het::rand;

namespace {

bool isType(curandRngType_t type) {
  switch (type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
  case CURAND_RNG_PSEUDO_XORWOW:
  case CURAND_RNG_PSEUDO_MRG32K3A:
  case CURAND_RNG_PSEUDO_MTGP32:
  case CURAND_RNG_PSEUDO_MT19937:
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
  case CURAND_RNG_QUASI_DEFAULT:
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    return true;
  default: // CURAND_RNG_TEST, of which nothing is documented
    return false;
  }
}

curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool host) {
  if (!generator || !isType(type))
    return CURAND_STATUS_TYPE_ERROR;
  if (type == CURAND_RNG_PSEUDO_DEFAULT)
    type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT)
    type = CURAND_RNG_QUASI_SOBOL32;
  std::unique_ptr<curandGenerator_st> made(new (std::nothrow) curandGenerator_st);
  if (!made)
    return CURAND_STATUS_ALLOCATION_FAILED;
  made->settings.type = type;
  made->settings.ordering = type >= CURAND_RNG_QUASI_DEFAULT
                                ? CURAND_ORDERING_QUASI_DEFAULT
                                : CURAND_ORDERING_PSEUDO_DEFAULT;
  made->place.host = host;
  *generator = made.release();
  return CURAND_STATUS_SUCCESS;
}

/// Changes a setting, if generators of this kind have it and the value is one of its.
template <class Value>
curandStatus_t change(curandGenerator_t generator, Value Settings::*setting, Value value,
                      bool has, bool valid = true) {
  if (!has)
    return CURAND_STATUS_TYPE_ERROR;
  if (!valid)
    return CURAND_STATUS_OUT_OF_RANGE;
  generator->settings.*setting = value;
  generator->engine.reset();
  return CURAND_STATUS_SUCCESS;
}

} // namespace

cudaError_t curandGenerator_st::makeEngine() {
  if (engine)
    return cudaSuccess;
  try {
    engine = isQuasi()                                    ? makeSobol(settings)
             : settings.type == CURAND_RNG_PSEUDO_MTGP32  ? makeMtgp(settings)
             : settings.type == CURAND_RNG_PSEUDO_MT19937 ? makeMersenne(settings)
                                                          : makeSequences(settings);
  } catch (const std::bad_alloc &) {
    return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  int device = 0;
  if (generator && isType(type))
    if (cudaGetDevice(&device) != cudaSuccess || cudaFree(nullptr) != cudaSuccess)
      return CURAND_STATUS_INITIALIZATION_FAILED;
  curandGenerator_t made = nullptr;
  const curandStatus_t status =
      generator ? create(&made, type, false) : CURAND_STATUS_TYPE_ERROR;
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  std::unique_ptr<curandGenerator_st> own(made);
  const het::libs::RelaxedCapture relaxed;
  const het::Result<het::libs::BackEnd> chosen = het::libs::chooseBackEnd(
      "cuRAND", device,
      {[&] { return VendorGenerator::create(own->vendor, own->settings.type); },
       het::libs::kernelsOnHost});
  if (!chosen.ok()) {
    het::log(het::Level::Error, "%s", chosen.status().text().c_str());
    return CURAND_STATUS_INITIALIZATION_FAILED;
  }
  *generator = own.release();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                         curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
  if (!version)
    return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  constexpr int numbers[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL)
    return CURAND_STATUS_OUT_OF_RANGE;
  *value = numbers[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->place.stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  const curandStatus_t status =
      change(generator, &Settings::seed, seed, !generator->isQuasi());
  HET_VENDOR_SETTING(status, curandSetPseudoRandomGeneratorSeed, seed);
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                        unsigned long long offset) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  const curandRngType_t type = generator->settings.type;
  const curandStatus_t status =
      change(generator, &Settings::offset, offset,
             type != CURAND_RNG_PSEUDO_MTGP32 && type != CURAND_RNG_PSEUDO_MT19937);
  HET_VENDOR_SETTING(status, curandSetGeneratorOffset, offset);
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                          curandOrdering_t order) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  const bool pseudo = order >= CURAND_ORDERING_PSEUDO_BEST &&
                      order <= (generator->place.host ? CURAND_ORDERING_PSEUDO_LEGACY
                                                      : CURAND_ORDERING_PSEUDO_DYNAMIC);
  const curandStatus_t status =
      change(generator, &Settings::ordering, order, true,
             generator->isQuasi() ? order == CURAND_ORDERING_QUASI_DEFAULT : pseudo);
  HET_VENDOR_SETTING(status, curandSetGeneratorOrdering, order);
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  const curandStatus_t status =
      change(generator, &Settings::dimensions, dimensions, generator->isQuasi(),
             dimensions >= 1 && dimensions <= sobolDimensions);
  HET_VENDOR_SETTING(status, curandSetQuasiRandomGeneratorDimensions, dimensions);
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->vendor)
    return generator->vendor->seedBefore();
  cudaError_t error = generator->makeEngine();
  if (error == cudaSuccess)
    error = generator->engine->prepare(generator->place);
  return convert(error);
}
