// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's host interface: generators that fill arrays, of the device's memory or of the
// program's own. cuRAND documentation: 5.1, Host API.

#ifndef HET_CURAND_H
#define HET_CURAND_H
#define CURAND_H_

#include "cuda_runtime.h"
#include "library_types.h"

#ifndef CURANDAPI
#define CURANDAPI
#endif

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 3
#define CURAND_VER_PATCH 10
#define CURAND_VER_BUILD 19
#define CURAND_VERSION                                                                   \
  (CURAND_VER_MAJOR * 1000 + CURAND_VER_MINOR * 100 + CURAND_VER_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
typedef enum curandStatus curandStatus_t;

enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
typedef enum curandRngType curandRngType_t;

/* In which order numbers of many sequences lie in memory. */
enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
};
typedef enum curandOrdering curandOrdering_t;

enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
};
typedef enum curandDirectionVectorSet curandDirectionVectorSet_t;

/* For one dimension. */
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

/* How numbers of a discrete distribution are found. */
enum curandMethod {
  CURAND_CHOOSE_BEST = 0,
  CURAND_ITR = 1,
  CURAND_KNUTH = 2,
  CURAND_HITR = 3,
  CURAND_M1 = 4,
  CURAND_M2 = 5,
  CURAND_BINARY_SEARCH = 6,
  CURAND_DISCRETE_GAUSS = 7,
  CURAND_REJECTION = 8,
  CURAND_DEVICE_API = 9,
  CURAND_FAST_REJECTION = 10,
  CURAND_3RD = 11,
  CURAND_DEFINITION = 12,
  CURAND_POISSON = 13
};
typedef enum curandMethod curandMethod_t;

typedef struct curandGenerator_st *curandGenerator_t;
typedef double curandDistribution_st;
typedef curandDistribution_st *curandDistribution_t;
typedef struct curandDistributionShift_st *curandDistributionShift_t;
typedef struct curandDistributionM2Shift_st *curandDistributionM2Shift_t;
typedef struct curandHistogramM2_st *curandHistogramM2_t;
typedef unsigned int curandHistogramM2K_st;
typedef curandHistogramM2K_st *curandHistogramM2K_t;
typedef curandDistribution_st curandHistogramM2V_st;
typedef curandHistogramM2V_st *curandHistogramM2V_t;
typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

#define HET_CURAND CURANDAPI curandStatus_t

/* Generators and their settings. */
HET_CURAND curandCreateGenerator(curandGenerator_t *generator, curandRngType_t rng_type);
HET_CURAND curandCreateGeneratorHost(curandGenerator_t *generator,
                                     curandRngType_t rng_type);
HET_CURAND curandDestroyGenerator(curandGenerator_t generator);
HET_CURAND curandGetVersion(int *version);
HET_CURAND curandGetProperty(libraryPropertyType type, int *value);
HET_CURAND curandSetStream(curandGenerator_t generator, cudaStream_t stream);
HET_CURAND curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                              unsigned long long seed);
HET_CURAND curandSetGeneratorOffset(curandGenerator_t generator,
                                    unsigned long long offset);
HET_CURAND curandSetGeneratorOrdering(curandGenerator_t generator,
                                      curandOrdering_t order);
HET_CURAND curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                   unsigned int num_dimensions);

/* Numbers: 32 or 64 random bits, from 0 (left out) to 1, and by distributions. */
HET_CURAND curandGenerate(curandGenerator_t generator, unsigned int *outputPtr,
                          size_t num);
HET_CURAND curandGenerateLongLong(curandGenerator_t generator,
                                  unsigned long long *outputPtr, size_t num);
HET_CURAND curandGenerateUniform(curandGenerator_t generator, float *outputPtr,
                                 size_t num);
HET_CURAND curandGenerateUniformDouble(curandGenerator_t generator, double *outputPtr,
                                       size_t num);
HET_CURAND curandGenerateNormal(curandGenerator_t generator, float *outputPtr, size_t n,
                                float mean, float stddev);
HET_CURAND curandGenerateNormalDouble(curandGenerator_t generator, double *outputPtr,
                                      size_t n, double mean, double stddev);
HET_CURAND curandGenerateLogNormal(curandGenerator_t generator, float *outputPtr,
                                   size_t n, float mean, float stddev);
HET_CURAND curandGenerateLogNormalDouble(curandGenerator_t generator, double *outputPtr,
                                         size_t n, double mean, double stddev);
HET_CURAND curandGeneratePoisson(curandGenerator_t generator, unsigned int *outputPtr,
                                 size_t n, double lambda);
HET_CURAND curandGeneratePoissonMethod(curandGenerator_t generator,
                                       unsigned int *outputPtr, size_t n, double lambda,
                                       curandMethod_t method);
/* Prepares what the first call that generates would prepare. */
HET_CURAND curandGenerateSeeds(curandGenerator_t generator);

/* Tables for kernels: curand_discrete, curand_init of Sobol sequences. */
HET_CURAND
curandCreatePoissonDistribution(double lambda,
                                curandDiscreteDistribution_t *discrete_distribution);
HET_CURAND
curandDestroyDistribution(curandDiscreteDistribution_t discrete_distribution);
HET_CURAND curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                       curandDirectionVectorSet_t set);
HET_CURAND curandGetScrambleConstants32(unsigned int **constants);
HET_CURAND curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                       curandDirectionVectorSet_t set);
HET_CURAND curandGetScrambleConstants64(unsigned long long **constants);

#undef HET_CURAND

#ifdef __cplusplus
}
#endif

#endif // HET_CURAND_H
