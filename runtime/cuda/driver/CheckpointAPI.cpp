// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: locking a process, having it give up its accelerators, and back. The
// process is this one or another one of the same user, and one whose work may move; it
// answers at the socket at which hetrun reaches it.

#include "Driver.h"

#include "het/Base/Log.h"
#include "migration/control/ProcessState.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

/// Asks the process and hands what it says to `use`.
template <typename Use>
static CUresult ask(int process, const std::string &line, Use use) {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (process <= 0 || (kill(process, 0) != 0 && errno == ESRCH))
    return CUDA_ERROR_INVALID_VALUE;
  Result<core::ProcessReport> report = core::askProcess(process, line);
  if (!report.ok()) {
    log(Level::Error, "cuCheckpointProcess: process %d: %s", process,
        report.status().text().c_str());
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return use(*report);
}

static CUresult request(int process, const std::string &line) {
  return ask(process, line, [&](const core::ProcessReport &report) {
    switch (report.answer) {
    case core::ProcessAnswer::Done:
      return CUDA_SUCCESS;
    case core::ProcessAnswer::WrongState:
      return CUDA_ERROR_ILLEGAL_STATE;
    case core::ProcessAnswer::TooLate:
      return CUDA_ERROR_NOT_READY;
    case core::ProcessAnswer::Refused:
      break;
    }
    log(Level::Error, "cuCheckpointProcess: process %d: %s", process,
        report.message.c_str());
    return CUDA_ERROR_NOT_SUPPORTED;
  });
}

/// Whether arguments have nothing that this version does not know.
template <size_t Count> static bool areZero(const cuuint64_t (&words)[Count]) {
  return std::all_of(std::begin(words), std::end(words),
                     [](cuuint64_t word) { return word == 0; });
}

CUresult cuCheckpointProcessGetState(int process, CUprocessState *state) try {
  if (!state)
    return CUDA_ERROR_INVALID_VALUE;
  return ask(process, "", [&](const core::ProcessReport &report) {
    *state = static_cast<CUprocessState>(report.stand);
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuCheckpointProcessGetRestoreThreadId(int process, int *thread) try {
  if (!thread)
    return CUDA_ERROR_INVALID_VALUE;
  return ask(process, "", [&](const core::ProcessReport &report) {
    *thread = report.thread;
    return CUDA_SUCCESS;
  });
}
HET_CATCH

CUresult cuCheckpointProcessLock(int process, CUcheckpointLockArgs *arguments) try {
  if (arguments && (arguments->reserved0 || !areZero(arguments->reserved1)))
    return CUDA_ERROR_INVALID_VALUE;
  return request(process,
                 "lock " + std::to_string(arguments ? arguments->timeoutMs : 0u));
}
HET_CATCH

CUresult cuCheckpointProcessCheckpoint(int process,
                                       CUcheckpointCheckpointArgs *arguments) try {
  return arguments && !areZero(arguments->reserved) ? CUDA_ERROR_INVALID_VALUE
                                                    : request(process, "checkpoint");
}
HET_CATCH

CUresult cuCheckpointProcessRestore(int process, CUcheckpointRestoreArgs *arguments) try {
  return arguments && !areZero(arguments->reserved) ? CUDA_ERROR_INVALID_VALUE
                                                    : request(process, "restore");
}
HET_CATCH

CUresult cuCheckpointProcessUnlock(int process, CUcheckpointUnlockArgs *arguments) try {
  return arguments && !areZero(arguments->reserved) ? CUDA_ERROR_INVALID_VALUE
                                                    : request(process, "unlock");
}
HET_CATCH
