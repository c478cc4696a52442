// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of the libraries' kernels. A launch returns its own failure: the error that
// cudaGetLastError would give may be an older one of the program's, which is neither a
// failure of the library's nor the library's to take away.

#ifndef HET_LIBS_LAUNCH_H
#define HET_LIBS_LAUNCH_H

#include <cuda_runtime_api.h>

namespace het::libs {

/// An argument's type, which is converted to that of the parameter.
template <class T> struct ParameterType {
  using type = T;
};

/// Puts a kernel into a stream.
template <class... Parameters>
cudaError_t launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
                   cudaStream_t stream,
                   typename ParameterType<Parameters>::type... arguments) {
  void *places[] = {&arguments...};
  return cudaLaunchKernel(reinterpret_cast<const void *>(kernel), blocks, threads, places,
                          0, stream);
}

} // namespace het::libs

#endif // HET_LIBS_LAUNCH_H
