// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands for programs that run: ps, move, pause, resume, checkpoint.

#ifndef HET_TOOLS_HETRUN_RUNNING_H
#define HET_TOOLS_HETRUN_RUNNING_H

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

/// Whether the command is about a program that runs.
bool isForRunning(const std::string &verb, const std::vector<std::string> &arguments);

/// Gives the exit status.
int runForRunning(const std::string &verb, const std::vector<std::string> &arguments);

} // namespace het

#endif // HET_TOOLS_HETRUN_RUNNING_H
