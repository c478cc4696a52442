// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of a random program as the model sees it: the operations that it has put on
// streams, what it knows to be done, and the gate by which it holds a host function back.

#ifndef HET_RANDOM_STREAMS_HOSTTHREAD_H
#define HET_RANDOM_STREAMS_HOSTTHREAD_H

#include "Choices.h"
#include <shared_mutex>

/// No device may be synchronised while a stream of it is captured.
inline std::shared_mutex &captureLock() {
  static std::shared_mutex lock;
  return lock;
}

class HostThread {
public:
  HostThread(Group &group, unsigned thread)
      : group(group), thread(thread), choices(group, thread) {}

  void say(const std::string &text);

  int take();
  void giveBack() { --used; } ///< The number taken last.
  bool hasNumbers(unsigned count) const { return used + count <= operationsPerThread; }
  void announce(Work &work, const Set &before, const std::string &where);
  void expectDone(const Set &set, const std::string &after);

  /// The gate for a host function, or null: the thread holds one closed already. Until it
  /// is opened, some steps later, nothing that follows the host function may be done.
  std::shared_ptr<Gate> closeGate();
  void openGate();
  void beginStep();
  /// The host is going to wait for the set; opens the gate where that might not end.
  void prepareToBlock(const Set &set);

  Group &group;
  const unsigned thread;
  Choices choices;
  Set known, mine; ///< What the host knows to be done; what it has put on streams.
  bool streamsReplaced = false; ///< While the gate is closed.

private:
  unsigned used = 0;
  Set hostFunctions;
  std::shared_ptr<Gate> gate;
  unsigned gateSteps = 0;
};

inline void HostThread::say(const std::string &text) {
  if (group.trace)
    printf("[%u] %s\n", thread, text.c_str());
}

/// A number for an operation, or -1.
inline int HostThread::take() {
  return used < operationsPerThread ? int(thread * operationsPerThread + used++) : -1;
}

/// Tells the model of an operation that is about to be put on a stream.
inline void HostThread::announce(Work &work, const Set &before,
                                 const std::string &where) {
  Operation &operation = group.operations[work.number];
  operation.what = std::string(name(work.kind)) + " on " + where + " by thread " +
                   std::to_string(thread);
  operation.before = before;
  operation.mirrored = work.mirrored;
  work.earlier = group.direct(before);
  if (work.earlier.size() > 1)
    choices.shuffle(work.earlier);
  mine.set(work.number);
  if (work.kind == Kind::HostFunction)
    hostFunctions.set(work.number);
  if (!group.trace)
    return;
  std::string text = group.describe(work.number) + ": slots " +
                     std::to_string(work.first) + " " + std::to_string(work.second) +
                     " -> " + std::to_string(work.out) + ", after";
  for (unsigned number : work.earlier)
    text += " " + std::to_string(number);
  say(text + (work.gate ? ", gate" : ""));
}

/// The host has been told that all of the set is done.
inline void HostThread::expectDone(const Set &set, const std::string &after) {
  for (unsigned i = 0; i < maxOperations; ++i)
    if (set[i] && group.operations[i].mirrored && !group.mirror()[i])
      return group.fail(group.describe(i) + " was not done after " + after);
}

/// Host functions may wait for each other, so there must be none. The legacy stream may
/// wait for what is left of a destroyed one.
inline void HostThread::prepareToBlock(const Set &set) {
  const bool independent = group.progress && group.threads == 1 && !streamsReplaced &&
                           (set & ~known & hostFunctions).none();
  if (!independent)
    openGate();
}

inline std::shared_ptr<Gate> HostThread::closeGate() {
  if (gate || !group.gates)
    return nullptr;
  gate = std::make_shared<Gate>();
  gateSteps = 3 + choices.below(15);
  streamsReplaced = false;
  return gate;
}

inline void HostThread::beginStep() {
  if (gate && gateSteps-- == 0)
    openGate();
}

inline void HostThread::openGate() {
  if (!gate)
    return;
  say("the gate is opened");
  gate->open();
  gate.reset();
}

#endif // HET_RANDOM_STREAMS_HOSTTHREAD_H
