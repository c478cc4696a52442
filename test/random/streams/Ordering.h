// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events, recorded and waited for, which order streams. Streams and events come
// and go.

#ifndef HET_RANDOM_STREAMS_ORDERING_H
#define HET_RANDOM_STREAMS_ORDERING_H

#include "HostThread.h"

class Ordering {
public:
  explicit Ordering(HostThread &host)
      : host(host), group(host.group), choices(host.choices) {}

  void record(Event &event, Stream &stream);
  void wait(Stream &stream, Event &event);
  void replace(Event &event);
  void replace(Stream &stream);

private:
  HostThread &host;
  Group &group;
  Choices &choices;
};

inline void Ordering::record(Event &event, Stream &stream) {
  std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
  if (!guard)
    return;
  const auto locks = group.lockFor(stream);
  host.say(event.name + " is recorded on " + stream.name);
  progress()->at = "cudaEventRecord";
  event.captured = group.before(stream) | host.known;
  event.recorded = true;
  event.measured = false;
  CUDA(cudaEventRecord(event.handle, choices.handle(stream)));
  group.follow(stream, event.captured);
}

inline void Ordering::wait(Stream &stream, Event &event) {
  std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
  if (!guard)
    return;
  const auto locks = group.lockFor(stream);
  host.say(stream.name + " waits for " + event.name);
  progress()->at = "cudaStreamWaitEvent";
  CUDA(cudaStreamWaitEvent(choices.handle(stream), event.handle, 0));
  group.follow(stream, group.before(stream) | event.captured);
}

/// Destroyed, whatever waits for it, and made anew.
inline void Ordering::replace(Event &event) {
  std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
  if (!guard || event.owner != host.thread)
    return;
  host.say("new " + event.name);
  progress()->at = "cudaEventDestroy";
  CUDA(cudaEventDestroy(event.handle));
  event.timed = choices.chance(50);
  CUDA(cudaEventCreateWithFlags(&event.handle,
                                event.timed ? cudaEventDefault : cudaEventDisableTiming));
  event.recorded = event.measured = false;
  event.captured.reset();
}

/// Destroyed with its work, which ends all the same, and made anew. A blocking stream
/// follows the legacy stream's work from before.
inline void Ordering::replace(Stream &stream) {
  if (stream.handle == cudaStreamPerThread)
    return;
  Stream &legacy = group.streams[0];
  std::lock_guard<std::mutex> legacyGuard(legacy.lock);
  std::lock_guard<std::mutex> guard(stream.lock);
  host.streamsReplaced = true;
  progress()->at = "cudaStreamDestroy";
  CUDA(cudaStreamDestroy(stream.handle));
  stream.blocking = choices.chance(50);
  int least = 0, greatest = 0;
  CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  const int priority = greatest + int(choices.below(least - greatest + 1));
  const unsigned flags = stream.blocking ? cudaStreamDefault : cudaStreamNonBlocking;
  progress()->at = "cudaStreamCreate";
  if (choices.chance(50))
    CUDA(cudaStreamCreateWithPriority(&stream.handle, flags, priority));
  else
    CUDA(cudaStreamCreateWithFlags(&stream.handle, flags));
  host.say("new " + stream.name + (stream.blocking ? ", blocking" : ", not blocking"));
  stream.tail.reset();
  stream.content.reset();
  if (stream.blocking)
    stream.tail = legacy.tail;
}

#endif // HET_RANDOM_STREAMS_ORDERING_H
