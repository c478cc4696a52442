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

/// Whether the stream's next work comes after the block's free.
bool CUmemPoolHandle_st::isOrdered(const Block &block, const CUstream_st &stream) const {
  if (block.stream == stream.id && block.streamDevice == &stream.device)
    return true;
  // The legacy stream and those that block wait for each other.
  if (block.streamDevice == &stream.device &&
      ((block.isLegacy && stream.blocking()) || (stream.legacy() && block.isBlocking)))
    return true;
  // Both clocks are this pool's.
  if (followsEvents && block.streamDevice == &device && &stream.device == &device) {
    auto known = stream.frees.find(block.stream);
    if (known != stream.frees.end() && known->second >= block.number)
      return true;
  }
  return isOpportunistic && block.isReached();
}

void CUmemPoolHandle_st::addFree(void *pointer, const Block &block) {
  freeBlocks.insert({block.bytes, pointer});
  ++freesOf[block.stream];
  freeCount = freeBlocks.size();
}

void CUmemPoolHandle_st::dropFree(void *pointer, const Block &block) {
  freeBlocks.erase({block.bytes, pointer});
  if (--freesOf.at(block.stream) == 0)
    freesOf.erase(block.stream);
  freeCount = freeBlocks.size();
}

/// Clocks tell something of blocks that are free. Streams come and go, and their numbers
/// do not come again.
void CUmemPoolHandle_st::dropUnused(FreeClock &clock) const {
  for (auto known = clock.begin(); known != clock.end();)
    known = freesOf.count(known->first) ? std::next(known) : clock.erase(known);
}

void *CUmemPoolHandle_st::take(void *pointer) {
  Block &block = blocks.at(pointer);
  dropFree(pointer, block);
  block.isFree = false;
  used.add(block.bytes);
  return pointer;
}

void *CUmemPoolHandle_st::reuse(uint64_t bytes, uint64_t mostBytes,
                                const CUstream_st &stream) {
  if (!freeCount)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  for (auto it = freeBlocks.lower_bound({bytes, nullptr});
       it != freeBlocks.end() && it->first <= mostBytes; ++it)
    if (isOrdered(blocks.at(it->second), stream))
      return take(it->second);
  return nullptr;
}

/// Takes what another stream is not done with, and makes this one wait for it.
void *CUmemPoolHandle_st::reuseWithWait(uint64_t bytes, CUstream_st &stream) {
  std::lock_guard<std::mutex> lock(mutex);
  auto smallest = freeBlocks.lower_bound({bytes, nullptr});
  if (smallest == freeBlocks.end() || !addsDependencies)
    return nullptr;
  const Block &block = blocks.at(smallest->second);
  if (block.reached && !stream.queue->wait(*block.reached).ok())
    return nullptr;
  return take(smallest->second);
}

void CUmemPoolHandle_st::add(void *pointer, uint64_t bytes, Blocks &made) {
  std::lock_guard<std::mutex> lock(mutex);
  auto entry = made.extract(made.begin());
  entry.key() = pointer;
  entry.mapped().bytes = bytes;
  blocks.insert(std::move(entry));
  used.add(bytes);
  reserved.add(bytes);
}

cudaError_t CUmemPoolHandle_st::allocate(void **pointer, size_t size,
                                         CUstream_st &stream) {
  *pointer = nullptr;
  core::MemoryManager &memory = device.device.memory();
  if (!size)
    return cudaSuccess;
  if (size > device.properties.totalGlobalMem)
    return cudaErrorMemoryAllocation;
  const uint64_t bytes = memory.roundUp(size);
  for (;;) {
    if ((*pointer = reuse(bytes, bytes * mostWaste, stream)))
      return cudaSuccess;
    Blocks made = {{nullptr, Block()}}; // before what it is for
    Result<void *> fresh = memory.allocate(size);
    if (fresh.ok()) {
      add(*pointer = *fresh, bytes, made);
      return cudaSuccess;
    }
    if ((*pointer = reuse(bytes, UINT64_MAX, stream)) ||
        (*pointer = reuseWithWait(bytes, stream)))
      return cudaSuccess;
    if (!waitForOneFree())
      return translate(fresh.status(), cudaErrorMemoryAllocation);
  }
}

cudaError_t CUmemPoolHandle_st::free(void *pointer, CUstream_st &stream) {
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
  block.isFree = true;
  block.number = lastFree + 1;
  block.streamDevice = &stream.device;
  block.stream = stream.id;
  block.isLegacy = stream.legacy();
  block.isBlocking = stream.blocking();
  used.remove(block.bytes);
  addFree(pointer, block);
  blocks[pointer] = std::move(block);
  ++lastFree;
  return cudaSuccess;
}

bool CUmemPoolHandle_st::remove(void *pointer) {
  std::lock_guard<std::mutex> lock(mutex);
  auto known = blocks.find(pointer);
  if (known == blocks.end())
    return true;
  if (known->second.isFree)
    return false;
  used.remove(known->second.bytes);
  reserved.remove(known->second.bytes);
  blocks.erase(known);
  return true;
}

bool CUmemPoolHandle_st::trimLocked(uint64_t kept) {
  bool freed = false;
  for (auto it = freeBlocks.begin(); it != freeBlocks.end();) {
    const auto [bytes, pointer] = *it++;
    const Block &block = blocks.at(pointer);
    if ((bytes && reserved.current <= kept) || !block.isReached())
      continue;
    if (Status status = device.device.memory().free(pointer); !status.ok())
      (void)translate(status); // nobody has it any more; the log says why
    reserved.remove(bytes);
    dropFree(pointer, block);
    blocks.erase(pointer);
    freed = true;
  }
  return freed;
}

bool CUmemPoolHandle_st::trim(uint64_t kept) {
  std::lock_guard<std::mutex> lock(mutex);
  return trimLocked(kept);
}

void CUmemPoolHandle_st::noteSynchronisation() {
  if (!freeCount)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  trimLocked(releaseThreshold);
}

bool CUmemPoolHandle_st::giveAway() {
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  return lock && trimLocked(0);
}

bool CUmemPoolHandle_st::waitForOneFree() {
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
  if (!next)
    return trim(0);
  next->wait();
  return true;
}

void CUmemPoolHandle_st::noteRecord(const CUstream_st &stream, CUevent_st &event) {
  if (!lastFree)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (&event.device != &device)
    return;
  event.frees = stream.frees;
  event.frees[stream.id] = lastFree;
  dropUnused(event.frees);
}

void CUmemPoolHandle_st::noteRecordInGraph(CUevent_st &event) {
  if (!lastFree)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  event.frees.clear();
}

void CUmemPoolHandle_st::noteWait(CUstream_st &stream, const CUevent_st &event) {
  if (!lastFree || &event.device != &device)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  for (auto [from, number] : event.frees) {
    uint64_t &known = stream.frees[from];
    known = std::max(known, number);
  }
  dropUnused(stream.frees);
}

void CUmemPoolHandle_st::forgetAll() {
  std::lock_guard<std::mutex> lock(mutex);
  blocks.clear();
  freeBlocks.clear();
  freesOf.clear();
  freeCount = 0;
  used = reserved = {};
}

void CUmemPoolHandle_st::forgetEvents(const Device &of) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[pointer, block] : blocks)
    if (block.streamDevice == &of)
      block.reached.reset();
}

cudaError_t CUmemPoolHandle_st::setAttribute(cudaMemPoolAttr attribute,
                                             const void *value) {
  std::lock_guard<std::mutex> lock(mutex);
  const auto flag = [&] { return *static_cast<const int *>(value) != 0; };
  const auto bytes = [&] { return *static_cast<const uint64_t *>(value); };
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
    followsEvents = flag();
    return cudaSuccess;
  case cudaMemPoolReuseAllowOpportunistic:
    isOpportunistic = flag();
    return cudaSuccess;
  case cudaMemPoolReuseAllowInternalDependencies:
    addsDependencies = flag();
    return cudaSuccess;
  case cudaMemPoolAttrReleaseThreshold:
    releaseThreshold = bytes();
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh: {
    if (bytes() != 0)
      return cudaErrorInvalidValue;
    MemoryGauge &gauge = attribute == cudaMemPoolAttrUsedMemHigh ? used : reserved;
    gauge.high = gauge.current;
    return cudaSuccess;
  }
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t CUmemPoolHandle_st::getAttribute(cudaMemPoolAttr attribute, void *value) {
  std::lock_guard<std::mutex> lock(mutex);
  auto give = [&](auto what) {
    *static_cast<decltype(what) *>(value) = what;
    return cudaSuccess;
  };
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
    return give(followsEvents);
  case cudaMemPoolReuseAllowOpportunistic:
    return give(isOpportunistic);
  case cudaMemPoolReuseAllowInternalDependencies:
    return give(addsDependencies);
  case cudaMemPoolAttrReleaseThreshold:
    return give(releaseThreshold);
  case cudaMemPoolAttrReservedMemCurrent:
    return give(reserved.current);
  case cudaMemPoolAttrReservedMemHigh:
    return give(reserved.high);
  case cudaMemPoolAttrUsedMemCurrent:
    return give(used.current);
  case cudaMemPoolAttrUsedMemHigh:
    return give(used.high);
  default:
    return cudaErrorInvalidValue;
  }
}
