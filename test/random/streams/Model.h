// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model: which operations must have ended before another begins, as CUDA documents
// it. It is a lower bound: what the documentation leaves open is not demanded.
//
//   stream      an operation follows all those put on its stream before
//   legacy      an operation on the legacy stream follows all those on blocking streams,
//               and what comes on a blocking stream follows it; cudaStreamPerThread is a
//               blocking stream of each thread; waiting for an empty stream waits for
//               nothing
//   event       captures what is on the stream when it is recorded; a wait is for the
//               record made last before the wait
//   destroyed   a stream's work still ends, and events that captured it stay true
//   host        what the host knows to be done precedes all that it does next
//   graph       a launch follows the stream and the same graph's launches before

#ifndef HET_RANDOM_STREAMS_MODEL_H
#define HET_RANDOM_STREAMS_MODEL_H

#include <atomic>
#include <bitset>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

constexpr unsigned maxThreads = 4;
constexpr unsigned operationsPerThread = 192;
constexpr unsigned maxOperations = maxThreads * operationsPerThread;
constexpr unsigned maxWords = 4096;
constexpr unsigned deviceSlots = 10, hostSlots = 5, poolSlots = 4;
constexpr unsigned allSlots = deviceSlots + hostSlots + poolSlots;

using Set = std::bitset<maxOperations>;

inline bool within(const Set &part, const Set &whole) { return (part & ~whole).none(); }

inline uint32_t mix(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/// What the watchdog and an error tell of a thread.
struct Progress {
  std::atomic<unsigned> seed{0}, thread{0}, steps{0};
  std::atomic<const char *> at{"start"};
  std::atomic<bool> busy{false};
};

inline Progress *&progress() {
  static thread_local Progress *own = nullptr;
  return own;
}

#define CUDA(call) checkCall(call, #call, __FILE__, __LINE__)

inline void checkCall(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "seed %u: %s:%d: %s: %s\n", progress() ? progress()->seed.load() : 0,
          file, line, call, cudaGetErrorString(error));
  fflush(stdout);
  _Exit(2);
}

struct Operation {
  std::string what;
  Set before;
  bool mirrored = false; ///< The host's `mirror` tells whether it is done.
  int doneFrom = -1;     ///< Its `done` is a copy of this one's.
  uint32_t sum = 0;      ///< Of what its kernel reads.
};

struct Stream {
  std::mutex lock;
  std::string name;
  cudaStream_t handle = nullptr;
  bool legacy = false, blocking = false;
  unsigned owner = 0;
  Set tail;    ///< What an operation put on it next must follow.
  Set content; ///< What the last one put on it follows, and itself: what its end means.
};

struct Event {
  std::mutex lock;
  std::string name;
  cudaEvent_t handle = nullptr;
  bool timed = false, recorded = false, measured = false;
  unsigned owner = 0;
  float elapsed = 0;
  Set captured;
};

/// Memory that operations read and write, where the model says that nobody else does.
struct Slot {
  uint32_t *at = nullptr;
  bool host = false, alive = true;
  std::vector<uint32_t> value;
  Set readers, writers;

  bool readable(const Set &before) const { return alive && within(writers, before); }
  bool writable(const Set &before) const {
    return readable(before) && within(readers, before);
  }
};

/// Holds a host function back until the host has looked at what must not be done yet.
struct Gate {
  std::mutex lock;
  std::condition_variable changed;
  bool isOpen = false;

  void open() {
    std::lock_guard<std::mutex> guard(lock);
    isOpen = true;
    changed.notify_all();
  }
  void pass() {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [this] { return isOpen; });
  }
};

struct Group;

struct HostTask {
  Group *group;
  unsigned number, delay;
  std::shared_ptr<Gate> gate;
  std::vector<unsigned> earlier;
  const uint32_t *in;
  uint32_t *out;
};

/// What is allocated once, for one group of threads after another.
struct Memory {
  uint32_t *cells = nullptr;  ///< done, bad, sums, arrived: one of each for an operation
  uint32_t *mirror = nullptr; ///< done, on the host
  uint32_t *device = nullptr, *host = nullptr;

  uint32_t *done() const { return cells; }
  uint32_t *bad() const { return cells + maxOperations; }
  uint32_t *sums() const { return cells + 2 * maxOperations; }
  uint32_t *arrived() const { return cells + 3 * maxOperations; }
};

/// One random program: up to four threads with their streams, and events and memory that
/// they share.
struct Group {
  unsigned seed = 0, threads = 1, words = 64;
  bool trace = false, progress = false, gates = true;
  Memory memory;
  Operation operations[maxOperations];
  std::deque<Stream> streams; ///< The first is the legacy stream; locked in this order.
  std::deque<Event> events;
  Slot slots[allSlots];
  std::mutex slotLock, taskLock;
  std::deque<HostTask> tasks;
  cudaEvent_t base = nullptr;
  std::atomic<unsigned> failures{0};
  std::atomic<unsigned> hostBad[maxOperations];

  volatile uint32_t *mirror() const { return memory.mirror; }

  void fail(const std::string &text) {
    if (++failures <= 5)
      printf("seed %u: %s\n", seed, text.c_str());
  }

  std::string describe(unsigned number) const {
    return "operation " + std::to_string(number) + " (" + operations[number].what + ")";
  }

  /// Those of a set that none of the others follows.
  std::vector<unsigned> direct(const Set &set) const {
    Set left = set;
    for (unsigned i = 0; i < maxOperations; ++i)
      if (set[i])
        left &= ~operations[i].before;
    std::vector<unsigned> found;
    for (unsigned i = 0; i < maxOperations; ++i)
      if (left[i])
        found.push_back(i);
    return found;
  }

  /// The locks of all streams whose order an operation on `stream` changes.
  std::vector<std::unique_lock<std::mutex>> lockFor(Stream &stream) {
    std::vector<std::unique_lock<std::mutex>> locks;
    for (Stream &other : streams)
      if (&other == &stream || (stream.legacy && other.blocking))
        locks.emplace_back(other.lock);
    return locks;
  }

  /// What an operation put on the stream now must follow, beside what its thread knows.
  Set before(Stream &stream) const {
    Set set = stream.tail;
    if (stream.legacy)
      for (const Stream &other : streams)
        if (other.blocking)
          set |= other.tail;
    return set;
  }

  /// Operations of the stream have been put on it.
  void follow(Stream &stream, const Set &set) {
    stream.content = stream.tail |= set;
    if (stream.legacy)
      for (Stream &other : streams)
        if (other.blocking)
          other.tail |= stream.tail;
  }
};

#endif // HET_RANDOM_STREAMS_MODEL_H
