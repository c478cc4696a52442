// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts threads with signals blocked, so that they take none of the program's.

#include "het/Base/Thread.h"

#include <system_error>

namespace het {

BlockedSignals::BlockedSignals() {
  sigset_t blocked;
  sigfillset(&blocked);
  for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF})
    sigdelset(&blocked, own);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
}

BlockedSignals::~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

Result<std::thread> startThread(std::function<void()> function) {
  BlockedSignals blocked;
  try {
    return std::thread(std::move(function));
  } catch (const std::system_error &error) {
    return unavailable(std::string("a thread: ") + error.what());
  }
}

} // namespace het
