// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host waits for, and what it asks.

#ifndef HET_RANDOM_STREAMS_WAITING_H
#define HET_RANDOM_STREAMS_WAITING_H

#include "HostThread.h"

class Waiting {
public:
  explicit Waiting(HostThread &host)
      : host(host), group(host.group), choices(host.choices) {}

  void synchronize(Event &event);
  void synchronize(Stream &stream);
  void synchronizeDevice();
  void query(Event &event);
  void query(Stream &stream);
  void measure();

private:
  HostThread &host;
  Group &group;
  Choices &choices;
};

/// Of its own events only: others may destroy theirs. Nobody records it in the meantime.
inline void Waiting::synchronize(Event &event) {
  std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
  if (!guard || event.owner != host.thread)
    return;
  host.prepareToBlock(event.captured);
  host.say("synchronise " + event.name);
  progress()->at = "cudaEventSynchronize";
  CUDA(cudaEventSynchronize(event.handle));
  host.expectDone(event.captured, "cudaEventSynchronize(" + event.name + ")");
  host.known |= event.captured;
}

inline void Waiting::synchronize(Stream &stream) {
  Set set;
  {
    const auto locks = group.lockFor(stream);
    set = stream.legacy ? group.before(stream) : stream.content;
  }
  host.prepareToBlock(set);
  host.say("synchronise " + stream.name);
  progress()->at = "cudaStreamSynchronize";
  CUDA(cudaStreamSynchronize(choices.handle(stream)));
  host.expectDone(set, "cudaStreamSynchronize(" + stream.name + ")");
  host.known |= set;
}

inline void Waiting::synchronizeDevice() {
  host.openGate();
  Set set = host.mine | host.known;
  for (Stream &stream : group.streams) {
    std::lock_guard<std::mutex> guard(stream.lock);
    set |= stream.tail;
  }
  host.say("synchronise the device");
  progress()->at = "cudaDeviceSynchronize";
  std::shared_lock<std::shared_mutex> guard(captureLock());
  CUDA(cudaDeviceSynchronize());
  host.expectDone(set, "cudaDeviceSynchronize()");
  host.known |= set;
}

/// What a query tells is only checked: a program that went by it would depend on time.
inline void Waiting::query(Event &event) {
  std::unique_lock<std::mutex> guard(event.lock, std::try_to_lock);
  if (!guard)
    return;
  progress()->at = "cudaEventQuery";
  const cudaError_t found = cudaEventQuery(event.handle);
  host.say("query " + event.name + ": " + cudaGetErrorName(found));
  if (found == cudaSuccess)
    host.expectDone(event.captured,
                    "cudaEventQuery(" + event.name + ") gave cudaSuccess");
  else if (found != cudaErrorNotReady)
    group.fail("cudaEventQuery(" + event.name + "): " + cudaGetErrorName(found));
  else if (within(event.captured, host.known) && !event.recorded)
    group.fail("cudaEventQuery(" + event.name + "), never recorded: cudaErrorNotReady");
}

inline void Waiting::query(Stream &stream) {
  std::lock_guard<std::mutex> guard(stream.lock);
  progress()->at = "cudaStreamQuery";
  const cudaError_t found = cudaStreamQuery(choices.handle(stream));
  host.say("query " + stream.name + ": " + cudaGetErrorName(found));
  if (found == cudaSuccess)
    host.expectDone(stream.content,
                    "cudaStreamQuery(" + stream.name + ") gave cudaSuccess");
  else if (found != cudaErrorNotReady)
    group.fail("cudaStreamQuery(" + stream.name + "): " + cudaGetErrorName(found));
}

/// The time of an event that is done does not change until it is recorded again.
inline void Waiting::measure() {
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

#endif // HET_RANDOM_STREAMS_WAITING_H
