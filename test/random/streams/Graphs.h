// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs captured from two streams of their own, launched several times and destroyed
// while they run.

#ifndef HET_RANDOM_STREAMS_GRAPHS_H
#define HET_RANDOM_STREAMS_GRAPHS_H

#include "Ordering.h"

class Graphs {
public:
  Graphs(HostThread &host, Ordering &ordering)
      : host(host), group(host.group), choices(host.choices), ordering(ordering) {}
  Graphs(const Graphs &) = delete;
  ~Graphs();

  bool isEmpty() const { return graphs.empty(); }
  void capture();
  void launchAny();

private:
  struct Recorded {
    cudaGraphExec_t exec;
    std::vector<Work> works;
    Set launched; ///< What the next launch must follow.
  };

  bool captureWork(std::vector<Work> &works, Set &before, cudaStream_t stream);
  void launch(Recorded &graph, Stream &stream);
  void join(Stream &stream);

  HostThread &host;
  Group &group;
  Choices &choices;
  Ordering &ordering;
  std::vector<Recorded> graphs;
};

inline Graphs::~Graphs() {
  for (Recorded &graph : graphs)
    CUDA(cudaGraphExecDestroy(graph.exec));
}

inline void Graphs::launchAny() {
  Recorded &graph = graphs[choices.below(graphs.size())];
  launch(graph, choices.anyStream());
}

inline bool touches(const Work &work, int slot) {
  return slot >= 0 && (work.first == slot || work.second == slot || work.out == slot);
}

/// One operation of a graph: it shares what it writes only with those that it follows.
inline bool Graphs::captureWork(std::vector<Work> &works, Set &before,
                                cudaStream_t stream) {
  const int number = host.take();
  if (number < 0)
    return false;
  auto ordered = [&](int slot, bool writes) {
    for (const Work &other : works)
      if (!before[other.number] && (writes ? touches(other, slot) : other.out == slot))
        return false;
    return slot < int(deviceSlots + hostSlots);
  };
  Work work = choices.draw(
      number, [&](int slot) { return ordered(slot, false); },
      [&](int slot) { return ordered(slot, true); });
  host.announce(work, before, "a graph");
  host.mine.reset(number); // Until it is launched.
  issue(group, work, stream);
  before.set(number);
  works.push_back(std::move(work));
  return true;
}

inline void Graphs::capture() {
  host.openGate();
  std::unique_lock<std::shared_mutex> guard(captureLock(), std::try_to_lock);
  if (!guard || !host.hasNumbers(8))
    return;
  progress()->at = "capture";
  cudaStream_t streams[2];
  cudaEvent_t fork, meet;
  for (cudaStream_t &stream : streams)
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CUDA(cudaEventCreateWithFlags(&meet, cudaEventDisableTiming));
  host.say("capture");
  Recorded recorded;
  Set before[2];
  bool forked = false;
  CUDA(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal));
  for (unsigned i = 2 + choices.below(4); i > 0; --i) {
    if (!forked && choices.chance(40)) {
      CUDA(cudaEventRecord(fork, streams[0]));
      CUDA(cudaStreamWaitEvent(streams[1], fork, 0));
      before[1] = before[0];
      forked = true;
    }
    const unsigned side = forked && choices.chance(50);
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
  launch(graphs.back(), choices.ownStream());
  if (graphs.size() == 3) {
    CUDA(cudaGraphExecDestroy(graphs[0].exec));
    graphs.erase(graphs.begin());
  }
}

/// Has the stream follow all the thread's own streams.
inline void Graphs::join(Stream &stream) {
  for (Stream &other : group.streams) {
    if (&other == &stream || (!other.legacy && other.owner != host.thread))
      continue;
    Event event;
    CUDA(cudaEventCreateWithFlags(&event.handle, cudaEventDisableTiming));
    event.name = "an event";
    ordering.record(event, other);
    ordering.wait(stream, event);
    CUDA(cudaEventDestroy(event.handle));
  }
}

/// A launch is an operation of its own: the slots that its operations use are its.
inline void Graphs::launch(Recorded &graph, Stream &stream) {
  const int number = host.take();
  if (number < 0)
    return;
  if (choices.chance(60))
    join(stream);
  const auto locks = group.lockFor(stream);
  const Set before = group.before(stream) | host.known | graph.launched;
  {
    std::lock_guard<std::mutex> guard(group.slotLock);
    for (const Work &work : graph.works)
      if (!allowed(group, work, before))
        return host.giveBack();
    for (const Work &work : graph.works)
      claim(group, work, number);
  }
  Work done{Kind::Memset, unsigned(number)};
  done.mirrored = choices.chance(60);
  host.announce(done, before, stream.name + ", graph launch");
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
  host.mine |= set;
  group.follow(stream, set);
}

#endif // HET_RANDOM_STREAMS_GRAPHS_H
