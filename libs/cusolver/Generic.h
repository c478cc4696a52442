// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions share whose types are arguments.

#ifndef HET_LIBS_CUSOLVER_GENERIC_H
#define HET_LIBS_CUSOLVER_GENERIC_H

#include "Library.h"

namespace het::solver {

/// Calls `call` with zeros of the type of numbers and of their absolute values, where all
/// of a call's types are one.
template <class Call>
cusolverStatus_t withType(const char *function, cudaDataType type,
                          std::initializer_list<cudaDataType> others, const Call &call) {
  for (const cudaDataType other : others)
    if (other != type)
      return refuse(function, "a combination of different types");
  switch (type) {
  // NOLINTNEXTLINE(bugprone-branch-clone): some calls do the same for all types
  case CUDA_R_32F:
    return call(float(), float());
  case CUDA_R_64F:
    return call(double(), double());
  case CUDA_C_32F:
    return call(cuComplex(), float());
  case CUDA_C_64F:
    return call(cuDoubleComplex(), double());
  default:
    return refuse(function, "this type");
  }
}
/// The type of absolute values.
inline cudaDataType realTypeOf(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

inline cusolverStatus_t tellSizes(cusolverDnHandle_t handle, bool valid, size_t *onDevice,
                                  size_t *onHost) {
  const cusolverStatus_t status = check(handle, valid && onDevice && onHost);
  if (status != CUSOLVER_STATUS_SUCCESS)
    return status;
  *onDevice = smallBuffer;
  *onHost = 0;
  return CUSOLVER_STATUS_SUCCESS;
}

} // namespace het::solver

#endif // HET_LIBS_CUSOLVER_GENERIC_H
