// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts events around work in a stream, and turns the times between them into spans.

#include "core/trace/StreamTrace.h"
#include "core/Runtime.h"

namespace het::core {

/// When so many wait, those that are done are taken.
static constexpr size_t mostPending = 256;

static Device *ownerOf(const void *pointer) {
  Result<Runtime *> runtime = Runtime::get();
  return runtime.ok() ? (*runtime)->ownerOf(pointer) : nullptr;
}

bool isOfDevice(const void *pointer) { return ownerOf(pointer); }

TraceArguments copyArguments(const void *to, const void *from, uint64_t bytes) {
  TraceArguments arguments;
  auto name = [](const void *pointer) {
    Device *owner = ownerOf(pointer);
    return owner ? owner->name() : std::string("the program's memory");
  };
  arguments.add("bytes", bytes).add("to", name(to));
  if (from)
    arguments.add("from", name(from));
  return arguments;
}

std::unique_ptr<StreamTrace> StreamTrace::create(Device &device, HetQueue *queue,
                                                 const std::string &name) {
  Trace *trace = Trace::get();
  if (!trace)
    return nullptr;
  std::unique_ptr<StreamTrace> stream(new StreamTrace(
      *trace, device, queue, trace->track(device.index(), device.name(), name)));
  if (!stream->setZero())
    return nullptr;
  trace->add(*stream);
  return stream;
}

StreamTrace::~StreamTrace() {
  trace.remove(*this);
  collect(true);
  for (HetEvent *event : unused)
    device.abi().destroyEvent(event);
  if (zero)
    device.abi().destroyEvent(zero);
}

/// A time by the device's clock, and one by the program's that is not later.
bool StreamTrace::setZero() {
  zeroTime = Trace::Clock::now();
  zero = signal();
  if (!zero)
    return false;
  device.abi().waitEvent(zero);
  return true;
}

/// An event that the queue has been told to signal; null where that is not possible.
HetEvent *StreamTrace::signal() {
  HetEvent *event = nullptr;
  HetStatus status = {};
  if (!unused.empty()) {
    event = unused.back();
    unused.pop_back();
  } else if (device.abi().createEvent(device.handle(), &event, &status) != HET_OK) {
    return nullptr;
  }
  if (device.abi().enqueueSignal(queue, event, &status) == HET_OK)
    return event;
  giveBack(event);
  return nullptr;
}

StreamTrace::Start StreamTrace::begin() {
  std::lock_guard<std::mutex> lock(mutex);
  const Trace::Time queued = Trace::Clock::now();
  return {signal(), queued};
}

void StreamTrace::end(const Start &start, const std::string &name,
                      const TraceArguments &arguments, const TraceWork &work) {
  std::lock_guard<std::mutex> lock(mutex);
  if (HetEvent *ended = signal()) {
    pending.push_back({start, ended, name, arguments, work});
    pending.back().work.correlation = traceCorrelation;
  } else {
    giveBack(start.event);
  }
  if (pending.size() >= mostPending)
    collectLocked(false);
}

void StreamTrace::collect(bool waits) {
  std::lock_guard<std::mutex> lock(mutex);
  collectLocked(waits);
}

/// Nanoseconds from the zero on.
void StreamTrace::tell(Pending &one, int64_t begin, int64_t end) {
  zeroTime = std::max(zeroTime, one.start.queued - std::chrono::nanoseconds(begin));
  const Trace::Time began = zeroTime + std::chrono::nanoseconds(begin);
  const Trace::Time ended = zeroTime + std::chrono::nanoseconds(end);
  trace.add(track, one.name, began, ended, one.arguments);
  Trace::Observer observer = Trace::observer.load(std::memory_order_acquire);
  if (!observer)
    return;
  one.work.name = one.name.c_str();
  one.work.device = device.index();
  one.work.stream = track;
  one.work.begin = began.time_since_epoch() / std::chrono::nanoseconds(1);
  one.work.end = ended.time_since_epoch() / std::chrono::nanoseconds(1);
  observer(one.work);
}

void StreamTrace::collectLocked(bool waits) {
  const HetDeviceABI &abi = device.abi();
  for (; !pending.empty(); pending.pop_front()) {
    Pending &one = pending.front();
    if (waits)
      abi.waitEvent(one.end);
    else if (!abi.isEventDone(one.end))
      return;
    int64_t begin = 0, end = 0;
    HetStatus status = {};
    // Where the device has a fault there are no times.
    if (abi.eventElapsed(zero, one.start.event, &begin, &status) == HET_OK &&
        abi.eventElapsed(zero, one.end, &end, &status) == HET_OK)
      tell(one, begin, end);
    giveBack(one.start.event);
    giveBack(one.end);
  }
}

} // namespace het::core
