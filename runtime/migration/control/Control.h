// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How programs that run are reached: each migratable process has a Unix socket in a
// folder of its user's own, and answers one line to one line.
//
//   status           ok, a line for each device: PROGRAM, NAME, PLACE, STATE, SECONDS
//                    since the last decision, and WHY it was made, by tabs
//   move NAME        ok, a line that says what it was
//   pause, resume    ok
//   reconsider       ok, a line: the last decision about the first device, after a look
//   at
//                    the notes about devices (migration/control/Leases.h)
//   process WORDS    ok, a line: what came of it (migration/control/ProcessState.h)
//   checkpoint PATH  ok; before it, at times, lines `progress DONE TOTAL`, in bytes
//
// or `error: `, and what is wrong.

#ifndef HET_RUNTIME_MIGRATION_CONTROL_CONTROL_H
#define HET_RUNTIME_MIGRATION_CONTROL_CONTROL_H

#include "het/Base/ProgressBar.h"
#include "het/Base/Status.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace het::core::control {

/// Longer ones are refused.
inline constexpr size_t longestLine = 4200;

/// The folder of the sockets: $XDG_RUNTIME_DIR/het, or one in /tmp by the user's number.
std::string folder();

/// The same, made if it is not there. Fails if others could write there.
Result<std::string> openFolder();

/// The path of a process's socket; whether there is one is another question.
std::string socketOf(const std::string &folder, pid_t process);

/// The names of what lies in the folder: none where it is missing or others could write
/// there.
std::vector<std::string> entries();

/// The processes that have sockets there.
std::vector<pid_t> processes();

/// Sends a line to a process and gives what it answers, without the `ok`; its `error`
/// is the failure. `progress` is told what it says of that.
Result<std::string> ask(pid_t process, const std::string &line,
                        const ProgressFunction &progress = nullptr);

} // namespace het::core::control

#endif // HET_RUNTIME_MIGRATION_CONTROL_CONTROL_H
