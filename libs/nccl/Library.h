// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all parts of NCCL share: its header, failures, and the types of elements.

#ifndef HET_LIBS_NCCL_LIBRARY_H
#define HET_LIBS_NCCL_LIBRARY_H

#include <cstddef>
#include <string>

#pragma GCC visibility push(default)
#include <nccl.h>
#pragma GCC visibility pop

namespace het::nccl {

/// What became of a call or an operation; without a text if it is a success.
struct [[nodiscard]] Outcome {
  ncclResult_t code = ncclSuccess;
  std::string text;

  bool ok() const { return code == ncclSuccess; }
};

/// Logs a failure, keeps its text for ncclGetLastError, and returns its code.
ncclResult_t report(const Outcome &outcome);
/// What a function that is not there returns; says so in the log.
ncclResult_t refuse(const char *function, const std::string &why);
/// The text of the latest failure of the process; valid until the thread's next call.
const char *lastText();

/// A failed call of the runtime.
Outcome cudaFailure(cudaError_t error, const char *what);
/// A failed call of the system, by errno.
Outcome systemFailure(const std::string &what);

bool isType(ncclDataType_t type);
size_t sizeOf(ncclDataType_t type);

} // namespace het::nccl

#endif // HET_LIBS_NCCL_LIBRARY_H
