/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The tile's coprocessor, of which one thread is used: words go from memory to the vector
 * unit's Dst by unpacker 0, and back by packer 0, as they are (INT32). Its instructions
 * and configuration are as Tenstorrent's documents have them (tt-isa-documentation,
 * WormholeB0 and BlackholeA0/TensixTile/TensixCoprocessor: UNPACR_Regular.md, PACR.md,
 * Packers/, ADCs.md, STALLWAIT.md, RMWCIB.md); where fields lie is in the names' order of
 * cfg_defines.h.
 *
 * A slot of Dst is 16 rows of 16 words. The vector unit has 32 lanes of 4 rows and every
 * second column, so word 16 * row + 2 * n + odd is lane 8 * row + n.
 */
#include "Core.h"

#define CONFIGURATION 0xFFEF0000u
#define PUSH 0xFFE40000u
#define WORDS 256u
/* Both ends of a read from DRAM agree in their address modulo so many words. A stage has
   room for a slot's words and their place within these. */
#if HET_TENSIX_BLACKHOLE
#define READ_WORDS 16u
#else
#define READ_WORDS 8u
#endif
#define STAGE_WORDS (WORDS + READ_WORDS)
#define STAGES 4u
#define INT32 8u
#define GROUP_BYTES 256u /* four rows of Dst */
#define GROUP_WORDS 64u
#define GROUPS 4u /* of a slot */

enum { PACKERS = 1u << 2, UNPACKERS = 1u << 3, CONFIGURATIONS = 1u << 7, VECTORS = 1u << 8 };
enum { UNPACKING = 1u << 1, PACKING = 1u << 3 };

/* Words of configuration. PROGRESS is the base address of unpacker 1, which is not used:
   its lowest byte says how far the coprocessor is. PACKERS_AT are where each packer's own
   words begin, SETTINGS those of a thread that are to be 0. */
#if HET_TENSIX_BLACKHOLE
enum {
  COMPUTING = 1u << 11,
  PACK_STRIDES = 12,
  STRIDE_Y = 16, /* a bit in such a word */
  PACK_READ = 18,
  PACK_ROWS = 20,
  PACK_EDGES = 24,
  EDGES = 2,
  PACK_COUNTERS = 28,
  UNPACK_TO = 50,
  UNPACK_STRIDES = 56,
  UNPACK_TILE = 64,
  UNPACK_FORMAT = 72,
  UNPACK_BASE = 76,
  UNPACK_DST = 84,
  UNPACK_X = 86,
  UNPACK_OFFSET = 92,
  PROGRESS = 124,
  PACK_OFFSET = 180,
  PACKED_AT_ONCE = 1 /* groups */
};
#define PACKERS_AT {68}
#define SETTINGS {0, 1, 5, 12, 28, 37, 41, 47}
#else
enum {
  COMPUTING = 1u << 14,
  PACK_STRIDES = 8,
  STRIDE_Y = 12,
  PACK_READ = 14,
  PACK_ROWS = 16,
  PACK_EDGES = 20,
  EDGES = 4,
  PACK_COUNTERS = 24,
  UNPACK_TO = 41,
  UNPACK_STRIDES = 44,
  UNPACK_TILE = 52,
  UNPACK_FORMAT = 60,
  UNPACK_BASE = 64,
  UNPACK_DST = 72,
  UNPACK_X = 74,
  UNPACK_OFFSET = 80,
  PROGRESS = 104,
  PACK_OFFSET = 152,
  PACKED_AT_ONCE = 4
};
#define PACKERS_AT {56, 84, 96, 124}
#define SETTINGS {0, 1, 2, 3, 7, 23, 31, 39, 48}
#endif

static u32 stages[STAGES][STAGE_WORDS] __attribute__((aligned(64), section(".noinit")));
static u32 packed[WORDS] __attribute__((aligned(64), section(".noinit")));
static u32 shifted[WORDS + 4] __attribute__((aligned(64), section(".noinit")));
static u32 stage, marks;
static volatile u32 isStarted; /* of a word: the compiler makes bytes of flags */
static u32 freeAt[STAGES]; /* the mark that says that a stage has been read */
static volatile u32 settled;

static void push(u32 instruction) { *(volatile u32 *)PUSH = instruction; }

static void configure(u32 index, u32 value) {
  *(volatile u32 *)(CONFIGURATION + 4 * index) = value;
}

/* Instructions of those units wait until that is no more so. */
static void stall(u32 units, u32 conditions) {
  push(0xA2u << 24 | units << 15 | conditions);
}

/* A counter of the unpacker (1) or the packers (4); dimensions are X, Y, Z, W. */
static void count(u32 which, u32 channel, u32 dimension, u32 value) {
  push(0x50u << 24 | which << 21 | channel << 20 | dimension << 18 | value);
}

static void countWords(u32 which, u32 first, u32 words) {
  push(0x5Eu << 24 | which << 21 | (first + words - 1) << 10 | first);
}

/* Puts a mark: what comes after it is seen once all before it is done. */
static void mark(u32 units, u32 conditions) {
  stall(units | CONFIGURATIONS, conditions);
  marks = (marks + 1) & 0xFF;
  push(0xB3u << 24 | 0xFFu << 16 | marks << 8 | PROGRESS);
}

/* Marks are less than 128 apart. */
static void await(u32 wanted) {
  while ((*(volatile u32 *)(CONFIGURATION + 4 * PROGRESS) - wanted) & 0x80u)
    ;
  __asm__ volatile("" ::: "memory");
}

/* Stores to this core's memory are done before what follows (Noc.c). */
static void settle(void) {
  u32 word;
  __asm__ volatile("sw zero, 0(%1)\n\tlw %0, 0(%1)\n\taddi %0, %0, 0"
                   : "=&r"(word)
                   : "r"(&settled)
                   : "memory");
}

static void configureUnpacker(void) {
  configure(UNPACK_TO, 0);
  configure(UNPACK_STRIDES, GROUP_BYTES << STRIDE_Y); /* Y counts groups of Dst */
  configure(UNPACK_STRIDES + 1, 0);
  configure(UNPACK_TILE, INT32 | 1u << 4); /* uncompressed */
  configure(UNPACK_TILE + 1, 1u | 1u << 16);
  configure(UNPACK_FORMAT, INT32 | 1u << 11); /* to Dst, likewise for context 0: */
  configure(UNPACK_FORMAT + 1, 1u | 1u << 4);
  configure(UNPACK_BASE, (u32)stages / 16 - 1); /* behind a header of 16 bytes */
  configure(UNPACK_DST, 0);
  configure(UNPACK_X, STAGE_WORDS); /* Y counts stages */
  configure(UNPACK_OFFSET, 0);
}

static void configurePackers(void) {
  const u32 at[] = PACKERS_AT, packers = sizeof(at) / sizeof(*at);
  configure(1, INT32 << 25);
  configure(2, 0);
  configure(PACK_STRIDES, GROUP_BYTES << STRIDE_Y | 4u);
  configure(PACK_STRIDES + 1, 0);
  configure(PACK_READ, 1); /* Dst has 32 bits */
  configure(PACK_ROWS, 0);
  for (u32 i = 0; i < EDGES; ++i)
    configure(PACK_EDGES + i, 0xFFFF); /* none is masked */
  for (u32 i = 0; i < packers; ++i) {
    configure(PACK_COUNTERS + i, 1u << 8);
    configure(at[i], 0);
    configure(at[i] + 1, (u32)packed / 16 - 1);
    /* Uncompressed; where there are several, the first says so for all. */
    configure(at[i] + 2, INT32 << 4 | INT32 << 8 | 1u |
                             (packers > 1 && i == 0 ? 0x1Fu << 17 : 0));
    configure(at[i] + 3, 0);
    configure(PACK_OFFSET + i, 0);
  }
}

/* The coprocessor goes on by itself when its core is stopped: nothing is left to it. */
static void finish(void) {
  mark(0, UNPACKING | PACKING | COMPUTING);
  await(marks);
}

void het_vector_start(void) {
  if (isStarted)
    return;
  isStarted = 1;
  hetAtEnd = finish;
  configureUnpacker();
  configurePackers();
  configure(PROGRESS, 0);
  /* Done before instructions use it. */
  while (*(volatile u32 *)(CONFIGURATION + 4 * PROGRESS))
    ;
  const u32 settings[] = SETTINGS;
  for (u32 i = 0; i < sizeof(settings) / 4; ++i)
    push(0xB2u << 24 | settings[i] << 16);
  push(0x51u << 24 | 5u << 21 | 0xFu); /* counters X and Y, */
  push(0x54u << 24 | 5u << 21 | 0xFu); /* Z and W are 0 */
  push(0x8Au << 24 | 3u << 12 | 10u); /* SFPENCC: all lanes, by their flags */
}

/* The next stage, when what was there has been read. */
static u32 *takeStage(void) {
  stage = (stage + 1) % STAGES;
  await(freeAt[stage]);
  return stages[stage];
}

static void unpack(u32 first, u32 words, u32 slot) {
  stall(UNPACKERS | VECTORS, COMPUTING);
  countWords(1, first, words);
  count(1, 0, 1, stage);
  count(1, 1, 1, slot * GROUPS + 1); /* Dst's first group is 1 for it */
  push(0x42u << 24 | 0x81u);
  stall(UNPACKERS | VECTORS, UNPACKING);
  mark(UNPACKERS, UNPACKING);
  freeAt[stage] = marks;
}

/* Whether words lie in DRAM; a core's own memory has no place there. */
static u32 isFar(u64 address) {
  if ((u32)address % 4)
    hetStop(HET_TENSIX_FAULT_ALIGNMENT, address, 4);
  return address >> 32 != 0;
}

u32 *het_vector_stage(void) { return takeStage(); }

void het_vector_fill(u32 words, u32 slot) {
  settle();
  unpack(0, words, slot);
}

void het_vector_load(u64 address, u32 words, u32 slot) {
  u32 *to = takeStage();
  if (!isFar(address)) {
    for (u32 i = 0; i < words; ++i)
      to[i] = *(const u32 *)het_core_read(address + 4 * i, 4);
    return het_vector_fill(words, slot);
  }
  const u32 first = (u32)address / 4 % READ_WORDS;
  hetNocWait();
  for (u32 done = 0, bytes = 4 * words; done < bytes;) {
    u32 node, place, room = hetLocate(address + done, &node, &place);
    u32 piece = bytes - done < room ? bytes - done : room;
    hetNocRead(node, place, (u8 *)(to + first) + done, piece);
    done += piece;
  }
  unpack(first, words, slot);
}

const u32 *het_vector_drain(u32 words, u32 slot) {
  /* A number of groups that is a power of two. */
  u32 groups = words <= GROUP_WORDS ? 1 : words <= 2 * GROUP_WORDS ? 2 : GROUPS;
  stall(PACKERS | VECTORS, COMPUTING);
#if HET_TENSIX_BLACKHOLE
  countWords(4, 0, 16); /* of each of four rows */
#else
  countWords(4, 0, groups * GROUP_WORDS);
#endif
  for (u32 done = 0; done < groups; done += PACKED_AT_ONCE) {
    count(4, 0, 1, slot * GROUPS + done);
    /* The first packer, or all four ways into it. The last one ends the output. */
    push(0x41u << 24 | (PACKED_AT_ONCE > 1 ? 1u << 8 : 0) |
         (done + PACKED_AT_ONCE >= groups));
  }
  mark(PACKERS, PACKING);
  await(marks);
  hetForget();
  for (u32 i = 0; i < STAGES; ++i)
    freeAt[i] = marks; /* all before it is done too */
  return packed;
}

u32 het_vector_doubt(void) {
  const u32 slot = 31; /* none of a row's values is there */
  push(0x37u << 24 | 1u << 2); /* SETRWC: rows from 0 */
  push(0x72u << 24 | 7u << 20 | 4u << 16 | slot * GROUPS * 4u); /* SFPSTORE */
  const u32 *words = het_vector_drain(GROUP_WORDS, slot);
  u32 all = 0;
  for (u32 i = 0; i < GROUP_WORDS; i += 2)
    all |= words[i];
  return all;
}

/* Both ends of a write agree in their address modulo 16. */
void het_vector_store(u64 address, u32 words, u32 slot) {
  const u32 *from = het_vector_drain(words, slot);
  const u32 first = (u32)address / 4 % 4;
  if (!isFar(address)) {
    for (u32 i = 0; i < words; ++i)
      *(u32 *)het_core_place(address + 4 * i, 4) = from[i];
    return;
  }
  if (first) {
    for (u32 i = 0; i < words; ++i)
      shifted[first + i] = from[i];
    from = shifted + first;
  }
  for (u32 done = 0, bytes = 4 * words; done < bytes;) {
    u32 node, place, room = hetLocate(address + done, &node, &place);
    u32 piece = bytes - done < room ? bytes - done : room;
    hetNocWrite((const u8 *)from + done, node, place, piece);
    done += piece;
  }
  het_core_fence(); /* what was read before may be old */
}
