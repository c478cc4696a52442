// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts threads with signals blocked, so that they take none of the program's.

#include "het/Base/Thread.h"

#include <system_error>

namespace het {

/// Whether startThread() has made this thread.
static thread_local bool isOwn = false;

BlockedSignals::BlockedSignals() : isChange(!isOwn) {
  if (!isChange)
    return;
  sigset_t blocked;
  sigfillset(&blocked);
  for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF})
    sigdelset(&blocked, own);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
}

BlockedSignals::~BlockedSignals() {
  if (isChange)
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Result<std::thread> startThread(std::function<void()> function) {
  BlockedSignals blocked;
  try {
    return std::thread([function = std::move(function)] {
      isOwn = true;
      function();
    });
  } catch (const std::system_error &error) {
    return unavailable(std::string("a thread: ") + error.what());
  }
}

} // namespace het
