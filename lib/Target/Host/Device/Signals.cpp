// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handlers of SIGSEGV, SIGBUS and SIGFPE. A signal is a kernel's if its thread runs
// one and the kernel of the system made it for an instruction (si_code > 0); one that was
// sent, by kill() or raise(), never is. What the program had set before is remembered
// whenever our handler is installed again, and called as the system would have.

#include "Signals.h"
#include "HostDevice.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <mutex>

namespace het::host {

thread_local Guard *guard = nullptr;

void leave() { siglongjmp(guard->place, 1); }

namespace {

constexpr int handledSignals[] = {SIGSEGV, SIGBUS, SIGFPE};

/// The program's own handler. Never freed: a handler may look at it at any time.
struct Action {
  struct sigaction action;
  const Action *older; ///< The handler before that; null: none.
  const Action *made;  ///< The one that was made before, whatever it is for.
};
std::atomic<const Action *> latestActions[NSIG];

/// A call of a handler of the program that has not returned.
struct Call {
  const Action *action = nullptr;
  siginfo_t *info = nullptr;
  const void *frame = nullptr;
};
thread_local Call calls[NSIG];

/// The program's action for a signal. A handler that was set later may hand on what it
/// got to the one before it, which was ours: then it is the turn of an older one.
const Action *findAction(int number, siginfo_t *info, const void *frame) {
  const Call &call = calls[number];
  const bool isHandedOn = call.action && call.info == info && frame < call.frame;
  return isHandedOn ? call.action->older : latestActions[number].load();
}

void setDefault(int number) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(number, &action, nullptr);
}

/// Calls a handler under the mask, and with the flags, that it was set with.
void callHandler(const Action &own, int number, siginfo_t *info, void *context,
                 const void *frame) {
  const struct sigaction &action = own.action;
  if (action.sa_flags & static_cast<int>(SA_RESETHAND))
    setDefault(number);
  sigset_t mask = action.sa_mask, before;
  if (!(action.sa_flags & SA_NODEFER))
    sigaddset(&mask, number);
  pthread_sigmask(SIG_BLOCK, &mask, &before);
  const Call outer = calls[number];
  calls[number] = {&own, info, frame};
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(number, info, context);
  else
    action.sa_handler(number);
  calls[number] = outer;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void onSignal(int number, siginfo_t *info, void *context) {
  const bool wasSent = info->si_code <= 0;
  if (guard && !wasSent) {
    guard->signal = number; // said outside of the handler: here no memory
    guard->address = info->si_addr;
    leave();
  }
  const void *frame = __builtin_frame_address(0);
  const Action *own = findAction(number, info, frame);
  const bool isIgnored = own && own->action.sa_handler == SIG_IGN;
  if (isIgnored && wasSent)
    return;
  if (own && !isIgnored && own->action.sa_handler != SIG_DFL)
    return callHandler(*own, number, info, context, frame);
  setDefault(number); // an instruction raises it again
  if (wasSent)
    raise(number);
}

bool areEqual(const struct sigaction &a, const struct sigaction &b) {
  return a.sa_sigaction == b.sa_sigaction && a.sa_flags == b.sa_flags &&
         std::memcmp(&a.sa_mask, &b.sa_mask, sizeof(a.sa_mask)) == 0;
}

/// The program's handler, set after `latest`. Programs set handlers by turns: one that is
/// in effect again has what was set since above it no more, and none is made twice.
const Action *noteAction(const struct sigaction &present, const Action *latest) {
  static const Action *all = nullptr;
  for (const Action *known = latest; known; known = known->older)
    if (areEqual(known->action, present))
      return known;
  for (const Action *known = all; known; known = known->made)
    if (known->older == latest && areEqual(known->action, present))
      return known;
  return all = new Action{present, latest, all};
}

/// Puts our handler in place of the program's, which is remembered first.
void install(int number) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  struct sigaction present = {};
  sigaction(number, nullptr, &present);
  if (present.sa_sigaction == onSignal)
    return;
  latestActions[number] = noteAction(present, latestActions[number].load());
  struct sigaction own = {};
  own.sa_sigaction = onSignal;
  // As much of the program's wishes as the system carries out by itself.
  own.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | (present.sa_flags & SA_RESTART);
  sigaction(number, &own, nullptr);
}

} // namespace

void prepareSignals(HetQueue &queue) {
  static std::atomic<bool> arePrepared{false};
  if (arePrepared.load(std::memory_order_acquire) && !queue.queue.isIdle())
    return;
  for (int number : handledSignals) {
    struct sigaction present = {};
    if (sigaction(number, nullptr, &present) == 0 && present.sa_sigaction != onSignal)
      install(number);
  }
  arePrepared.store(true, std::memory_order_release);
}

} // namespace het::host
