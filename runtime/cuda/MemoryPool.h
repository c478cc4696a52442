// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools: memory that cudaFreeAsync has given back stays in its pool, where a later
// cudaMallocAsync finds it, until streams, events or the device are waited for. The
// blocks of all pools of a device are kept in one place, so that one clock numbers their
// frees.
//
// An allocation may take memory that another stream is not yet done with if its own
// stream's work comes later: in the same stream, after a wait for an event recorded
// behind the free, or because the free has been reached. What a stream has waited for is
// told by the number of the last free, stream by stream (a vector clock).

#ifndef HET_RUNTIME_CUDA_MEMORYPOOL_H
#define HET_RUNTIME_CUDA_MEMORYPOOL_H

#include "Api.h"
#include "SharedPages.h"

#include "core/Stream.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

namespace het::cuda {

struct Device;

/// By a stream's id: the last of its frees that work from here on comes after.
using FreeClock = std::map<unsigned long long, uint64_t>;

/// The name of a pool that others have, or are to have.
struct SharedPool {
  std::unique_ptr<SharedPages> page; ///< Where the name is; null for an imported one.
  uint64_t name[2] = {};
  bool isImported = false;
};

/// Memory counted in bytes, and the most of it since that was last reset.
struct MemoryGauge {
  uint64_t current = 0, high = 0;
  void add(uint64_t bytes) { high = std::max(high, current += bytes); }
  void remove(uint64_t bytes) { current -= bytes; }
};

} // namespace het::cuda

/// A pool as programs see it: what they have asked of it. Its blocks keep it.
struct CUmemPoolHandle_st {
  explicit CUmemPoolHandle_st(het::cuda::Device &device) : device(device) {}

  het::cuda::Device &device;
  uint64_t maxBytes = 0;                       ///< 0: as many as the device has.
  std::optional<het::cuda::SharedPool> shared; ///< With other processes; else nothing.

  cudaError_t setAttribute(cudaMemPoolAttr attribute, const void *value);
  cudaError_t getAttribute(cudaMemPoolAttr attribute, void *value) const;
  void setAccess(int peer, cudaMemAccessFlags flags);
  cudaMemAccessFlags accessOf(int peer) const;
  bool hasRoom(uint64_t bytes) const;

  // Guarded by the mutex of the device's blocks.
  uint64_t releaseThreshold = 0;
  int followsEvents = 1, isOpportunistic = 1, addsDependencies = 1;
  het::cuda::MemoryGauge used, reserved;
  std::map<int, cudaMemAccessFlags> access; ///< By device, where it was said.
};

namespace het::cuda {

/// Every function may be called from any thread.
class PooledMemory {
public:
  using Pool = std::shared_ptr<CUmemPoolHandle_st>;

  explicit PooledMemory(Device &device)
      : device(device), defaultPool(std::make_shared<CUmemPoolHandle_st>(device)),
        current(defaultPool) {}

  CUmemPoolHandle_st *standard() const { return defaultPool.get(); }
  /// Null where the device has no such pool; for null that of allocations that name none.
  Pool find(const CUmemPoolHandle_st *pool);
  /// False where the device has no such pool.
  bool setCurrent(const CUmemPoolHandle_st *pool);
  /// A pool of its own; `maxBytes` as in CUmemPoolHandle_st.
  CUmemPoolHandle_st *create(uint64_t maxBytes);
  /// What is used of it goes when it is freed. False for the device's standard pool, and
  /// where there is no such pool.
  bool destroy(const CUmemPoolHandle_st *pool);
  /// The pool of an allocation; null if it is cudaMalloc's.
  CUmemPoolHandle_st *poolOf(void *pointer);

  /// Memory for work that is given to `stream` from now on. Waits for frees that are
  /// under way where there is no other memory.
  cudaError_t allocate(const Pool &pool, void **pointer, size_t size,
                       CUstream_st &stream);

  /// Gives memory back once the stream's work so far is done; also what cudaMalloc gave.
  /// Invalid if it was given back before.
  cudaError_t free(void *pointer, CUstream_st &stream);

  /// cudaFree of this memory is about to happen. False if it was given back before.
  bool remove(void *pointer);

  /// Frees what nobody uses of a pool, until no more than that is reserved. Whether it
  /// freed any.
  bool trim(const CUmemPoolHandle_st &pool, uint64_t kept);
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
  void forgetEvents(const Device &of);

private:
  friend struct ::CUmemPoolHandle_st;

  struct Block {
    Pool pool;          ///< Null until it is freed, if it is cudaMalloc's.
    uint64_t bytes = 0; ///< Taken of the device; 0: it is cudaMalloc's.
    bool isFree = false;
    /// The latest free: its place among all, and where it is reached.
    uint64_t number = 0;
    const Device *streamDevice = nullptr;
    unsigned long long stream = 0;
    bool isLegacy = false, isBlocking = false;
    std::shared_ptr<core::Event> reached; ///< Null: it was.

    bool isReached() const { return !reached || reached->isDone(); }
  };

  using Blocks = std::map<void *, Block>;

  /// Null where no block of that size suits.
  void *reuse(const CUmemPoolHandle_st &pool, uint64_t bytes, uint64_t mostBytes,
              const CUstream_st &stream);
  void *reuseWithWait(const CUmemPoolHandle_st &pool, uint64_t bytes,
                      CUstream_st &stream);
  /// `made`: an entry that has room for it.
  void add(const Pool &pool, void *pointer, uint64_t bytes, Blocks &made);

  // With the mutex held.
  void addFree(void *pointer, const Block &block);
  void dropFree(void *pointer, const Block &block);
  bool isOrdered(const Block &block, const CUstream_st &stream) const;
  void *take(void *pointer);
  /// Of one pool, or of all where that is null.
  bool trimLocked(const CUmemPoolHandle_st *pool, uint64_t kept);

  Device &device;
  std::atomic<uint64_t> lastFree{0}; ///< Its number; 0: there was none.
  std::atomic<size_t> freeCount{0};  ///< Blocks.

  std::mutex mutex; ///< Guards what follows, and the clocks of streams and events.
  Blocks blocks;
  std::set<std::pair<uint64_t, void *>> freeBlocks; ///< By size.
  std::map<unsigned long long, size_t> freesOf;     ///< How many each stream freed.
  const Pool defaultPool;
  Pool current;
  std::map<const CUmemPoolHandle_st *, Pool> created;
};

/// The pool of an allocation; null if it is none's.
CUmemPoolHandle_st *poolOf(void *pointer);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_MEMORYPOOL_H
