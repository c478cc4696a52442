// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random choices of a thread of a program: slots, streams, events and operations. All
// of it depends on the seed, and on what the model lets the thread use.

#ifndef HET_RANDOM_STREAMS_CHOICES_H
#define HET_RANDOM_STREAMS_CHOICES_H

#include "Work.h"
#include <algorithm>
#include <functional>
#include <random>

class Choices {
public:
  Choices(Group &group, unsigned thread)
      : group(group), thread(thread), random(group.seed * 31 + thread * 7919 + 1) {}

  unsigned below(unsigned bound) { return bound ? random() % bound : 0; }
  bool chance(unsigned percent) { return below(100) < percent; }
  void shuffle(std::vector<unsigned> &values) {
    std::shuffle(values.begin(), values.end(), random);
  }

  /// One of some slots that is good, or -1.
  int pick(unsigned from, unsigned to, const std::function<bool(int)> &good);
  int pickDevice(const std::function<bool(int)> &good);
  int pickHost(const std::function<bool(int)> &good);

  Stream &anyStream();
  Stream &ownStream();
  Event &anyEvent() { return group.events[below(group.events.size())]; }
  cudaStream_t handle(const Stream &stream);

  Work draw(unsigned number, const std::function<bool(int)> &readable,
            const std::function<bool(int)> &writable);
  void drawCopy(Work &work, Kind kind, const std::function<bool(int)> &readable,
                const std::function<bool(int)> &writable);

private:
  unsigned pause() { return chance(60) ? 0 : 1u << below(9); }

  Group &group;
  const unsigned thread;
  std::mt19937 random;
};

inline int Choices::pick(unsigned from, unsigned to,
                         const std::function<bool(int)> &good) {
  const unsigned count = to - from, start = below(count);
  for (unsigned i = 0; i < count; ++i) {
    const int slot = from + (start + i) % count;
    if (good(slot))
      return slot;
  }
  return -1;
}

inline int Choices::pickDevice(const std::function<bool(int)> &good) {
  const int slot = chance(25) ? pick(deviceSlots + hostSlots, allSlots, good) : -1;
  return slot >= 0 ? slot : pick(0, deviceSlots, good);
}

inline int Choices::pickHost(const std::function<bool(int)> &good) {
  return pick(deviceSlots, deviceSlots + hostSlots, good);
}

/// Its own, mostly, or another thread's, but no other thread's cudaStreamPerThread.
inline Stream &Choices::anyStream() {
  for (;;) {
    Stream &stream = group.streams[below(group.streams.size())];
    if (stream.legacy && chance(60))
      continue;
    if (stream.legacy || stream.owner == thread ||
        (stream.handle != cudaStreamPerThread && chance(15)))
      return stream;
  }
}

inline Stream &Choices::ownStream() {
  for (;;) {
    Stream &stream = group.streams[below(group.streams.size())];
    if (!stream.legacy && stream.owner == thread)
      return stream;
  }
}

/// A stream's handle, or another name of it.
inline cudaStream_t Choices::handle(const Stream &stream) {
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  const bool isDefault = stream.handle == cudaStreamPerThread;
#else
  const bool isDefault = stream.legacy;
#endif
  return isDefault && chance(50) ? nullptr : stream.handle;
}

/// An operation with slots of those that it may use; a kernel where there are none.
inline Work Choices::draw(unsigned number, const std::function<bool(int)> &readable,
                          const std::function<bool(int)> &writable) {
  Work work{Kind::Kernel, number};
  const unsigned kind = below(100);
  if (kind < 12)
    drawCopy(work, Kind::CopyOnDevice, readable, writable);
  else if (kind < 22)
    drawCopy(work, Kind::CopyToDevice, readable, writable);
  else if (kind < 32)
    drawCopy(work, Kind::CopyToHost, readable, writable);
  else if (kind < 42)
    drawCopy(work, Kind::Memset, readable, writable);
  else if (kind < 54)
    drawCopy(work, Kind::HostFunction, readable, writable);
  if (work.kind == Kind::Kernel) {
    work.out = chance(80) ? pickDevice(writable) : -1;
    auto other = [&](int slot) { return slot != work.out && readable(slot); };
    work.first = chance(75) ? pickDevice(other) : -1;
    work.second = chance(40) ? pickDevice(other) : -1;
    work.spin = chance(50) ? below(200) : 1u << below(16);
    work.blocks = chance(70) ? 1 : 1 + below(4);
  }
  work.mirrored = work.kind == Kind::HostFunction || chance(60);
  return work;
}

inline void Choices::drawCopy(Work &work, Kind kind,
                              const std::function<bool(int)> &readable,
                              const std::function<bool(int)> &writable) {
  const bool toHost = kind == Kind::CopyToHost || kind == Kind::HostFunction;
  const bool fromHost = kind == Kind::CopyToDevice || kind == Kind::HostFunction;
  const int out = toHost ? pickHost(writable) : pickDevice(writable);
  auto other = [&](int slot) { return slot != out && readable(slot); };
  const int first = kind == Kind::Memset ? -1
                    : fromHost           ? pickHost(other)
                                         : pickDevice(other);
  if (kind != Kind::HostFunction && (out < 0 || (first < 0 && kind != Kind::Memset)))
    return;
  work.kind = kind;
  work.out = out;
  work.first = first;
  work.byte = 1 + below(255);
  work.spin = kind == Kind::HostFunction ? pause() : 0;
}

#endif // HET_RANDOM_STREAMS_CHOICES_H
