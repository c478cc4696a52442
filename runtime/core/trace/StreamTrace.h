// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spans of a stream whose device carries work out by itself: events around each piece
// of work say when that was, by the device's clock. No work begins before it is put into
// the queue, so each piece bounds what lies between that clock and the program's.

#ifndef HET_RUNTIME_CORE_TRACE_STREAMTRACE_H
#define HET_RUNTIME_CORE_TRACE_STREAMTRACE_H

#include "core/Device.h"
#include "core/trace/Trace.h"

#include <deque>

namespace het::core {

/// How a copy's ends and size are called.
TraceArguments copyArguments(const void *to, const void *from, uint64_t bytes);

/// Whether an address is in memory of a device.
bool isOfDevice(const void *pointer);

class StreamTrace {
public:
  /// Null where there is no trace, or the device has no events.
  static std::unique_ptr<StreamTrace> create(Device &device, HetQueue *queue,
                                             const std::string &name);
  /// The queue's work is done, or its device is gone.
  ~StreamTrace();

  /// Where a piece of work begins: an event in front of it, null where there is none, and
  /// when that was put into the queue.
  struct Start {
    HetEvent *event = nullptr;
    Trace::Time queued;
  };

  /// Around each piece of work that is put into the queue: before and behind it.
  Start begin();
  void end(const Start &start, const std::string &name, const TraceArguments &arguments,
           const TraceWork &work);

  unsigned number() const { return track; }

  /// Gives what is done to the trace; `waits`: for all that is not done.
  void collect(bool waits);

private:
  struct Pending {
    Start start;
    HetEvent *end;
    std::string name;
    TraceArguments arguments;
    TraceWork work;
  };

  StreamTrace(Trace &trace, Device &device, HetQueue *queue, unsigned track)
      : trace(trace), device(device), queue(queue), track(track) {}
  bool setZero();
  void tell(Pending &one, int64_t begin, int64_t end);
  HetEvent *signal();
  void collectLocked(bool waits);
  void giveBack(HetEvent *event) { unused.push_back(event); }

  Trace &trace;
  Device &device;
  HetQueue *const queue;
  const unsigned track;
  std::mutex mutex; ///< Guards what follows.
  HetEvent *zero = nullptr;
  Trace::Time zeroTime; ///< The device's zero, or earlier.
  std::deque<Pending> pending;
  std::vector<HetEvent *> unused;
};

/// From here to the end of the scope work is put into a stream.
class TracedWork {
public:
  /// The name stays until the end of the scope.
  TracedWork(StreamTrace *stream, const char *name, const TraceArguments &arguments = {},
             const TraceWork &work = {})
      : stream(stream), name(name), arguments(arguments), work(work),
        start(stream ? stream->begin() : StreamTrace::Start()) {}
  ~TracedWork() {
    if (start.event)
      stream->end(start, name, arguments, work);
  }
  TracedWork(const TracedWork &) = delete;
  TracedWork &operator=(const TracedWork &) = delete;

private:
  StreamTrace *stream;
  const char *const name;
  const TraceArguments arguments;
  const TraceWork work;
  const StreamTrace::Start start;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_TRACE_STREAMTRACE_H
