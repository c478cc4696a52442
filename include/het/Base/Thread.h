// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of the runtime's own inside of somebody else's program.

#ifndef HET_BASE_THREAD_H
#define HET_BASE_THREAD_H

#include "het/Base/Status.h"

#include <csignal>
#include <functional>
#include <thread>

namespace het {

/// Blocks signals in the calling thread for a scope, so that threads made meanwhile, also
/// by libraries that it calls, take none that are sent to the process.
class BlockedSignals {
public:
  BlockedSignals();
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals &) = delete;
  BlockedSignals &operator=(const BlockedSignals &) = delete;

private:
  const bool isChange; ///< Threads of startThread() block them already.
  sigset_t before;
};

/// Starts a thread that takes no signals sent to the process: these are for the program's
/// threads, which may block them and sigwait(). Signals that a thread raises itself
/// (SIGSEGV, SIGFPE, ...) and a profiler's SIGPROF stay as they are. Fails with
/// Unavailable if the system gives no thread.
Result<std::thread> startThread(std::function<void()> function);

} // namespace het

#endif // HET_BASE_THREAD_H
