// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program: events, streams that come and go, what the host waits for and asks.

#ifndef HET_RANDOM_STREAMS_WAITING_H
#define HET_RANDOM_STREAMS_WAITING_H

#include "Program.h"

/// The host has been told that all of the set is done.
inline void Program::expectDone(const Set &set, const std::string &after) {
  for (unsigned i = 0; i < maxOperations; ++i)
    if (set[i] && group.operations[i].mirrored && !group.mirror()[i])
      return group.fail(group.describe(i) + " was not done after " + after);
}

inline void Program::record(Event &event, Stream &stream) {
  std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
  if (!guard)
    return;
  const auto locks = group.lockFor(stream);
  say(event.name + " is recorded on " + stream.name);
  progress()->at = "cudaEventRecord";
  event.captured = group.before(stream) | known;
  event.recorded = true;
  event.measured = false;
  CUDA(cudaEventRecord(event.handle, handle(stream)));
  group.follow(stream, event.captured);
}

inline void Program::wait(Stream &stream, Event &event) {
  std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
  if (!guard)
    return;
  const auto locks = group.lockFor(stream);
  say(stream.name + " waits for " + event.name);
  progress()->at = "cudaStreamWaitEvent";
  CUDA(cudaStreamWaitEvent(handle(stream), event.handle, 0));
  group.follow(stream, group.before(stream) | event.captured);
}

/// Whether the host may wait for the set while its gate is closed. Host functions may
/// wait for each other, so there must be none. The legacy stream may wait for what is
/// left of a destroyed one.
inline bool Program::mayBlock(const Set &set) {
  if (!gate)
    return true;
  const bool independent = group.progress && group.threads == 1 && !streamsReplaced &&
                           (set & ~known & hostFunctions).none();
  if (!independent)
    openGate();
  return true;
}

/// Of its own events only: others may destroy theirs. Nobody records it in the meantime.
inline void Program::synchronize(Event &event) {
  std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
  if (!guard || event.owner != thread)
    return;
  mayBlock(event.captured);
  say("synchronise " + event.name);
  progress()->at = "cudaEventSynchronize";
  CUDA(cudaEventSynchronize(event.handle));
  expectDone(event.captured, "cudaEventSynchronize(" + event.name + ")");
  known |= event.captured;
}

inline void Program::synchronize(Stream &stream) {
  Set set;
  {
    const auto locks = group.lockFor(stream);
    set = stream.legacy ? group.before(stream) : stream.content;
  }
  mayBlock(set);
  say("synchronise " + stream.name);
  progress()->at = "cudaStreamSynchronize";
  CUDA(cudaStreamSynchronize(handle(stream)));
  expectDone(set, "cudaStreamSynchronize(" + stream.name + ")");
  known |= set;
}

inline void Program::synchronizeDevice() {
  openGate();
  Set set = mine | known;
  for (Stream &stream : group.streams) {
    std::lock_guard<std::mutex> guard(stream.lock);
    set |= stream.tail;
  }
  say("synchronise the device");
  progress()->at = "cudaDeviceSynchronize";
  std::shared_lock<std::shared_mutex> guard(captureLock());
  CUDA(cudaDeviceSynchronize());
  expectDone(set, "cudaDeviceSynchronize()");
  known |= set;
}

/// What a query tells is only checked: a program that went by it would depend on time.
inline void Program::query(Event &event) {
  std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
  if (!guard)
    return;
  progress()->at = "cudaEventQuery";
  const cudaError_t found = cudaEventQuery(event.handle);
  say("query " + event.name + ": " + cudaGetErrorName(found));
  if (found == cudaSuccess)
    expectDone(event.captured, "cudaEventQuery(" + event.name + ") gave cudaSuccess");
  else if (found != cudaErrorNotReady)
    group.fail("cudaEventQuery(" + event.name + "): " + cudaGetErrorName(found));
  else if (within(event.captured, known) && !event.recorded)
    group.fail("cudaEventQuery(" + event.name + "), never recorded: cudaErrorNotReady");
}

inline void Program::query(Stream &stream) {
  std::lock_guard<std::mutex> guard(stream.lock);
  progress()->at = "cudaStreamQuery";
  const cudaError_t found = cudaStreamQuery(handle(stream));
  say("query " + stream.name + ": " + cudaGetErrorName(found));
  if (found == cudaSuccess)
    expectDone(stream.content, "cudaStreamQuery(" + stream.name + ") gave cudaSuccess");
  else if (found != cudaErrorNotReady)
    group.fail("cudaStreamQuery(" + stream.name + "): " + cudaGetErrorName(found));
}

/// The time of an event that is done does not change until it is recorded again.
inline void Program::measure() {
  progress()->at = "cudaEventElapsedTime";
  for (Event &event : group.events) {
    std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
    if (!guard || !event.timed || !event.recorded ||
        cudaEventQuery(event.handle) != cudaSuccess)
      continue;
    float elapsed = 0;
    CUDA(cudaEventElapsedTime(&elapsed, group.base, event.handle));
    if (event.measured && elapsed != event.elapsed)
      group.fail("cudaEventElapsedTime(" + event.name + "): found " +
                 std::to_string(elapsed) + ", before " + std::to_string(event.elapsed) +
                 ", and it was not recorded again");
    event.measured = true;
    event.elapsed = elapsed;
  }
}

/// Destroyed, whatever waits for it, and made anew.
inline void Program::replace(Event &event) {
  std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
  if (!guard || event.owner != thread)
    return;
  say("new " + event.name);
  progress()->at = "cudaEventDestroy";
  CUDA(cudaEventDestroy(event.handle));
  event.timed = chance(50);
  CUDA(cudaEventCreateWithFlags(&event.handle,
                                event.timed ? cudaEventDefault : cudaEventDisableTiming));
  event.recorded = event.measured = false;
  event.captured.reset();
}

/// Destroyed with its work, which ends all the same, and made anew. A blocking stream
/// follows the legacy stream's work from before.
inline void Program::replace(Stream &stream) {
  if (stream.handle == cudaStreamPerThread)
    return;
  Stream &legacy = group.streams[0];
  std::lock_guard<std::mutex> legacyGuard(legacy.lock);
  std::lock_guard<std::mutex> guard(stream.lock);
  streamsReplaced = true;
  progress()->at = "cudaStreamDestroy";
  CUDA(cudaStreamDestroy(stream.handle));
  stream.blocking = chance(50);
  int least = 0, greatest = 0;
  CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  const int priority = greatest + int(below(least - greatest + 1));
  const unsigned flags = stream.blocking ? cudaStreamDefault : cudaStreamNonBlocking;
  progress()->at = "cudaStreamCreate";
  if (chance(50))
    CUDA(cudaStreamCreateWithPriority(&stream.handle, flags, priority));
  else
    CUDA(cudaStreamCreateWithFlags(&stream.handle, flags));
  say("new " + stream.name + (stream.blocking ? ", blocking" : ", not blocking"));
  stream.tail.reset();
  stream.content.reset();
  if (stream.blocking)
    stream.tail = legacy.tail;
}

/// Until it is opened, nothing that follows its host function may be done.
inline void Program::closeGate() {
  if (gate || !group.gates)
    return;
  gate = std::make_shared<Gate>();
  gateSteps = 3 + below(15);
  streamsReplaced = false;
  operation(anyStream(), gate);
}

inline void Program::openGate() {
  if (!gate)
    return;
  say("the gate is opened");
  gate->open();
  gate.reset();
}

#endif // HET_RANDOM_STREAMS_WAITING_H
