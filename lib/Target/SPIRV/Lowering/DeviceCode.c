/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a kernel in SPIR-V does for itself where other targets have a driver or a
 * process to call: output, assertions, the heap. It is
 * compiled to bitcode that names no machine and is linked into the kernels that call it.
 * Addresses are generic unless they say GLOBAL.
 */
#include "../SPIRVArtifact.h"

#define GLOBAL __attribute__((address_space(1)))
#define SERVICE(launch) ((GLOBAL HetSpirvServices *)(launch)->services)

typedef GLOBAL const HetSpirvLaunch Launch;
typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

/* Length with the NUL. */
static u32 lengthOf(const char *text) {
  u32 length = 0;
  while (text[length++])
    ;
  return length;
}

static GLOBAL char *copyText(GLOBAL char *to, const char *from) {
  do
    *to++ = *from;
  while (*from++);
  return to;
}

static u32 alignTo(u32 size, u32 alignment) {
  return (size + alignment - 1) & ~(alignment - 1);
}

/* Room for a record, or null. */
static GLOBAL HetSpirvRecord *reserve(Launch *launch, u32 bytes) {
  GLOBAL HetSpirvServices *services = SERVICE(launch);
  u64 begin = __atomic_fetch_add(&services->outputUsed, (u64)bytes, __ATOMIC_RELAXED);
  if (begin + bytes > services->outputBytes)
    return 0;
  return (GLOBAL HetSpirvRecord *)(services->output + begin);
}

static void setFault(Launch *launch, u32 kind) {
  u32 none = HET_SPIRV_FAULT_NONE;
  __atomic_compare_exchange_n(&SERVICE(launch)->fault, &none, kind, 0,
                              __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

u32 __het_spirv_has_fault(Launch *launch) {
  return __atomic_load_n(&SERVICE(launch)->fault, __ATOMIC_RELAXED);
}

void __het_spirv_trap(Launch *launch) { setFault(launch, HET_SPIRV_FAULT_TRAP); }

void __het_spirv_stack_overflow(Launch *launch) {
  setFault(launch, HET_SPIRV_FAULT_STACK);
}

void __het_spirv_assert(Launch *launch, const char *message, const char *file, u32 line,
                        const char *function, u32 thread, u32 blockX, u32 blockY,
                        u32 blockZ) {
  u32 bytes = sizeof(HetSpirvRecord) + lengthOf(message) + lengthOf(file) +
              lengthOf(function);
  bytes = alignTo(bytes, 8);
  GLOBAL HetSpirvRecord *record = reserve(launch, bytes);
  if (record) {
    record->kind = HET_SPIRV_ASSERT;
    record->line = line;
    record->thread[0] = thread % launch->blockDim[0];
    record->thread[1] = thread / launch->blockDim[0] % launch->blockDim[1];
    record->thread[2] = thread / launch->blockDim[0] / launch->blockDim[1];
    record->block[0] = blockX;
    record->block[1] = blockY;
    record->block[2] = blockZ;
    GLOBAL char *to = (GLOBAL char *)(record + 1);
    copyText(copyText(copyText(to, message), file), function);
    record->bytes = bytes;
  }
  setFault(launch, HET_SPIRV_FAULT_ASSERT);
}

/* A walk over a format and its packed arguments, each at its natural alignment. */
typedef struct {
  const char *at;
  u32 offset; /* of the next argument */
  u32 count;
} Walk;

static u32 take(Walk *walk, u32 size) {
  u32 begin = alignTo(walk->offset, size);
  walk->offset = begin + size;
  ++walk->count;
  return begin;
}

static int isFlag(char c) {
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '#' || c == ' ' ||
         c == '.' || c == '\'' || c == 'h' || c == 'L';
}

/* Goes on to the end of the next conversion. Returns its letter and in `begin` where
   its argument lies; 0 at the end of the format. */
static char nextConversion(Walk *walk, u32 *begin) {
  while (*walk->at && *walk->at != '%')
    ++walk->at;
  if (!*walk->at)
    return 0;
  int isLong = 0;
  for (++walk->at; *walk->at; ++walk->at) {
    char c = *walk->at;
    if (c == '*')
      take(walk, 4);
    else if (c == 'l' || c == 'j' || c == 'z' || c == 't' || c == 'q')
      isLong = 1;
    else if (!isFlag(c))
      break;
  }
  char letter = *walk->at;
  if (!letter)
    return 0;
  ++walk->at;
  int isWord = letter == 'd' || letter == 'i' || letter == 'u' || letter == 'o' ||
               letter == 'x' || letter == 'X';
  int isWide = letter == 's' || letter == 'p' || letter == 'e' || letter == 'E' ||
               letter == 'f' || letter == 'F' || letter == 'g' || letter == 'G' ||
               letter == 'a' || letter == 'A';
  if (isWord || letter == 'c')
    *begin = take(walk, isLong && isWord ? 8 : 4);
  else if (isWide)
    *begin = take(walk, 8);
  return letter;
}

static const char *textAt(const char *arguments, u32 begin) {
  return *(const char *const *)(arguments + begin);
}

int32_t __het_spirv_printf(Launch *launch, const char *format, const char *arguments) {
  u32 begin = 0, texts = 0;
  Walk walk = {format, 0, 0};
  for (char letter; (letter = nextConversion(&walk, &begin));)
    if (letter == 's' && textAt(arguments, begin))
      texts += lengthOf(textAt(arguments, begin));
  u32 formatBytes = lengthOf(format), argumentBytes = walk.offset;
  u32 first = alignTo(sizeof(HetSpirvRecord) + formatBytes, 8);
  u32 bytes = alignTo(first + argumentBytes + texts, 8);
  GLOBAL HetSpirvRecord *record = reserve(launch, bytes);
  if (!record)
    return -1;
  record->kind = HET_SPIRV_PRINTF;
  record->formatBytes = formatBytes;
  record->argumentBytes = argumentBytes;
  copyText((GLOBAL char *)(record + 1), format);
  GLOBAL char *to = (GLOBAL char *)record + first;
  for (u32 i = 0; i < argumentBytes; ++i)
    *to++ = arguments[i];
  Walk again = {format, 0, 0};
  for (char letter; (letter = nextConversion(&again, &begin));)
    if (letter == 's' && textAt(arguments, begin))
      to = copyText(to, textAt(arguments, begin));
  record->bytes = bytes;
  return (int32_t)walk.count;
}

/* Goes forward at each reading, so that no two of them are equal. */
u64 __het_spirv_clock(Launch *launch) {
  return __atomic_fetch_add(&SERVICE(launch)->clock, (u64)1, __ATOMIC_RELAXED);
}

/* Exchanges the 16 bytes at `place` if they are as expected, or in any case. What was
   there goes to `found`. The lock is held for a few instructions, by kernels whose
   work-items make progress (segmented ones). */
u32 __het_spirv_exchange_wide(Launch *launch, u64 *place, u32 always, u64 expectedLow,
                              u64 expectedHigh, u64 low, u64 high, u64 *found) {
  GLOBAL HetSpirvHeap *heap = (GLOBAL HetSpirvHeap *)SERVICE(launch)->heap;
  while (__atomic_exchange_n(&heap->wideLock, 1u, __ATOMIC_ACQUIRE))
    ;
  volatile u64 *words = place;
  found[0] = words[0];
  found[1] = words[1];
  u32 exchanges = always | (found[0] == expectedLow && found[1] == expectedHigh);
  if (exchanges) {
    words[0] = low;
    words[1] = high;
  }
  __atomic_store_n(&heap->wideLock, 0u, __ATOMIC_RELEASE);
  return exchanges;
}

/* The heap: chunks one behind the other, first fit, under one lock. Only segmented
   kernels allocate: there a waiting thread is one of the machine. */
static void lock(GLOBAL HetSpirvHeap *heap) {
  while (__atomic_exchange_n(&heap->lock, 1u, __ATOMIC_ACQUIRE))
    ;
}

static void unlock(GLOBAL HetSpirvHeap *heap) {
  __atomic_store_n(&heap->lock, 0u, __ATOMIC_RELEASE);
}

/* A free chunk takes up the free ones behind it. */
static void join(GLOBAL HetSpirvHeap *heap, GLOBAL HetSpirvChunk *chunk) {
  u64 end = heap->begin + heap->used;
  for (;;) {
    u64 behind = (u64)chunk + chunk->bytes;
    if (behind >= end) {
      heap->used = (u64)chunk - heap->begin;
      return;
    }
    GLOBAL HetSpirvChunk *next = (GLOBAL HetSpirvChunk *)behind;
    if (next->mark != HET_SPIRV_CHUNK_FREE)
      return;
    chunk->bytes += next->bytes;
  }
}

static u64 findChunk(GLOBAL HetSpirvHeap *heap, u64 bytes) {
  for (u64 at = 0; at < heap->used;) {
    GLOBAL HetSpirvChunk *chunk = (GLOBAL HetSpirvChunk *)(heap->begin + at);
    if (chunk->mark == HET_SPIRV_CHUNK_FREE) {
      join(heap, chunk);
      if (at >= heap->used)
        break;
      if (chunk->bytes >= bytes) {
        u64 rest = chunk->bytes - bytes;
        if (rest >= 64) {
          GLOBAL HetSpirvChunk *tail = (GLOBAL HetSpirvChunk *)((u64)chunk + bytes);
          tail->bytes = rest;
          tail->mark = HET_SPIRV_CHUNK_FREE;
          chunk->bytes = bytes;
        }
        chunk->mark = HET_SPIRV_CHUNK_USED;
        return (u64)(chunk + 1);
      }
    }
    at += chunk->bytes;
  }
  if (bytes > heap->bytes - heap->used)
    return 0;
  GLOBAL HetSpirvChunk *chunk =
      (GLOBAL HetSpirvChunk *)(heap->begin + heap->used);
  heap->used += bytes;
  chunk->bytes = bytes;
  chunk->mark = HET_SPIRV_CHUNK_USED;
  return (u64)(chunk + 1);
}

u64 __het_spirv_malloc(Launch *launch, u64 size) {
  GLOBAL HetSpirvHeap *heap = (GLOBAL HetSpirvHeap *)SERVICE(launch)->heap;
  if (size > heap->bytes)
    return 0;
  u64 bytes = (size + sizeof(HetSpirvChunk) + 15) & ~(u64)15;
  lock(heap);
  u64 address = findChunk(heap, bytes);
  unlock(heap);
  return address;
}

/* Whether the chunk could be freed; else that is a fault. */
u32 __het_spirv_free(Launch *launch, u64 address) {
  GLOBAL HetSpirvHeap *heap = (GLOBAL HetSpirvHeap *)SERVICE(launch)->heap;
  if (!address)
    return 1;
  u64 offset = address - sizeof(HetSpirvChunk) - heap->begin;
  int isLive = 0;
  lock(heap);
  if (offset < heap->used && address % 16 == 0) {
    GLOBAL HetSpirvChunk *chunk = (GLOBAL HetSpirvChunk *)(heap->begin + offset);
    isLive = chunk->mark == HET_SPIRV_CHUNK_USED;
    if (isLive) {
      chunk->mark = HET_SPIRV_CHUNK_FREE;
      join(heap, chunk);
    }
  }
  unlock(heap);
  if (!isLive)
    setFault(launch, HET_SPIRV_FAULT_FREE);
  return isLive;
}
