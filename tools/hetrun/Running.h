// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands for programs that run: ps, move, pause, resume, checkpoint.

#ifndef HET_TOOLS_HETRUN_RUNNING_H
#define HET_TOOLS_HETRUN_RUNNING_H

#include "Checkpoints.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace het {

/// A device of a program that can be reached.
struct ProgramStatus {
  pid_t process = 0;
  std::string program, device, place, state;
  std::string seconds; ///< Since the last decision about it,
  std::string why;     ///< which was made for this reason.
};
/// Those that answer; the others are said on stderr, and counted in `silent`.
std::vector<ProgramStatus> programs(size_t *silent = nullptr);

/// Whether it is the number of a process.
bool isProcess(const std::string &text);

// The verbs; they return the exit status.
int listPrograms();
/// `argument`: the verb's second one, if it has one.
int sendRequest(const std::string &verb, const std::string &pid,
                const std::string &argument);
int runResumeProcess(const ResumeOptions &options);

} // namespace het

#endif // HET_TOOLS_HETRUN_RUNNING_H
