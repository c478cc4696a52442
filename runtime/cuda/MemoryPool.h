// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory pool of a device: memory that cudaFreeAsync has given back stays here, where
// a later cudaMallocAsync finds it, until streams, events or the device are waited for.
//
// An allocation may take memory that another stream is not yet done with if its own
// stream's work comes later: in the same stream, after a wait for an event recorded
// behind the free, or because the free has been reached. What a stream has waited for is
// told by the number of the last free, stream by stream (a vector clock).

#ifndef HET_RUNTIME_CUDA_MEMORYPOOL_H
#define HET_RUNTIME_CUDA_MEMORYPOOL_H

#include "Api.h"

#include "core/Stream.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace het::cuda {

struct Device;

/// By a stream's id: the last of its frees that work from here on comes after.
using FreeClock = std::map<unsigned long long, uint64_t>;

/// Memory counted in bytes, and the most of it since that was last reset.
struct MemoryGauge {
  uint64_t current = 0, high = 0;
  void add(uint64_t bytes) { high = std::max(high, current += bytes); }
  void remove(uint64_t bytes) { current -= bytes; }
};

} // namespace het::cuda

/// Every function may be called from any thread.
struct CUmemPoolHandle_st {
  explicit CUmemPoolHandle_st(het::cuda::Device &device) : device(device) {}

  /// Memory for work that is given to `stream` from now on. Waits for frees that are
  /// under way where there is no other memory.
  cudaError_t allocate(void **pointer, size_t size, CUstream_st &stream);

  /// Gives memory back once the stream's work so far is done; also what cudaMalloc gave.
  /// Invalid if it was given back before.
  cudaError_t free(void *pointer, CUstream_st &stream);

  /// cudaFree of this memory is about to happen. False if it was given back before.
  bool remove(void *pointer);

  /// Frees what nobody uses, until no more than that is reserved. Whether it freed any.
  bool trim(uint64_t kept);
  /// The same for a wait that a program has made: down to the threshold.
  void noteSynchronisation();
  /// The same for memory that others need. Does not wait for other calls.
  bool giveAway();
  /// Waits for the free that is nearest its turn. False if none is under way.
  bool waitForOneFree();

  /// An event is about to be recorded in a stream; in no stream (a graph); a stream's
  /// work to come waits for one.
  void noteRecord(const CUstream_st &stream, CUevent_st &event);
  void noteRecordInGraph(CUevent_st &event);
  void noteWait(CUstream_st &stream, const CUevent_st &event);

  /// All memory is gone, since the device is reset.
  void forgetAll();
  /// All streams of another device are done, and their events about to go.
  void forgetEvents(const het::cuda::Device &of);

  cudaError_t setAttribute(cudaMemPoolAttr attribute, const void *value);
  cudaError_t getAttribute(cudaMemPoolAttr attribute, void *value);

private:
  struct Block {
    uint64_t bytes = 0; ///< Taken of the device; 0: it is cudaMalloc's.
    bool isFree = false;
    /// The latest free: its place among all, and where it is reached.
    uint64_t number = 0;
    const het::cuda::Device *streamDevice = nullptr;
    unsigned long long stream = 0;
    bool isLegacy = false, isBlocking = false;
    std::shared_ptr<het::core::Event> reached; ///< Null: it was.

    bool isReached() const { return !reached || reached->isDone(); }
  };

  using Blocks = std::map<void *, Block>;

  /// Null where no block of that size suits.
  void *reuse(uint64_t bytes, uint64_t mostBytes, const CUstream_st &stream);
  void *reuseWithWait(uint64_t bytes, CUstream_st &stream);
  /// `made`: an entry that has room for it.
  void add(void *pointer, uint64_t bytes, Blocks &made);

  // With the mutex held.
  void addFree(void *pointer, const Block &block);
  void dropFree(void *pointer, const Block &block);
  void dropUnused(het::cuda::FreeClock &clock) const;
  bool isOrdered(const Block &block, const CUstream_st &stream) const;
  void *take(void *pointer);
  bool trimLocked(uint64_t kept);

  het::cuda::Device &device;
  std::atomic<uint64_t> lastFree{0}; ///< Its number; 0: there was none.
  std::atomic<size_t> freeCount{0};  ///< Blocks.

  std::mutex mutex; ///< Guards what follows, and the clocks of streams and events.
  Blocks blocks;
  std::set<std::pair<uint64_t, void *>> freeBlocks; ///< By size.
  std::map<unsigned long long, size_t> freesOf;     ///< How many each stream freed.
  uint64_t releaseThreshold = 0;
  int followsEvents = 1, isOpportunistic = 1, addsDependencies = 1;
  het::cuda::MemoryGauge used, reserved;
};

#endif // HET_RUNTIME_CUDA_MEMORYPOOL_H
