// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on streams, and copies that block.

#ifndef HET_RANDOM_STREAMS_OPERATIONS_H
#define HET_RANDOM_STREAMS_OPERATIONS_H

#include "HostThread.h"

class Operations {
public:
  explicit Operations(HostThread &host)
      : host(host), group(host.group), choices(host.choices) {}

  /// Any operation, or a host function that waits for the gate.
  void put(Stream &stream, const std::shared_ptr<Gate> &withGate = nullptr);
  void copyOut(Stream &own, bool byDefault);
  void copyIn(Stream &own, bool byDefault);
  void allocate(Stream &stream);
  void release(Stream &stream);
  void touchHost();

private:
  void finishBlocking(Stream &stream, const Work &work);

  HostThread &host;
  Group &group;
  Choices &choices;
};

inline void Operations::put(Stream &stream, const std::shared_ptr<Gate> &withGate) {
  const int number = host.take();
  if (number < 0)
    return;
  const auto locks = group.lockFor(stream);
  const Set before = group.before(stream) | host.known;
  auto readable = [&](int slot) { return group.slots[slot].readable(before); };
  auto writable = [&](int slot) { return group.slots[slot].writable(before); };
  Work work{Kind::Kernel, unsigned(number)};
  {
    std::lock_guard<std::mutex> guard(group.slotLock);
    if (withGate) {
      choices.drawCopy(work, Kind::HostFunction, readable, writable);
      work.mirrored = true;
      work.gate = withGate;
    } else {
      work = choices.draw(number, readable, writable);
    }
    claim(group, work, work.number);
  }
  host.announce(work, before, stream.name);
  progress()->at = name(work.kind);
  issue(group, work, choices.handle(stream));
  Set set = before;
  group.follow(stream, set.set(number));
}

/// Device to pageable memory: returns when it is done. By cudaMemcpy it is on the default
/// stream, whose other work is done then, too.
inline void Operations::copyOut(Stream &own, bool byDefault) {
  const int number = host.take();
  if (number < 0)
    return;
  host.openGate();
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  Stream &stream = own;
  byDefault &= own.handle == cudaStreamPerThread;
#else
  Stream &stream = byDefault ? group.streams[0] : own;
#endif
  Work work{Kind::CopyToHost, unsigned(number)};
  std::vector<uint32_t> expected, found(group.words);
  Set before;
  {
    const auto locks = group.lockFor(stream);
    before = group.before(stream) | host.known;
    std::lock_guard<std::mutex> guard(group.slotLock);
    work.first =
        choices.pickDevice([&](int slot) { return group.slots[slot].readable(before); });
    if (work.first < 0)
      return host.giveBack();
    expected = group.slots[work.first].value;
    claim(group, work, work.number);
    work.mirrored = true;
    host.announce(work, before,
                  stream.name + (byDefault ? ", cudaMemcpy" : ", pageable"));
  }
  progress()->at = "a copy to pageable memory";
  const size_t bytes = group.words * sizeof(uint32_t);
  const uint32_t *from = address(group, work.first);
  if (byDefault)
    CUDA(cudaMemcpy(found.data(), from, bytes, cudaMemcpyDeviceToHost));
  else
    CUDA(cudaMemcpyAsync(found.data(), from, bytes, cudaMemcpyDeviceToHost,
                         stream.handle));
  host.expectDone(before, group.describe(number) + " had returned");
  host.known |= before;
  for (unsigned i = 0; i < group.words; ++i)
    if (found[i] != expected[i]) {
      group.fail(group.describe(number) + ": found " + std::to_string(found[i]) + " at " +
                 std::to_string(i) + ", expected " + std::to_string(expected[i]));
      break;
    }
  finishBlocking(stream, work);
}

/// What blocked was put on the stream some time ago. Others have used it since.
inline void Operations::finishBlocking(Stream &stream, const Work &work) {
  const auto locks = group.lockFor(stream);
  issueDone(group, work, stream.handle);
  issueMirror(group, work, stream.handle);
  Set set = group.before(stream) | host.known;
  group.follow(stream, set.set(work.number));
}

/// Pageable memory to the device: it may be changed as soon as the call returns.
inline void Operations::copyIn(Stream &own, bool byDefault) {
  const int number = host.take();
  if (number < 0)
    return;
  host.openGate();
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  Stream &stream = own;
  byDefault &= own.handle == cudaStreamPerThread;
#else
  Stream &stream = byDefault ? group.streams[0] : own;
#endif
  Work work{Kind::CopyToDevice, unsigned(number)};
  std::vector<uint32_t> source(group.words);
  for (unsigned i = 0; i < group.words; ++i)
    source[i] = mix(number * 65536 + i);
  {
    const auto locks = group.lockFor(stream);
    const Set before = group.before(stream) | host.known;
    std::lock_guard<std::mutex> guard(group.slotLock);
    work.out =
        choices.pickDevice([&](int slot) { return group.slots[slot].writable(before); });
    if (work.out < 0)
      return host.giveBack();
    claim(group, work, work.number);
    group.slots[work.out].value = source;
    work.mirrored = choices.chance(60);
    host.announce(work, before,
                  stream.name + (byDefault ? ", cudaMemcpy" : ", pageable"));
  }
  progress()->at = "a copy from pageable memory";
  const size_t bytes = group.words * sizeof(uint32_t);
  uint32_t *to = address(group, work.out);
  if (byDefault)
    CUDA(cudaMemcpy(to, source.data(), bytes, cudaMemcpyHostToDevice));
  else
    CUDA(
        cudaMemcpyAsync(to, source.data(), bytes, cudaMemcpyHostToDevice, stream.handle));
  std::fill(source.begin(), source.end(), poison);
  finishBlocking(stream, work);
}

inline void Operations::allocate(Stream &stream) {
  const int number = host.take();
  if (number < 0)
    return;
  const auto locks = group.lockFor(stream);
  const Set before = group.before(stream) | host.known;
  Work work{Kind::Memset, unsigned(number)};
  work.byte = 1 + choices.below(255);
  work.mirrored = choices.chance(60);
  {
    std::lock_guard<std::mutex> guard(group.slotLock);
    work.out = choices.pick(deviceSlots + hostSlots, allSlots,
                            [&](int slot) { return !group.slots[slot].alive; });
    if (work.out < 0)
      return host.giveBack();
    Slot &slot = group.slots[work.out];
    progress()->at = "cudaMallocAsync";
    CUDA(cudaMallocAsync(reinterpret_cast<void **>(&slot.at),
                         group.words * sizeof(uint32_t), stream.handle));
    slot.readers.reset();
    slot.writers.reset();
    slot.alive = true;
    claim(group, work, work.number);
  }
  host.announce(work, before, stream.name + ", allocation");
  issue(group, work, choices.handle(stream));
  Set set = before;
  group.follow(stream, set.set(number));
}

inline void Operations::release(Stream &stream) {
  const auto locks = group.lockFor(stream);
  const Set before = group.before(stream) | host.known;
  std::lock_guard<std::mutex> guard(group.slotLock);
  const int slot = choices.pick(deviceSlots + hostSlots, allSlots, [&](int slot) {
    return group.slots[slot].writable(before);
  });
  if (slot < 0)
    return;
  host.say("slot " + std::to_string(slot) + " is freed on " + stream.name);
  progress()->at = "cudaFreeAsync";
  group.slots[slot].alive = false;
  CUDA(cudaFreeAsync(group.slots[slot].at, choices.handle(stream)));
  group.follow(stream, before);
}

/// The host reads and writes pinned memory that nothing else uses.
inline void Operations::touchHost() {
  std::lock_guard<std::mutex> guard(group.slotLock);
  const int index =
      choices.pickHost([&](int slot) { return group.slots[slot].writable(host.known); });
  if (index < 0)
    return;
  Slot &slot = group.slots[index];
  host.say("the host looks at slot " + std::to_string(index));
  for (unsigned i = 0; i < group.words; ++i) {
    if (slot.at[i] != slot.value[i])
      return group.fail("slot " + std::to_string(index) +
                        ", which is not in use: found " + std::to_string(slot.at[i]) +
                        " at " + std::to_string(i) + ", expected " +
                        std::to_string(slot.value[i]));
    slot.at[i] = slot.value[i] = mix(slot.value[i]);
  }
}

#endif // HET_RANDOM_STREAMS_OPERATIONS_H
