// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program: graphs captured from two streams of their own, launched several times and
// destroyed while they run.

#ifndef HET_RANDOM_STREAMS_GRAPHS_H
#define HET_RANDOM_STREAMS_GRAPHS_H

#include "Program.h"

inline bool touches(const Work &work, int slot) {
  return slot >= 0 && (work.first == slot || work.second == slot || work.out == slot);
}

/// One operation of a graph: it shares what it writes only with those that it follows.
inline bool Program::captureWork(std::vector<Work> &works, Set &before,
                                 cudaStream_t stream) {
  const int number = take();
  if (number < 0)
    return false;
  auto ordered = [&](int slot, bool writes) {
    for (const Work &other : works)
      if (!before[other.number] && (writes ? touches(other, slot) : other.out == slot))
        return false;
    return slot < int(deviceSlots + hostSlots);
  };
  Work work = draw(
      number, [&](int slot) { return ordered(slot, false); },
      [&](int slot) { return ordered(slot, true); });
  announce(work, before, "a graph");
  mine.reset(number); // Until it is launched.
  issue(group, work, stream);
  before.set(number);
  works.push_back(std::move(work));
  return true;
}

inline void Program::capture() {
  openGate();
  std::unique_lock<std::shared_mutex> guard(captureLock(), std::try_to_lock);
  if (!guard || used + 8 > operationsPerThread)
    return;
  progress()->at = "capture";
  cudaStream_t streams[2];
  cudaEvent_t fork, meet;
  for (cudaStream_t &stream : streams)
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CUDA(cudaEventCreateWithFlags(&meet, cudaEventDisableTiming));
  say("capture");
  Recorded recorded;
  Set before[2];
  bool forked = false;
  CUDA(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
  for (unsigned i = 2 + below(4); i > 0; --i) {
    if (!forked && chance(40)) {
      CUDA(cudaEventRecord(fork, streams[0]));
      CUDA(cudaStreamWaitEvent(streams[1], fork, 0));
      before[1] = before[0];
      forked = true;
    }
    const unsigned side = forked && chance(50);
    captureWork(recorded.works, before[side], streams[side]);
  }
  if (forked) {
    CUDA(cudaEventRecord(meet, streams[1]));
    CUDA(cudaStreamWaitEvent(streams[0], meet, 0));
  }
  cudaGraph_t graph;
  CUDA(cudaStreamEndCapture(streams[0], &graph));
  CUDA(cudaGraphInstantiate(&recorded.exec, graph, 0));
  CUDA(cudaGraphDestroy(graph));
  CUDA(cudaEventDestroy(fork));
  CUDA(cudaEventDestroy(meet));
  for (cudaStream_t stream : streams)
    CUDA(cudaStreamDestroy(stream));
  guard.unlock();
  graphs.push_back(recorded);
  launch(graphs.back(), ownStream());
  if (graphs.size() == 3) {
    CUDA(cudaGraphExecDestroy(graphs[0].exec));
    graphs.erase(graphs.begin());
  }
}

/// Has the stream follow all the thread's own streams.
inline void Program::join(Stream &stream) {
  for (Stream &other : group.streams) {
    if (&other == &stream || (!other.legacy && other.owner != thread))
      continue;
    Event event;
    CUDA(cudaEventCreateWithFlags(&event.handle, cudaEventDisableTiming));
    event.name = "an event";
    record(event, other);
    wait(stream, event);
    CUDA(cudaEventDestroy(event.handle));
  }
}

/// A launch is an operation of its own: the slots that its operations use are its.
inline void Program::launch(Recorded &graph, Stream &stream) {
  const int number = take();
  if (number < 0)
    return;
  if (chance(60))
    join(stream);
  const auto locks = group.lockFor(stream);
  const Set before = group.before(stream) | known | graph.launched;
  {
    std::lock_guard<std::mutex> guard(group.slotLock);
    for (const Work &work : graph.works)
      if (!allowed(group, work, before))
        return void(--used);
    for (const Work &work : graph.works)
      claim(group, work, number);
  }
  Work done{Kind::Memset, unsigned(number)};
  done.mirrored = chance(60);
  announce(done, before, stream.name + ", graph launch");
  progress()->at = "cudaGraphLaunch";
  CUDA(cudaGraphLaunch(graph.exec, stream.handle));
  Set set = before;
  for (const Work &work : graph.works)
    set.set(work.number);
  // What says that the launch is done comes behind it, as the last of its operations.
  done.earlier.assign(1, graph.works.back().number);
  issueDone(group, done, stream.handle);
  issueMirror(group, done, stream.handle);
  graph.launched = set.set(number);
  mine |= set;
  group.follow(stream, set);
}

#endif // HET_RANDOM_STREAMS_GRAPHS_H
