// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations: what one claims, computes, and puts on a stream. Each sets done[number]
// when it ends. A kernel checks that what it must follow is done, that what it reads does
// not change, and sums it up; a copy takes its done from one that it must follow.

#ifndef HET_RANDOM_STREAMS_WORK_H
#define HET_RANDOM_STREAMS_WORK_H

#include "Model.h"
#include <chrono>
#include <cstring>
#include <thread>

constexpr unsigned maxEarlier = 30, threadsPerBlock = 64;
constexpr uint32_t poison = 0xDEADBEEF, changedWhileRead = ~0u;

struct KernelTask {
  uint32_t *done, *bad, *sums, *arrived, *out;
  const uint32_t *first, *second;
  uint32_t words, number, spin, count;
  uint16_t earlier[maxEarlier];
};

__host__ __device__ inline uint32_t combine(uint32_t a, uint32_t b, uint32_t number) {
  return a * 5 + (b ^ b >> 7) * 3 + number * 2654435761u + 1;
}

__device__ inline uint32_t load(const uint32_t *from, uint32_t i) {
  return from ? *static_cast<const volatile uint32_t *>(from + i) : 0;
}

__global__ void work(KernelTask task) {
  if (threadIdx.x == 0)
    for (uint32_t i = 0; i < task.count; ++i)
      if (!load(task.done, task.earlier[i]))
        task.bad[task.number] = task.earlier[i] + 1;
  const uint32_t start = blockIdx.x * blockDim.x + threadIdx.x,
                 step = gridDim.x * blockDim.x;
  uint32_t sum = 0, again = 0, x = task.number + threadIdx.x;
  for (uint32_t i = start; i < task.words; i += step) {
    sum += load(task.first, i) * (2 * i + 1) + load(task.second, i) * (2 * i + 3);
    if (task.out)
      *static_cast<volatile uint32_t *>(task.out + i) = poison;
  }
  for (uint32_t i = 0; i < task.spin; ++i)
    x = x * 1664525u + 1013904223u;
  for (uint32_t i = start; i < task.words; i += step) {
    const uint32_t a = load(task.first, i), b = load(task.second, i);
    again += a * (2 * i + 1) + b * (2 * i + 3);
    if (task.out)
      *static_cast<volatile uint32_t *>(task.out + i) = combine(a, b, task.number);
  }
  if (task.spin == ~0u) // Never; but the loop has a result.
    again ^= x;
  if (sum != again)
    task.bad[task.number] = changedWhileRead;
  atomicAdd(task.sums + task.number, sum);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(task.arrived + task.number, 1) == gridDim.x - 1) {
    task.arrived[task.number] = 0;
    __threadfence();
    *static_cast<volatile uint32_t *>(task.done + task.number) = 1;
  }
}

inline void CUDART_CB hostWork(void *data) {
  HostTask &task = *static_cast<HostTask *>(data);
  for (unsigned number : task.earlier)
    if (!task.group->mirror()[number])
      task.group->hostBad[task.number] = number + 1;
  const unsigned words = task.group->words;
  if (task.out)
    std::fill_n(task.out, words, poison);
  if (task.gate)
    task.gate->pass();
  if (task.delay)
    // not timed: any delay has to do
    std::this_thread::sleep_for(std::chrono::microseconds(task.delay));
  if (task.out)
    for (unsigned i = 0; i < words; ++i)
      task.out[i] = combine(task.in ? task.in[i] : 0, 0, task.number);
  task.group->mirror()[task.number] = 1;
}

enum class Kind { Kernel, CopyOnDevice, CopyToDevice, CopyToHost, Memset, HostFunction };

struct Work {
  Kind kind;
  unsigned number;
  int first = -1, second = -1, out = -1; ///< Slots.
  unsigned spin = 0, blocks = 1, byte = 0;
  bool mirrored = false;
  std::vector<unsigned> earlier;
  std::shared_ptr<Gate> gate;
};

inline const char *name(Kind kind) {
  const char *const names[] = {
      "kernel", "copy on the device", "copy to the device", "copy to host",
      "memset", "host function"};
  return names[unsigned(kind)];
}

/// Whether the model allows it to touch its slots after `before`.
inline bool allowed(const Group &group, const Work &work, const Set &before) {
  return (work.first < 0 || group.slots[work.first].readable(before)) &&
         (work.second < 0 || group.slots[work.second].readable(before)) &&
         (work.out < 0 || group.slots[work.out].writable(before));
}

/// Takes the slots for operation `user` and computes what will be in them. The slots'
/// lock is held.
inline void claim(Group &group, const Work &work, unsigned user) {
  auto read = [&](int slot) {
    if (slot < 0)
      return std::vector<uint32_t>(group.words);
    group.slots[slot].readers.set(user);
    return group.slots[slot].value;
  };
  const std::vector<uint32_t> a = read(work.first), b = read(work.second);
  Operation &operation = group.operations[work.number];
  if (work.kind == Kind::Kernel)
    for (unsigned i = 0; i < group.words; ++i)
      operation.sum += a[i] * (2 * i + 1) + b[i] * (2 * i + 3);
  if (work.out < 0)
    return;
  Slot &out = group.slots[work.out];
  out.writers.set(user);
  for (unsigned i = 0; i < group.words; ++i)
    out.value[i] = work.kind == Kind::Memset ? work.byte * 0x01010101u
                   : work.kind == Kind::Kernel || work.kind == Kind::HostFunction
                       ? combine(a[i], b[i], work.number)
                       : a[i];
}

inline uint32_t *address(Group &group, int slot) {
  return slot < 0 ? nullptr : group.slots[slot].at;
}

inline void issueKernel(Group &group, const Work &work, cudaStream_t stream) {
  const Memory &memory = group.memory;
  KernelTask task{memory.done(),
                  memory.bad(),
                  memory.sums(),
                  memory.arrived(),
                  address(group, work.out),
                  address(group, work.first),
                  address(group, work.second),
                  group.words,
                  work.number,
                  work.spin,
                  0,
                  {}};
  for (unsigned number : work.earlier)
    if (task.count < maxEarlier)
      task.earlier[task.count++] = number;
  void *arguments[] = {&task};
  CUDA(cudaLaunchKernel(reinterpret_cast<const void *>(&::work), dim3(work.blocks),
                        dim3(threadsPerBlock), arguments, 0, stream));
}

inline void issueHostFunction(Group &group, const Work &work, cudaStream_t stream) {
  HostTask *task;
  {
    std::lock_guard<std::mutex> guard(group.taskLock);
    group.tasks.push_back({&group,
                           work.number,
                           work.spin,
                           work.gate,
                           {},
                           address(group, work.first),
                           address(group, work.out)});
    task = &group.tasks.back();
  }
  for (unsigned number : work.earlier)
    if (group.operations[number].mirrored)
      task->earlier.push_back(number);
  CUDA(cudaLaunchHostFunc(stream, hostWork, task));
  CUDA(cudaMemcpyAsync(group.memory.done() + work.number,
                       group.memory.mirror + work.number, 4, cudaMemcpyHostToDevice,
                       stream));
}

/// Says that a copy or memset is done, by a copy of another's where there is one.
inline void issueDone(Group &group, const Work &work, cudaStream_t stream) {
  uint32_t *done = group.memory.done();
  if (work.earlier.empty())
    return CUDA(cudaMemsetAsync(done + work.number, 1, 4, stream));
  const unsigned from = work.earlier[work.number % work.earlier.size()];
  group.operations[work.number].doneFrom = from;
  CUDA(cudaMemcpyAsync(done + work.number, done + from, 4, cudaMemcpyDeviceToDevice,
                       stream));
}

inline void issueMirror(Group &group, const Work &work, cudaStream_t stream) {
  if (work.mirrored && work.kind != Kind::HostFunction)
    CUDA(cudaMemcpyAsync(group.memory.mirror + work.number,
                         group.memory.done() + work.number, 4, cudaMemcpyDeviceToHost,
                         stream));
}

/// Puts it on the stream.
inline void issue(Group &group, const Work &work, cudaStream_t stream) {
  const size_t bytes = group.words * sizeof(uint32_t);
  uint32_t *to = address(group, work.out), *from = address(group, work.first);
  switch (work.kind) {
  case Kind::Kernel:
    issueKernel(group, work, stream);
    break;
  case Kind::HostFunction:
    issueHostFunction(group, work, stream);
    break;
  case Kind::Memset:
    CUDA(cudaMemsetAsync(to, work.byte, bytes, stream));
    break;
  case Kind::CopyOnDevice:
    CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
    break;
  case Kind::CopyToDevice:
    CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream));
    break;
  case Kind::CopyToHost:
    CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream));
    break;
  }
  if (work.kind != Kind::Kernel && work.kind != Kind::HostFunction)
    issueDone(group, work, stream);
  issueMirror(group, work, stream);
}

#endif // HET_RANDOM_STREAMS_WORK_H
