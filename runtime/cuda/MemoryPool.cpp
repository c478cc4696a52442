// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which free memory an allocation may take: first what fits, then fresh memory of the
// device, then what is too large or must be waited for.

#include "MemoryPool.h"
#include "Context.h"
#include "Stream.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace het;
using namespace het::cuda;

/// How much larger than asked for a reused block may be while there is other memory.
static constexpr uint64_t mostWaste = 2;

/// Each pool keeps what its threshold says.
static constexpr uint64_t ownThreshold = UINT64_MAX;

/// Whether the stream's next work comes after the block's free.
bool PooledMemory::isOrdered(const Block &block, const CUstream_st &stream) const {
  if (block.stream == stream.id && block.streamDevice == &stream.device)
    return true;
  // The legacy stream and those that block wait for each other.
  if (block.streamDevice == &stream.device &&
      ((block.isLegacy && stream.blocking()) || (stream.legacy() && block.isBlocking)))
    return true;
  // Both clocks are this pool's.
  if (block.pool->followsEvents && block.streamDevice == &device &&
      &stream.device == &device) {
    auto known = stream.frees.find(block.stream);
    if (known != stream.frees.end() && known->second >= block.number)
      return true;
  }
  return block.pool->isOpportunistic && block.isReached();
}

void PooledMemory::addFree(void *pointer, const Block &block) {
  freeBlocks.insert({block.bytes, pointer});
  ++freesOf[block.stream];
  freeCount = freeBlocks.size();
}

void PooledMemory::dropFree(void *pointer, const Block &block) {
  freeBlocks.erase({block.bytes, pointer});
  if (--freesOf.at(block.stream) == 0)
    freesOf.erase(block.stream);
  freeCount = freeBlocks.size();
}

/// Clocks tell something of blocks that are free. Streams come and go, and their numbers
/// do not come again.
static void dropUnused(FreeClock &clock,
                       const std::map<unsigned long long, size_t> &freesOf) {
  for (auto known = clock.begin(); known != clock.end();)
    known = freesOf.count(known->first) ? std::next(known) : clock.erase(known);
}

void *PooledMemory::take(void *pointer) {
  Block &block = blocks.at(pointer);
  dropFree(pointer, block);
  block.isFree = false;
  block.pool->used.add(block.bytes);
  return pointer;
}

void *PooledMemory::reuse(const CUmemPoolHandle_st &pool, uint64_t bytes,
                          uint64_t mostBytes, const CUstream_st &stream) {
  if (!freeCount)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  for (auto it = freeBlocks.lower_bound({bytes, nullptr});
       it != freeBlocks.end() && it->first <= mostBytes; ++it)
    if (const Block &block = blocks.at(it->second);
        block.pool.get() == &pool && isOrdered(block, stream))
      return take(it->second);
  return nullptr;
}

/// Takes what another stream is not done with, and makes this one wait for it.
void *PooledMemory::reuseWithWait(const CUmemPoolHandle_st &pool, uint64_t bytes,
                                  CUstream_st &stream) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!pool.addsDependencies)
    return nullptr;
  auto smallest = freeBlocks.lower_bound({bytes, nullptr});
  while (smallest != freeBlocks.end() && blocks.at(smallest->second).pool.get() != &pool)
    ++smallest;
  if (smallest == freeBlocks.end())
    return nullptr;
  const Block &block = blocks.at(smallest->second);
  if (block.reached && !stream.queue->wait(*block.reached).ok())
    return nullptr;
  return take(smallest->second);
}

void PooledMemory::add(const Pool &pool, void *pointer, uint64_t bytes, Blocks &made) {
  std::lock_guard<std::mutex> lock(mutex);
  auto entry = made.extract(made.begin());
  entry.key() = pointer;
  entry.mapped().pool = pool;
  entry.mapped().bytes = bytes;
  blocks.insert(std::move(entry));
  pool->used.add(bytes);
  pool->reserved.add(bytes);
}

cudaError_t PooledMemory::allocate(const Pool &pool, void **pointer, size_t size,
                                   CUstream_st &stream) {
  *pointer = nullptr;
  core::MemoryManager &memory = device.device.memory();
  if (!size)
    return cudaSuccess;
  if (size > device.properties.totalGlobalMem)
    return cudaErrorMemoryAllocation;
  const uint64_t bytes = memory.roundUp(size);
  for (;;) {
    if ((*pointer = reuse(*pool, bytes, bytes * mostWaste, stream)))
      return cudaSuccess;
    Blocks made = {{nullptr, Block()}}; // before what it is for
    Result<void *> fresh = pool->hasRoom(bytes)
                               ? memory.allocate(bytes) // of whoever has it next, too
                               : unavailable("the memory pool's maxSize is reached");
    if (fresh.ok()) {
      add(pool, *pointer = *fresh, bytes, made);
      return cudaSuccess;
    }
    if ((*pointer = reuse(*pool, bytes, UINT64_MAX, stream)) ||
        (*pointer = reuseWithWait(*pool, bytes, stream)))
      return cudaSuccess;
    if (!waitForOneFree())
      return translate(fresh.status(), cudaErrorMemoryAllocation);
  }
}

cudaError_t PooledMemory::free(void *pointer, CUstream_st &stream) {
  std::lock_guard<std::mutex> lock(mutex);
  auto known = blocks.find(pointer);
  if (known != blocks.end() && known->second.isFree)
    return cudaErrorInvalidValue;
  Block block = known != blocks.end() ? known->second : Block();
  if (!block.reached || block.streamDevice != &stream.device) {
    Result<std::shared_ptr<core::Event>> made = core::Event::create(stream.device.device);
    if (!made.ok())
      return translate(made.status(), cudaErrorMemoryAllocation);
    block.reached = made.take();
  }
  if (Status status = stream.queue->record(*block.reached); !status.ok())
    return translate(status);
  if (!block.pool)
    block.pool = defaultPool;
  block.isFree = true;
  block.number = lastFree + 1;
  block.streamDevice = &stream.device;
  block.stream = stream.id;
  block.isLegacy = stream.legacy();
  block.isBlocking = stream.blocking();
  block.pool->used.remove(block.bytes);
  addFree(pointer, block);
  blocks[pointer] = std::move(block);
  ++lastFree;
  return cudaSuccess;
}

bool PooledMemory::remove(void *pointer) {
  std::lock_guard<std::mutex> lock(mutex);
  auto known = blocks.find(pointer);
  if (known == blocks.end())
    return true;
  if (known->second.isFree)
    return false;
  known->second.pool->used.remove(known->second.bytes);
  known->second.pool->reserved.remove(known->second.bytes);
  blocks.erase(known);
  return true;
}

bool PooledMemory::trimLocked(const CUmemPoolHandle_st *pool, uint64_t kept) {
  bool freed = false;
  for (auto it = freeBlocks.begin(); it != freeBlocks.end();) {
    const auto [bytes, pointer] = *it++;
    const Block &block = blocks.at(pointer);
    const uint64_t most = kept == ownThreshold ? block.pool->releaseThreshold : kept;
    if ((pool && block.pool.get() != pool) ||
        (bytes && block.pool->reserved.current <= most) || !block.isReached())
      continue;
    if (Status status = device.device.memory().free(pointer); !status.ok())
      (void)translate(status); // nobody has it any more; the log says why
    block.pool->reserved.remove(bytes);
    dropFree(pointer, block);
    blocks.erase(pointer);
    freed = true;
  }
  return freed;
}

bool PooledMemory::trim(const CUmemPoolHandle_st &pool, uint64_t kept) {
  std::lock_guard<std::mutex> lock(mutex);
  return trimLocked(&pool, kept);
}

void PooledMemory::noteSynchronisation() {
  if (!freeCount)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  trimLocked(nullptr, ownThreshold);
}

bool PooledMemory::giveAway() {
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  return lock && trimLocked(nullptr, 0);
}

bool PooledMemory::waitForOneFree() {
  std::shared_ptr<core::Event> next;
  uint64_t number = UINT64_MAX;
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto &[pointer, block] : blocks)
      if (block.isFree && block.number < number && !block.isReached()) {
        next = block.reached;
        number = block.number;
      }
  }
  if (!next) {
    std::lock_guard<std::mutex> lock(mutex);
    return trimLocked(nullptr, 0);
  }
  next->wait();
  return true;
}

void PooledMemory::noteRecord(const CUstream_st &stream, CUevent_st &event) {
  if (!lastFree)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (&event.device != &device)
    return;
  event.frees = stream.frees;
  event.frees[stream.id] = lastFree;
  dropUnused(event.frees, freesOf);
}

void PooledMemory::noteRecordInGraph(CUevent_st &event) {
  if (!lastFree)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  event.frees.clear();
}

void PooledMemory::noteWait(CUstream_st &stream, const CUevent_st &event) {
  if (!lastFree || &event.device != &device)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  for (auto [from, number] : event.frees) {
    uint64_t &known = stream.frees[from];
    known = std::max(known, number);
  }
  dropUnused(stream.frees, freesOf);
}

void PooledMemory::forgetAll() {
  std::lock_guard<std::mutex> lock(mutex);
  blocks.clear();
  freeBlocks.clear();
  freesOf.clear();
  freeCount = 0;
  defaultPool->used = defaultPool->reserved = {};
  for (auto &[handle, pool] : created)
    pool->used = pool->reserved = {};
}

void PooledMemory::forgetEvents(const Device &of) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[pointer, block] : blocks)
    if (block.streamDevice == &of)
      block.reached.reset();
}
