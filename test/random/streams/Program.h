// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of a random program: it draws what to do next, does it, and tells the model.
// No lock is held while CUDA may block, and nothing that may block is called while the
// thread holds a gate closed. A program of one thread depends on its seed alone.

#ifndef HET_RANDOM_STREAMS_PROGRAM_H
#define HET_RANDOM_STREAMS_PROGRAM_H

#include "Work.h"
#include <functional>
#include <random>
#include <shared_mutex>

/// No device may be synchronised while a stream of it is captured.
inline std::shared_mutex &captureLock() {
  static std::shared_mutex lock;
  return lock;
}

class Program {
public:
  Program(Group &group, unsigned thread);
  void run(unsigned steps);

private:
  struct Recorded {
    cudaGraphExec_t exec;
    std::vector<Work> works;
    Set launched; ///< What the next launch must follow.
  };

  // Drawing.
  unsigned below(unsigned bound) { return bound ? random() % bound : 0; }
  bool chance(unsigned percent) { return below(100) < percent; }
  unsigned pause() { return chance(60) ? 0 : 1u << below(9); }
  int pick(unsigned from, unsigned to, const std::function<bool(int)> &good);
  int pickDevice(const std::function<bool(int)> &good);
  int pickHost(const std::function<bool(int)> &good);
  Stream &anyStream();
  Stream &ownStream();
  Event &anyEvent() { return group.events[below(group.events.size())]; }
  cudaStream_t handle(const Stream &stream);
  int take();
  void step();
  void say(const std::string &text);

  // Operations (Operations.h).
  Work draw(unsigned number, const std::function<bool(int)> &readable,
            const std::function<bool(int)> &writable);
  void drawCopy(Work &work, Kind kind, const std::function<bool(int)> &readable,
                const std::function<bool(int)> &writable);
  void announce(Work &work, const Set &before, const std::string &where);
  void operation(Stream &stream, std::shared_ptr<Gate> withGate = nullptr);
  void copyOut(Stream &stream, bool wholeCall);
  void copyIn(Stream &stream, bool wholeCall);
  void finishBlocking(Stream &stream, const Work &work);
  void allocate(Stream &stream);
  void release(Stream &stream);
  void touchHost();

  // Streams, events and the host's waiting (Waiting.h).
  void expectDone(const Set &set, const std::string &after);
  void record(Event &event, Stream &stream);
  void wait(Stream &stream, Event &event);
  void synchronize(Event &event);
  void synchronize(Stream &stream);
  void synchronizeDevice();
  void query(Event &event);
  void query(Stream &stream);
  void measure();
  void replace(Event &event);
  void replace(Stream &stream);
  bool mayBlock(const Set &set);
  void closeGate();
  void openGate();

  // Graphs (Graphs.h).
  void capture();
  bool captureWork(std::vector<Work> &works, Set &before, cudaStream_t stream);
  void launch(Recorded &graph, Stream &stream);
  void join(Stream &stream);

  Group &group;
  const unsigned thread;
  std::mt19937 random;
  unsigned used = 0;
  Set known, mine; ///< What the host knows to be done; what it has put on streams.
  Set hostFunctions;
  std::shared_ptr<Gate> gate;
  unsigned gateSteps = 0;
  bool streamsReplaced = false; ///< While the gate is closed.
  std::vector<Recorded> graphs;
};

inline Program::Program(Group &group, unsigned thread)
    : group(group), thread(thread), random(group.seed * 31 + thread * 7919 + 1) {}

inline void Program::say(const std::string &text) {
  if (group.trace)
    printf("[%u] %s\n", thread, text.c_str());
}

/// A number for an operation, or -1.
inline int Program::take() {
  return used < operationsPerThread ? int(thread * operationsPerThread + used++) : -1;
}

inline int Program::pick(unsigned from, unsigned to,
                         const std::function<bool(int)> &good) {
  const unsigned count = to - from, start = below(count);
  for (unsigned i = 0; i < count; ++i) {
    const int slot = from + (start + i) % count;
    if (good(slot))
      return slot;
  }
  return -1;
}

inline int Program::pickDevice(const std::function<bool(int)> &good) {
  const int slot = chance(25) ? pick(deviceSlots + hostSlots, allSlots, good) : -1;
  return slot >= 0 ? slot : pick(0, deviceSlots, good);
}

inline int Program::pickHost(const std::function<bool(int)> &good) {
  return pick(deviceSlots, deviceSlots + hostSlots, good);
}

/// Its own, mostly, or another thread's, but no other thread's cudaStreamPerThread.
inline Stream &Program::anyStream() {
  for (;;) {
    Stream &stream = group.streams[below(group.streams.size())];
    if (stream.legacy && chance(60))
      continue;
    if (stream.legacy || stream.owner == thread ||
        (stream.handle != cudaStreamPerThread && chance(15)))
      return stream;
  }
}

inline Stream &Program::ownStream() {
  for (;;) {
    Stream &stream = group.streams[below(group.streams.size())];
    if (!stream.legacy && stream.owner == thread)
      return stream;
  }
}

/// A stream's handle, or another name of it.
inline cudaStream_t Program::handle(const Stream &stream) {
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  const bool isDefault = stream.handle == cudaStreamPerThread;
#else
  const bool isDefault = stream.legacy;
#endif
  return isDefault && chance(50) ? nullptr : stream.handle;
}

inline void Program::run(unsigned steps) {
  for (unsigned i = 0; i < steps; ++i) {
    if (gate && gateSteps-- == 0)
      openGate();
    step();
    ++progress()->steps;
  }
  openGate();
  for (Recorded &graph : graphs)
    CUDA(cudaGraphExecDestroy(graph.exec));
}

inline void Program::step() {
  const unsigned kind = below(100);
  progress()->at = "an operation";
  if (kind < 38)
    return operation(anyStream());
  if (kind < 50)
    return record(anyEvent(), anyStream());
  if (kind < 62)
    return wait(anyStream(), anyEvent());
  if (kind < 66)
    return query(anyEvent());
  if (kind < 70)
    return query(anyStream());
  if (kind < 72)
    return synchronize(anyEvent());
  if (kind < 75)
    return synchronize(chance(20) ? group.streams[0] : ownStream());
  if (kind < 76)
    return synchronizeDevice();
  if (kind < 79)
    return copyOut(ownStream(), chance(50));
  if (kind < 82)
    return copyIn(ownStream(), chance(50));
  if (kind < 84)
    return replace(ownStream());
  if (kind < 86)
    return replace(anyEvent());
  if (kind < 88)
    return allocate(anyStream());
  if (kind < 90)
    return release(anyStream());
  if (kind < 92)
    return capture();
  if (kind < 94 && !graphs.empty())
    return launch(graphs[below(graphs.size())], anyStream());
  if (kind < 96)
    return closeGate();
  if (kind < 98)
    return measure();
  touchHost();
}

#include "Graphs.h"
#include "Operations.h"
#include "Waiting.h"

#endif // HET_RANDOM_STREAMS_PROGRAM_H
