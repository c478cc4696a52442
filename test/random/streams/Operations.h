// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program: operations on streams, and copies that block.

#ifndef HET_RANDOM_STREAMS_OPERATIONS_H
#define HET_RANDOM_STREAMS_OPERATIONS_H

#include "Program.h"

/// An operation with slots of those that it may use; a kernel where there are none.
inline Work Program::draw(unsigned number, const std::function<bool(int)> &readable,
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

inline void Program::drawCopy(Work &work, Kind kind,
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

/// Tells the model of an operation that is about to be put on a stream.
inline void Program::announce(Work &work, const Set &before, const std::string &where) {
  Operation &operation = group.operations[work.number];
  operation.what = std::string(name(work.kind)) + " on " + where + " by thread " +
                   std::to_string(thread);
  operation.before = before;
  operation.mirrored = work.mirrored;
  work.earlier = group.direct(before);
  if (work.earlier.size() > 1)
    std::shuffle(work.earlier.begin(), work.earlier.end(), random);
  mine.set(work.number);
  if (work.kind == Kind::HostFunction)
    hostFunctions.set(work.number);
  if (!group.trace)
    return;
  std::string text = group.describe(work.number) + ": slots " +
                     std::to_string(work.first) + " " + std::to_string(work.second) +
                     " -> " + std::to_string(work.out) + ", after";
  for (unsigned number : work.earlier)
    text += " " + std::to_string(number);
  say(text + (work.gate ? ", gate" : ""));
}

inline void Program::operation(Stream &stream, std::shared_ptr<Gate> withGate) {
  const int number = take();
  if (number < 0)
    return;
  const auto locks = group.lockFor(stream);
  const Set before = group.before(stream) | known;
  auto readable = [&](int slot) { return group.slots[slot].readable(before); };
  auto writable = [&](int slot) { return group.slots[slot].writable(before); };
  Work work{Kind::Kernel, unsigned(number)};
  {
    std::lock_guard<std::mutex> guard(group.slotLock);
    if (withGate) {
      drawCopy(work, Kind::HostFunction, readable, writable);
      work.mirrored = true;
      work.gate = withGate;
    } else {
      work = draw(number, readable, writable);
    }
    claim(group, work, work.number);
  }
  announce(work, before, stream.name);
  progress()->at = name(work.kind);
  issue(group, work, handle(stream));
  Set set = before;
  group.follow(stream, set.set(number));
}

/// Device to pageable memory: returns when it is done. By cudaMemcpy it is on the default
/// stream, whose other work is done then, too.
inline void Program::copyOut(Stream &own, bool byDefault) {
  const int number = take();
  if (number < 0)
    return;
  openGate();
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
    before = group.before(stream) | known;
    std::lock_guard<std::mutex> guard(group.slotLock);
    work.first = pickDevice([&](int slot) { return group.slots[slot].readable(before); });
    if (work.first < 0)
      return void(--used);
    expected = group.slots[work.first].value;
    claim(group, work, work.number);
    work.mirrored = true;
    announce(work, before, stream.name + (byDefault ? ", cudaMemcpy" : ", pageable"));
  }
  progress()->at = "a copy to pageable memory";
  const size_t bytes = group.words * sizeof(uint32_t);
  const uint32_t *from = address(group, work.first);
  if (byDefault)
    CUDA(cudaMemcpy(found.data(), from, bytes, cudaMemcpyDeviceToHost));
  else
    CUDA(cudaMemcpyAsync(found.data(), from, bytes, cudaMemcpyDeviceToHost,
                         stream.handle));
  expectDone(before, group.describe(number) + " had returned");
  known |= before;
  for (unsigned i = 0; i < group.words; ++i)
    if (found[i] != expected[i]) {
      group.fail(group.describe(number) + ": found " + std::to_string(found[i]) + " at " +
                 std::to_string(i) + ", expected " + std::to_string(expected[i]));
      break;
    }
  finishBlocking(stream, work);
}

/// What blocked was put on the stream some time ago. Others have used it since.
inline void Program::finishBlocking(Stream &stream, const Work &work) {
  const auto locks = group.lockFor(stream);
  issueDone(group, work, stream.handle);
  issueMirror(group, work, stream.handle);
  Set set = group.before(stream) | known;
  group.follow(stream, set.set(work.number));
}

/// Pageable memory to the device: it may be changed as soon as the call returns.
inline void Program::copyIn(Stream &own, bool byDefault) {
  const int number = take();
  if (number < 0)
    return;
  openGate();
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
    const Set before = group.before(stream) | known;
    std::lock_guard<std::mutex> guard(group.slotLock);
    work.out = pickDevice([&](int slot) { return group.slots[slot].writable(before); });
    if (work.out < 0)
      return void(--used);
    claim(group, work, work.number);
    group.slots[work.out].value = source;
    work.mirrored = chance(60);
    announce(work, before, stream.name + (byDefault ? ", cudaMemcpy" : ", pageable"));
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

inline void Program::allocate(Stream &stream) {
  const int number = take();
  if (number < 0)
    return;
  const auto locks = group.lockFor(stream);
  const Set before = group.before(stream) | known;
  Work work{Kind::Memset, unsigned(number)};
  work.byte = 1 + below(255);
  work.mirrored = chance(60);
  {
    std::lock_guard<std::mutex> guard(group.slotLock);
    work.out = pick(deviceSlots + hostSlots, allSlots,
                    [&](int slot) { return !group.slots[slot].alive; });
    if (work.out < 0)
      return void(--used);
    Slot &slot = group.slots[work.out];
    progress()->at = "cudaMallocAsync";
    CUDA(cudaMallocAsync(reinterpret_cast<void **>(&slot.at),
                         group.words * sizeof(uint32_t), stream.handle));
    slot.readers.reset();
    slot.writers.reset();
    slot.alive = true;
    claim(group, work, work.number);
  }
  announce(work, before, stream.name + ", allocation");
  issue(group, work, handle(stream));
  Set set = before;
  group.follow(stream, set.set(number));
}

inline void Program::release(Stream &stream) {
  const auto locks = group.lockFor(stream);
  const Set before = group.before(stream) | known;
  std::lock_guard<std::mutex> guard(group.slotLock);
  const int slot = pick(deviceSlots + hostSlots, allSlots,
                        [&](int slot) { return group.slots[slot].writable(before); });
  if (slot < 0)
    return;
  say("slot " + std::to_string(slot) + " is freed on " + stream.name);
  progress()->at = "cudaFreeAsync";
  group.slots[slot].alive = false;
  CUDA(cudaFreeAsync(group.slots[slot].at, handle(stream)));
  group.follow(stream, before);
}

/// The host reads and writes pinned memory that nothing else uses.
inline void Program::touchHost() {
  std::lock_guard<std::mutex> guard(group.slotLock);
  const int index = pickHost([&](int slot) { return group.slots[slot].writable(known); });
  if (index < 0)
    return;
  Slot &slot = group.slots[index];
  say("the host looks at slot " + std::to_string(index));
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
