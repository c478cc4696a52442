/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * malloc and free of kernels (het/DeviceABI/Heap.h): what is behind the last chunk first,
 * then the next chunk that fits, from where the last search ended (Knuth, The Art of
 * Computer Programming, 2.5, algorithm A with a roving pointer). One lock guards all.
 * Threads of a team may stand in here together: who has the lock gives it back in the
 * iteration that took it, which `done` sees to: a compiler that could look through it
 * would make a loop that only waits, and threads that left it could be made to wait for
 * those that have not.
 */
#include "het/DeviceABI/Heap.h"

typedef uint32_t u32;
typedef uint64_t u64;

#define GLOBAL __attribute__((address_space(1)))

typedef GLOBAL HetHeap Heap;
typedef GLOBAL HetHeapChunk Chunk;

/* Less is not worth a chunk of its own. */
enum { LEAST_CHUNK = 64 };

static Chunk *chunkAt(Heap *heap, u64 offset) { return (Chunk *)(heap->begin + offset); }

/* Kernels can write anywhere: what is no chunk ends a search. */
static int isChunk(Heap *heap, u64 offset) {
  if (heap->used - offset < sizeof(HetHeapChunk))
    return 0;
  Chunk *chunk = chunkAt(heap, offset);
  return (chunk->mark == HET_HEAP_USED || chunk->mark == HET_HEAP_FREE) &&
         chunk->bytes >= sizeof(HetHeapChunk) && chunk->bytes % 16 == 0 &&
         chunk->bytes <= heap->used - offset;
}

/* A free chunk takes up the free ones behind it; the last one is not used any more. */
static void join(Heap *heap, u64 offset) {
  Chunk *chunk = chunkAt(heap, offset);
  for (;;) {
    u64 behind = offset + chunk->bytes;
    if (behind == heap->used)
      break;
    if (!isChunk(heap, behind) || chunkAt(heap, behind)->mark != HET_HEAP_FREE)
      return;
    if (heap->next == behind)
      heap->next = offset;
    chunk->bytes += chunkAt(heap, behind)->bytes;
  }
  heap->used = offset;
  if (heap->next > offset)
    heap->next = offset;
}

static u64 give(Heap *heap, u64 offset, u64 bytes) {
  Chunk *chunk = chunkAt(heap, offset);
  u64 rest = chunk->bytes - bytes;
  if (rest >= LEAST_CHUNK) {
    Chunk *tail = chunkAt(heap, offset + bytes);
    tail->bytes = rest;
    tail->mark = HET_HEAP_FREE;
    chunk->bytes = bytes;
  }
  chunk->mark = HET_HEAP_USED;
  heap->next = offset + chunk->bytes;
  return (u64)(chunk + 1);
}

static u64 append(Heap *heap, u64 bytes) {
  if (bytes > heap->bytes - heap->used)
    return 0;
  u64 offset = heap->used;
  heap->used += bytes;
  chunkAt(heap, offset)->bytes = bytes;
  return give(heap, offset, bytes);
}

/* In the chunks from `offset` to `end`. */
static u64 search(Heap *heap, u64 offset, u64 end, u64 bytes) {
  while (offset < end && offset < heap->used && isChunk(heap, offset)) {
    if (chunkAt(heap, offset)->mark == HET_HEAP_FREE) {
      join(heap, offset);
      if (offset == heap->used)
        return append(heap, bytes);
      if (chunkAt(heap, offset)->bytes >= bytes)
        return give(heap, offset, bytes);
    }
    offset += chunkAt(heap, offset)->bytes;
  }
  return 0;
}

static u64 allocate(Heap *heap, u64 bytes) {
  u64 address = append(heap, bytes);
  u64 next = heap->next;
  if (!address)
    address = search(heap, next, heap->used, bytes);
  if (!address)
    address = search(heap, 0, next, bytes);
  return address;
}

static u32 release(Heap *heap, u64 address) {
  u64 offset = address - sizeof(HetHeapChunk) - heap->begin;
  if (address % 16 || offset >= heap->used || !isChunk(heap, offset) ||
      chunkAt(heap, offset)->mark != HET_HEAP_USED)
    return 0;
  chunkAt(heap, offset)->mark = HET_HEAP_FREE;
  join(heap, offset);
  return 1;
}

static int tryLock(Heap *heap) {
  if (__atomic_exchange_n(&heap->lock, 1u, __ATOMIC_RELAXED))
    return 0;
  __atomic_thread_fence(__ATOMIC_ACQUIRE); // not of each try
  return 1;
}

static void unlock(Heap *heap) { __atomic_store_n(&heap->lock, 0u, __ATOMIC_RELEASE); }

/* An address, or 0 where there is no place. */
__attribute__((noinline)) u64 __het_malloc(u64 heapAddress, u64 size) {
  Heap *heap = (Heap *)heapAddress;
  if (size > heap->bytes)
    return 0;
  u64 bytes = (size + sizeof(HetHeapChunk) + 15) & ~(u64)15;
  u64 address = 0;
  for (volatile int done = 0; !done;)
    if (tryLock(heap)) {
      address = allocate(heap, bytes);
      unlock(heap);
      done = 1;
    }
  return address;
}

/* 0 where malloc did not give it, as far as that can be told; null is nothing. */
__attribute__((noinline)) u32 __het_free(u64 heapAddress, u64 address) {
  Heap *heap = (Heap *)heapAddress;
  u32 isFreed = address == 0;
  for (volatile int done = isFreed; !done;)
    if (tryLock(heap)) {
      isFreed = release(heap, address);
      unlock(heap);
      done = 1;
    }
  return isFreed;
}
