// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names and sentences of the error codes (Errors.def), for both APIs.

#ifndef HET_RUNTIME_CUDA_ERRORNAMES_H
#define HET_RUNTIME_CUDA_ERRORNAMES_H

namespace het::cuda {

/// One code. A name is null where an API has no such code.
struct ErrorText {
  int value;
  const char *runtimeName;
  const char *driverName;
  const char *text;
};

/// The entry with this number; null if there is none.
const ErrorText *findErrorText(int value);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_ERRORNAMES_H
