/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory by flat addresses. Those of 32 bits are this core's own. Others lie in DRAM, of
 * which lines of 64 bytes are kept here: what is written is marked byte by byte and sent
 * at fences, when a line is given up, and when there are many. So cores that write to
 * different bytes of a line do not disturb each other.
 */
#include "Core.h"

#define LINE 64u
#define LINES 512u
#define MOST_DIRTY 32u
/* Above all of the line's number in a tag: the epoch, 1 and up. */
#define EPOCH_SHIFT 26u
#define FIRST_EPOCH (1u << EPOCH_SHIFT)

typedef struct {
  u32 low, high; /* the line's number with the epoch; 0: none */
  u32 node, address; /* where it lies */
  u32 dirty[2]; /* a bit for each byte */
  u32 unused[2];
} Tag;

/* Lines, whose contents their tags tell, which are zero at first. */
static u8 lines[LINES][LINE] __attribute__((aligned(64), section(".noinit")));
static Tag tags[LINES];
static u32 dirtyLines[MOST_DIRTY], dirtyCount;
static u32 epoch = FIRST_EPOCH; /* where it stands in tags */

static u32 slotOf(u32 low) { return (low ^ low >> 9) % LINES; }
static u32 highOf(u64 address) { return (u32)(address >> 38) | epoch; }

static void markClean(u32 slot) { tags[slot].dirty[0] = tags[slot].dirty[1] = 0; }

static u32 isDirty(const Tag *tag, u32 byte) { return tag->dirty[byte / 32] >> byte % 32 & 1; }

/* Each run of bytes that were written. */
static void send(u32 slot) {
  Tag *tag = &tags[slot];
  if (!(tag->dirty[0] | tag->dirty[1]))
    return;
  if ((tag->dirty[0] & tag->dirty[1]) == 0xFFFFFFFFu) {
    hetNocWrite(lines[slot], tag->node, tag->address, LINE);
  } else {
    for (u32 begin = 0; begin < LINE;) {
      if (!isDirty(tag, begin)) {
        begin += begin % 32 == 0 && !tag->dirty[begin / 32] ? 32 : 1;
        continue;
      }
      u32 end = begin + 1;
      while (end < LINE && isDirty(tag, end))
        ++end;
      hetNocWrite(lines[slot] + begin, tag->node, tag->address + begin, end - begin);
      begin = end;
    }
  }
  markClean(slot);
}

static __attribute__((noinline)) void sendAll(void) {
  for (u32 i = 0; i < dirtyCount; ++i)
    send(dirtyLines[i]);
  dirtyCount = 0;
}

u32 hetLocate(u64 address, u32 *node, u32 *place) {
  const u32 pageBytes = 1u << HET_TENSIX_PAGE_SHIFT;
  volatile HetTensixMailbox *mailbox = MAILBOX;
  for (u32 i = 0; i < mailbox->rangeCount; ++i) {
    u64 begin = mailbox->ranges[i].begin, end = mailbox->ranges[i].end;
    if (address < begin || address >= end)
      continue;
    u64 linear = mailbox->ranges[i].dram + (address - begin), left = end - address;
    u32 page = (u32)(linear >> HET_TENSIX_PAGE_SHIFT), offset = (u32)linear % pageBytes;
    u32 banks = mailbox->bankCount, room = pageBytes - offset;
    *node = mailbox->banks[page % banks];
    *place = (page / banks << HET_TENSIX_PAGE_SHIFT) | offset;
    return left < room ? (u32)left : room;
  }
  hetStop(HET_TENSIX_FAULT_ADDRESS, address, 0);
}

/* Where a line lies in DRAM. */
static void locate(u64 address, Tag *tag) {
  u32 place;
  hetLocate(address, &tag->node, &place);
  tag->address = place & ~(LINE - 1);
}

/* Brings a line. */
static __attribute__((noinline)) u32 bring(u64 address, u32 low, u32 high, u32 slot) {
  Tag *tag = &tags[slot];
  send(slot);
  tag->high = 0;
  locate(address, tag);
  hetNocWait(); /* what was written is read as it is now; the slot's bytes have left */
  hetNocRead(tag->node, tag->address, lines[slot], LINE);
  tag->low = low;
  tag->high = high;
  return slot;
}

/* The line's place here, with its bytes. */
static inline u32 fetch(u64 address) {
  u32 low = (u32)(address >> 6), high = highOf(address), slot = slotOf(low);
  const Tag *tag = &tags[slot];
  return tag->low == low && tag->high == high ? slot : bring(address, low, high, slot);
}

/* Accesses are of a power of two, and aligned to it. */
static inline void checkAlignment(u64 address, u32 bytes) {
  if ((u32)address & (bytes - 1))
    hetStop(HET_TENSIX_FAULT_ALIGNMENT, address, bytes);
}

static inline void *near(u64 address, u32 bytes) {
  u32 low = (u32)address;
  if (low < HET_TENSIX_LOWEST_DATA || low > MAILBOX->memoryBytes - bytes)
    hetStop(HET_TENSIX_FAULT_ADDRESS, address, 0);
  return (void *)low;
}

static u32 isNear(u64 address) { return !(u32)(address >> 32); }

static const void *readPiece(u64 address, u32 bytes) {
  if (isNear(address))
    return near(address, bytes);
  return lines[fetch(address)] + (u32)address % LINE;
}

static __attribute__((noinline)) const void *readSlowly(u64 address, u32 bytes) {
  checkAlignment(address, bytes);
  return readPiece(address, bytes);
}

/* The usual case without a stack frame; no tag is one of this core's own memory. */
const void *het_core_read(u64 address, u32 bytes) {
  u32 low = (u32)(address >> 6), slot = slotOf(low);
  if (tags[slot].low == low && tags[slot].high == highOf(address) &&
      !((u32)address & (bytes - 1)))
    return lines[slot] + (u32)address % LINE;
  return readSlowly(address, bytes);
}

const void *het_core_read_fresh(u64 address, u32 bytes) {
  checkAlignment(address, bytes);
  if (isNear(address))
    return near(address, bytes);
  u32 low = (u32)(address >> 6), slot = slotOf(low);
  if (tags[slot].low == low && tags[slot].high == highOf(address)) {
    send(slot);
    tags[slot].high = 0;
  }
  return lines[fetch(address)] + (u32)address % LINE;
}

static void *placePiece(u64 address, u32 bytes) {
  if (isNear(address))
    return near(address, bytes);
  u32 slot = fetch(address), begin = (u32)address % LINE;
  Tag *tag = &tags[slot];
  if (!(tag->dirty[0] | tag->dirty[1])) {
    if (dirtyCount == MOST_DIRTY)
      sendAll();
    dirtyLines[dirtyCount++] = slot;
  }
  u64 mask = (bytes == LINE ? ~(u64)0 : ((u64)1 << bytes) - 1) << begin;
  tag->dirty[0] |= (u32)mask;
  tag->dirty[1] |= (u32)(mask >> 32);
  return lines[slot] + begin;
}

static __attribute__((noinline)) void *placeSlowly(u64 address, u32 bytes) {
  checkAlignment(address, bytes);
  return placePiece(address, bytes);
}

/* Likewise, of a line that is marked already. */
void *het_core_place(u64 address, u32 bytes) {
  u32 low = (u32)(address >> 6), slot = slotOf(low), begin = (u32)address % LINE;
  Tag *tag = &tags[slot];
  u32 *dirty = &tag->dirty[begin / 32];
  if (tag->low == low && tag->high == highOf(address) && *dirty && bytes < 32 &&
      !(begin & (bytes - 1))) {
    *dirty |= ((1u << bytes) - 1) << begin % 32;
    return lines[slot] + begin;
  }
  return placeSlowly(address, bytes);
}

void het_core_publish(u64 address) {
  if (!isNear(address))
    send(fetch(address));
}

void het_core_fence(void) {
  sendAll();
  hetNocWait();
  epoch += FIRST_EPOCH;
  if (epoch)
    return;
  epoch = FIRST_EPOCH;
  for (u32 slot = 0; slot < LINES; ++slot)
    tags[slot].high = 0;
}

void het_core_system_fence(void) {
  volatile HetTensixMailbox *mailbox = MAILBOX;
  het_core_fence();
  if (!mailbox->exchanges)
    return;
  u32 asked = mailbox->asked + 1;
  mailbox->asked = asked;
  while (mailbox->answered != asked)
    hetForget();
}

static u32 least(u32 a, u32 b) { return a < b ? a : b; }

/* Bytes left of an address's line; all of a core's own memory is one. */
static u32 room(u64 address) {
  return isNear(address) ? 0xFFFFFFFFu : LINE - (u32)address % LINE;
}

static void moveBytes(u8 *to, const u8 *from, u32 bytes) {
  if (!(((u32)to | (u32)from | bytes) % 4)) {
    for (u32 i = 0; i < bytes / 4; ++i)
      ((u32 *)to)[i] = ((const u32 *)from)[i];
    return;
  }
  hetOrder();
  for (u32 i = 0; i < bytes; ++i)
    to[i] = from[i];
  hetOrder();
}

/* By a buffer, since the place of one line may be another's. */
static void copyPiece(u64 to, u64 from, u32 bytes) {
  static u8 buffer[LINE] __attribute__((aligned(64)));
  moveBytes(buffer, readPiece(from, bytes), bytes);
  moveBytes(placePiece(to, bytes), buffer, bytes);
}

/* How many bytes before an address belong to its line. */
static u32 roomBefore(u64 address) {
  u32 inLine = (u32)(address - 1) % LINE + 1;
  return isNear(address) ? 0xFFFFFFFFu : inLine;
}

/* As memmove. */
void het_core_copy(u64 to, u64 from, u32 bytes) {
  if (to - from >= bytes) {
    while (bytes) {
      u32 piece = least(least(LINE, bytes), least(room(to), room(from)));
      copyPiece(to, from, piece);
      to += piece;
      from += piece;
      bytes -= piece;
    }
    return;
  }
  to += bytes;
  from += bytes;
  while (bytes) {
    u32 piece = least(least(LINE, bytes), least(roomBefore(to), roomBefore(from)));
    to -= piece;
    from -= piece;
    bytes -= piece;
    copyPiece(to, from, piece);
  }
}

void het_core_fill(u64 to, u32 byte, u32 bytes) {
  while (bytes) {
    u32 piece = least(least(LINE, bytes), room(to));
    u8 *place = placePiece(to, piece);
    for (u32 i = 0; i < piece; ++i)
      place[i] = (u8)byte;
    to += piece;
    bytes -= piece;
  }
  hetOrder();
}
