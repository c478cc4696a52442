// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that another one, or the process itself, locks and has give up its
// accelerators (cuCheckpointProcessLock and its like):
//
//   running --lock--> locked --checkpoint--> checkpointed
//           <-unlock-        <---restore----
//
// A locked process is paused. Where it is checkpointed its devices are the host's, so
// that all that they hold is memory of the process.

#ifndef HET_RUNTIME_MIGRATION_CONTROL_PROCESSSTATE_H
#define HET_RUNTIME_MIGRATION_CONTROL_PROCESSSTATE_H

#include "het/Base/Status.h"

#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

namespace het::core {

class Runtime;

/// The numbers are CUprocessState's.
enum class ProcessStand { Running = 0, Locked = 1, Checkpointed = 2, Failed = 3 };

/// What came of a request: done, or why not.
enum class ProcessAnswer {
  Done = 0,
  WrongState = 1, ///< It does not follow from the state that the process is in.
  TooLate = 2,    ///< Work did not stop in the time; it goes on.
  Refused = 3     ///< A device could not do it; the message says more.
};

class ProcessState {
public:
  /// The process's; never destroyed.
  static ProcessState &get();

  /// Answers a line, behind the word `process`: `lock MILLISECONDS` (0: without an end),
  /// `checkpoint`, `restore`, `unlock`, or nothing. The answer is the numbers of a
  /// ProcessAnswer, a ProcessStand and the thread that answered, and a message.
  std::string answer(Runtime &runtime, const std::string &line);

private:
  ProcessAnswer request(Runtime &runtime, const std::string &line);
  ProcessAnswer lock(Runtime &runtime, unsigned milliseconds);
  ProcessAnswer unlock(Runtime &runtime);
  ProcessAnswer checkpoint(Runtime &runtime);
  ProcessAnswer restore(Runtime &runtime);
  ProcessAnswer refuse(const Status &status);

  std::mutex mutex; ///< Guards what follows.
  ProcessStand stand = ProcessStand::Running;
  std::vector<std::string> places; ///< Of the devices, before they were the host's.
  std::string message;
};

/// As ProcessState::answer says.
struct ProcessReport {
  ProcessAnswer answer = ProcessAnswer::Done;
  ProcessStand stand = ProcessStand::Running;
  pid_t thread = 0;
  std::string message;
};

/// Asks a process, which may be this one. Fails where it can not be asked.
Result<ProcessReport> askProcess(pid_t process, const std::string &line);

/// Pauses all devices of the process; where one fails, those before it are as they were.
Status pauseAll(Runtime &runtime);
Status resumeAll(Runtime &runtime);

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CONTROL_PROCESSSTATE_H
